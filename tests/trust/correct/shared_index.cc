// A parallel loop: threads draw the next index from an atomic and write their own elements.
#include <atomic>
#include <thread>
#include <vector>

template <typename F>
void parallel_for(int n, F body) {
  std::atomic<int> next{0};
  auto work = [&] {
    for (int i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) body(i);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}

int main() {
  std::vector<int> squares(200);
  parallel_for(200, [&](int i) { squares[i] = i * i; });
  int wrong = 0;
  for (int i = 0; i < 200; ++i) wrong |= squares[i] != i * i;
  return wrong;
}
