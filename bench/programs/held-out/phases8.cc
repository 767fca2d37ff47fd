// Eight threads where the other programs have two: heat spreads along a rod, in many short phases between barriers.
#include <cmath>

#include "../barrier.h"
#include "../common.h"

class Rod {
 public:
  explicit Rod(int cells) : now_(cells), next_(cells) {
    for (int i = 0; i < cells; ++i) now_[i] = i % 100;
  }
  void spread(Share share) {
    for (int i = share.begin; i < share.end; ++i) next_[i] = 0.5 * now_[i] + 0.25 * (now_[left(i)] + now_[right(i)]);
  }
  void take_over(Share share) {
    for (int i = share.begin; i < share.end; ++i) now_[i] = next_[i];
  }
  double heat() const {
    double sum = 0;
    for (const double cell : now_) sum += cell;
    return sum;
  }
  int size() const { return static_cast<int>(now_.size()); }

 private:
  int left(int i) const { return i == 0 ? size() - 1 : i - 1; }
  int right(int i) const { return i == size() - 1 ? 0 : i + 1; }
  std::vector<double> now_, next_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int threads = 4 * arguments.threads;
  Rod rod(32000);
  const double before = rod.heat();
  Barrier barrier(threads);
  in_parallel(threads, [&](int me) {
    const Share share(rod.size(), me, threads);
    for (int phase = 0; phase < 200 * arguments.scale; ++phase) {
      rod.spread(share);
      barrier.wait();
      rod.take_over(share);
      barrier.wait();
    }
  });
  return finish(std::fabs(rod.heat() - before) < 1e-9 * before, "phases8", rod.heat());
}
