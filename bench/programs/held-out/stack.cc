// Two lock-free stacks after Treiber: threads take a node off one, use it and put it on the other. A head is an index and a
// count in one atomic word: the count tells a head from an older one with the same index.
#include <atomic>

#include "../common.h"

struct Node {
  std::atomic<std::uint32_t> next{0};  // read by threads that lose the node to another one meanwhile
  std::uint64_t value = 0;             // of whoever has taken the node
};

class Stack {  // index 0 is no node
 public:
  explicit Stack(std::vector<Node>& nodes) : nodes_(nodes) {}
  void push(std::uint32_t node) {
    std::uint64_t head = head_.load(std::memory_order_relaxed);
    do {
      nodes_[node].next.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
    } while (!head_.compare_exchange_weak(head, above(head, node), std::memory_order_release, std::memory_order_relaxed));
  }
  std::uint32_t pop() {
    std::uint64_t head = head_.load(std::memory_order_acquire);
    std::uint32_t node, next;
    do {
      node = static_cast<std::uint32_t>(head);
      if (node == 0) return 0;
      next = nodes_[node].next.load(std::memory_order_relaxed);
    } while (!head_.compare_exchange_weak(head, above(head, next), std::memory_order_acquire, std::memory_order_acquire));
    return node;
  }

 private:
  static std::uint64_t above(std::uint64_t head, std::uint32_t node) { return ((head >> 32) + 1) << 32 | node; }
  std::vector<Node>& nodes_;
  alignas(128) std::atomic<std::uint64_t> head_{0};
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  constexpr std::uint32_t kNodes = 256;
  const std::uint64_t n = 60000u * static_cast<unsigned>(arguments.scale);
  std::vector<Node> nodes(kNodes + 1);
  Stack free(nodes), full(nodes);
  for (std::uint32_t i = 1; i <= kNodes; ++i) free.push(i);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(arguments.threads) * 16);
  in_parallel(arguments.threads, [&](int me) {  // every thread fills n nodes and empties n
    std::uint64_t filled = 0, emptied = 0, sum = 0;
    while (filled < n || emptied < n) {
      if (const std::uint32_t node = filled < n ? free.pop() : 0) {
        nodes[node].value = ++filled;
        full.push(node);
      }
      if (const std::uint32_t node = emptied < n ? full.pop() : 0) {
        ++emptied, sum += nodes[node].value;
        free.push(node);
      }
      if (filled == n && emptied < n) std::this_thread::yield();
    }
    sums[static_cast<std::size_t>(me) * 16] = sum;
  });
  std::uint64_t total = 0;
  for (const std::uint64_t sum : sums) total += sum;
  const std::uint64_t expected = n * (n + 1) / 2 * static_cast<unsigned>(arguments.threads);
  return finish(total == expected, "stack", static_cast<double>(total));
}
