// A bounded multi-producer multi-consumer queue on std::atomic (sequence numbers per cell).
#include <atomic>

#include "common.h"

class Queue {
 public:
  explicit Queue(std::size_t capacity) : mask_(capacity - 1), cells_(capacity) {
    for (std::size_t i = 0; i < capacity; ++i) cells_[i].sequence.store(i, std::memory_order_relaxed);
  }
  bool push(std::uint64_t value) {
    std::size_t at = tail_.load(std::memory_order_relaxed);
    while (true) {
      Cell& cell = cells_[at & mask_];
      const std::size_t sequence = cell.sequence.load(std::memory_order_acquire);
      if (sequence == at) {
        if (!tail_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) continue;
        cell.value = value;
        cell.sequence.store(at + 1, std::memory_order_release);
        return true;
      }
      if (sequence < at) return false;
      at = tail_.load(std::memory_order_relaxed);
    }
  }
  bool pop(std::uint64_t& value) {
    std::size_t at = head_.load(std::memory_order_relaxed);
    while (true) {
      Cell& cell = cells_[at & mask_];
      const std::size_t sequence = cell.sequence.load(std::memory_order_acquire);
      if (sequence == at + 1) {
        if (!head_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) continue;
        value = cell.value;
        cell.sequence.store(at + mask_ + 1, std::memory_order_release);
        return true;
      }
      if (sequence < at + 1) return false;
      at = head_.load(std::memory_order_relaxed);
    }
  }

 private:
  struct Cell {
    std::atomic<std::size_t> sequence;
    std::uint64_t value = 0;
  };
  const std::size_t mask_;
  std::vector<Cell> cells_;
  alignas(128) std::atomic<std::size_t> tail_{0};
  alignas(128) std::atomic<std::size_t> head_{0};
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const std::uint64_t n = 150000u * static_cast<unsigned>(arguments.scale);
  Queue queue(1024);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(arguments.threads) * 16);
  in_parallel(arguments.threads, [&](int me) {  // every thread pushes n values and pops n values
    std::uint64_t pushed = 0, popped = 0, value = 0;
    while (pushed < n || popped < n) {
      if (pushed < n && queue.push(pushed + 1)) ++pushed;
      if (popped < n && queue.pop(value)) ++popped, sums[static_cast<std::size_t>(me) * 16] += value;
      if (pushed == n && popped < n) std::this_thread::yield();
    }
  });
  std::uint64_t total = 0;
  for (const std::uint64_t s : sums) total += s;
  const std::uint64_t expected = n * (n + 1) / 2 * static_cast<unsigned>(arguments.threads);
  return finish(total == expected, "lockfree", static_cast<double>(total));
}
