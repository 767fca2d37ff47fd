// One very long transaction: a method that takes its settings under a lock and then computes for the whole run, while the
// other threads use the same settings in many short transactions.
#include <mutex>

#include "../common.h"

class Settings {
 public:
  std::uint64_t seed() {
    const std::lock_guard lock(mutex_);
    return seed_;
  }
  void note(std::uint64_t visitor) {
    const std::lock_guard lock(mutex_);
    ++visits_;
    last_ = visitor;
  }
  std::uint64_t visits() {
    const std::lock_guard lock(mutex_);
    return visits_;
  }

 private:
  std::mutex mutex_;
  const std::uint64_t seed_ = 42;
  std::uint64_t visits_ = 0, last_ = 0;
};

class Survey {
 public:
  std::uint64_t run(Settings& settings, std::uint64_t steps) {  // the long one
    std::vector<std::uint32_t> table(1 << 16, 1);
    Random random(settings.seed());
    for (std::uint64_t i = 0; i < steps; ++i) {
      const std::uint32_t at = random.next() % (1 << 16);
      table[at] += table[(at * 7 + 1) % (1 << 16)] % 3 + 1;
    }
    std::uint64_t sum = 0;
    for (const std::uint32_t cell : table) sum += cell;
    return sum;
  }
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const std::uint64_t steps = 1000000u * static_cast<unsigned>(arguments.scale), visits = steps / 2;
  const int others = arguments.threads > 1 ? arguments.threads - 1 : 1;
  Settings settings;
  std::uint64_t sum = 0;
  in_parallel(1 + others, [&](int me) {
    if (me == 0) sum = Survey().run(settings, steps);
    else for (std::uint64_t i = 0; i < visits; ++i) settings.note(i);
  });
  const bool right = settings.visits() == visits * static_cast<unsigned>(others) && sum >= (1 << 16) + steps;
  return finish(right, "longone", static_cast<double>(sum));
}
