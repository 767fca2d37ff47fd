// std::atomic_ref on plain integers while threads share them, plain access after the join.
#include <atomic>
#include <thread>

struct Histogram {
  int bins[4] = {};
};

void add(Histogram& histogram, int value) {
  std::atomic_ref(histogram.bins[value % 4]).fetch_add(1, std::memory_order_relaxed);
}

int main() {
  Histogram histogram;
  auto work = [&histogram] {
    for (int i = 0; i < 200; ++i) add(histogram, i);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  for (int bin : histogram.bins) {
    if (bin != 100) return 1;
  }
  return 0;
}
