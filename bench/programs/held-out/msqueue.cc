// A lock-free queue after Michael and Scott. A link is an index and a count in one atomic word; a thread keeps the nodes that
// it has taken out and fills them again.
#include <atomic>

#include "../common.h"

using Link = std::uint64_t;
constexpr std::uint32_t node_of(Link link) { return static_cast<std::uint32_t>(link); }
constexpr Link after(Link old, std::uint32_t node) { return ((old >> 32) + 1) << 32 | node; }

class Queue {  // index 0 is no node; node 1 is the first that the head stands at
 public:
  explicit Queue(std::uint32_t nodes) : nodes_(nodes + 2) {}
  void push(std::uint32_t node, std::uint64_t value) {
    nodes_[node].value.store(value, std::memory_order_relaxed);
    nodes_[node].next.store(after(nodes_[node].next.load(), 0));
    while (true) {
      Link tail = tail_.load();
      Link next = nodes_[node_of(tail)].next.load();
      if (tail != tail_.load()) continue;
      if (node_of(next) != 0) {  // another thread has linked its node and not yet moved the tail
        tail_.compare_exchange_strong(tail, after(tail, node_of(next)));
      } else if (nodes_[node_of(tail)].next.compare_exchange_strong(next, after(next, node))) {
        tail_.compare_exchange_strong(tail, after(tail, node));
        return;
      }
    }
  }
  // The node that the caller may use again, 0 if the queue is empty.
  std::uint32_t pop(std::uint64_t& value) {
    while (true) {
      Link head = head_.load(), tail = tail_.load();
      const Link next = nodes_[node_of(head)].next.load();
      if (head != head_.load()) continue;
      if (node_of(head) == node_of(tail)) {
        if (node_of(next) == 0) return 0;
        tail_.compare_exchange_strong(tail, after(tail, node_of(next)));
        continue;
      }
      value = nodes_[node_of(next)].value.load(std::memory_order_relaxed);
      if (head_.compare_exchange_strong(head, after(head, node_of(next)))) return node_of(head);
    }
  }

 private:
  struct Node {
    std::atomic<Link> next{0};
    std::atomic<std::uint64_t> value{0};
  };
  std::vector<Node> nodes_;
  alignas(128) std::atomic<Link> head_{1};
  alignas(128) std::atomic<Link> tail_{1};
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  constexpr std::uint32_t kNodes = 64;  // of each thread
  const std::uint64_t n = 60000u * static_cast<unsigned>(arguments.scale);
  Queue queue(kNodes * static_cast<unsigned>(arguments.threads));
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(arguments.threads) * 16);
  in_parallel(arguments.threads, [&](int me) {  // every thread pushes n values and pops n values
    std::vector<std::uint32_t> own;
    for (std::uint32_t i = 0; i < kNodes; ++i) own.push_back(2 + static_cast<unsigned>(me) * kNodes + i);
    std::uint64_t pushed = 0, popped = 0, value = 0, sum = 0;
    while (pushed < n || popped < n) {
      if (pushed < n && !own.empty()) queue.push(own.back(), ++pushed), own.pop_back();
      if (popped == n) continue;
      if (const std::uint32_t node = queue.pop(value)) own.push_back(node), ++popped, sum += value;
      else if (pushed == n) std::this_thread::yield();
    }
    sums[static_cast<std::size_t>(me) * 16] = sum;
  });
  std::uint64_t total = 0;
  for (const std::uint64_t sum : sums) total += sum;
  const std::uint64_t expected = n * (n + 1) / 2 * static_cast<unsigned>(arguments.threads);
  return finish(total == expected, "msqueue", static_cast<double>(total));
}
