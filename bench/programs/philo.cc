// Dining philosophers, forks taken in order, with a meal count per fork.
#include <algorithm>
#include <mutex>

#include "common.h"

class Fork {
 public:
  std::mutex mutex;
  void use() { ++uses_; }
  long uses() const { return uses_; }

 private:
  long uses_ = 0;
};

class Table {
 public:
  explicit Table(int seats) : forks_(seats < 2 ? 2 : seats) {}
  void eat(int seat) {
    const int other = (seat + 1) % static_cast<int>(forks_.size());
    const std::lock_guard first(forks_[std::min(seat, other)].mutex);
    const std::lock_guard second(forks_[std::max(seat, other)].mutex);
    forks_[seat].use();
    forks_[other].use();
  }
  long uses() const {
    long total = 0;
    for (const Fork& fork : forks_) total += fork.uses();
    return total;
  }

 private:
  std::vector<Fork> forks_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const long meals = 200000L * arguments.scale;
  Table table(arguments.threads);
  in_parallel(arguments.threads, [&](int me) {
    for (long i = 0; i < meals; ++i) table.eat(me);
  });
  return finish(table.uses() == 2 * meals * arguments.threads, "philo", static_cast<double>(table.uses()));
}
