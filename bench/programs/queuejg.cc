// A pool that runs kernels after Java Grande (series, sparse product, relaxation, cipher), each a task with two threads
// of its own (after the SingleTrack paper's queue-jg).
#include <cmath>

#include "barrier.h"
#include "tasks.h"

class Kernel {
 public:
  explicit Kernel(int size) : values_(static_cast<std::size_t>(size)) {
    Random random(static_cast<std::uint64_t>(size));
    for (double& value : values_) value = random.unit();
  }
  void run_task(int which) {
    Barrier barrier(2);
    const std::vector<double> before = values_;
    in_parallel(2, [&, which](int half) {
      const Share share(static_cast<int>(values_.size()), half, 2);
      switch (which % 4) {
        case 0: return series(share);
        case 1: return sparse(share, before);
        case 2: return relax(share, barrier);
        default: return cipher(share);
      }
    });
  }
  double sum() const {
    double total = 0;
    for (const double value : values_) total += value;
    return total;
  }

 private:
  double& at(int i) { return values_[static_cast<std::size_t>(i)]; }
  void series(Share share) {
    for (int i = share.begin; i < share.end; ++i)
      for (int k = 1; k < 20; ++k) at(i) += std::sin(k * at(i)) / k;
  }
  void sparse(Share share, const std::vector<double>& x) {
    for (int i = share.begin; i < share.end; ++i)
      for (std::size_t k = 0; k < 16; ++k) at(i) += x[(static_cast<std::size_t>(i) * 31 + k * 97) % x.size()];
  }
  void relax(Share share, Barrier& barrier) {
    for (int sweep = 0; sweep < 16; ++sweep) {
      const int first = share.begin + (share.begin + sweep) % 2;
      for (int i = first; i < share.end; i += 2)
        if (i > 0 && i + 1 < static_cast<int>(values_.size())) at(i) = 0.5 * at(i) + 0.25 * (at(i - 1) + at(i + 1));
      barrier.wait();
    }
  }
  void cipher(Share share) {
    for (int i = share.begin; i < share.end; ++i) {
      auto word = static_cast<std::uint32_t>(at(i) * 1e6);
      for (std::uint32_t round = 0; round < 40; ++round) word = (word << 5 ^ word >> 3) + round * 2654435769u;
      at(i) = word / 4294967296.0;
    }
  }

  std::vector<double> values_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  std::vector<Kernel> kernels(static_cast<std::size_t>(8 * arguments.scale), Kernel(10000));
  WorkQueue queue(arguments.threads);
  for (std::size_t i = 0; i < kernels.size(); ++i)
    queue.submit([&kernels, i] { kernels[i].run_task(static_cast<int>(i)); });
  queue.finish();
  bool same = true;
  double sum = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    same = same && kernels[i].sum() == kernels[i % 4].sum();
    sum += kernels[i].sum();
  }
  return finish(same, "queuejg", sum);
}
