// ABA on a lock-free stack by three threads (Michael, 2004): one thread has read the top node and
// the one below; another takes the top, a third the one below, and the first of them puts the top
// back. The compare-exchange succeeds and brings back a node that has an owner.
#include <atomic>
#include <cstdint>
#include <thread>

#include "bug.h"

class Stack {
 public:
  int pop() {
    std::uint64_t top = top_.load();
    while (node(top) != kNone) {
      const int below = below_[node(top)].load();
      if (top_.compare_exchange_strong(top, word(below, tag(top) + 1))) return node(top);
    }
    return kNone;
  }
  void push(int pushed) {
    std::uint64_t top = top_.load();
    do {
      below_[pushed].store(node(top));
    } while (!top_.compare_exchange_strong(top, word(pushed, tag(top) + 1)));
  }

  static constexpr int kNodes = 3;
  static constexpr int kNone = 0xff;

 private:
  static int node(std::uint64_t word) { return static_cast<int>(word & 0xff); }
  static std::uint64_t tag(std::uint64_t word) { return word >> 8; }
  static std::uint64_t word(int node, std::uint64_t tag) {
    return static_cast<std::uint64_t>(node) | (bug::kFixed ? tag << 8 : 0);
  }

  std::atomic<std::uint64_t> top_{0};
  std::atomic<int> below_[kNodes] = {1, 2, kNone};
};

int main() {
  Stack stack;
  int owned[2] = {Stack::kNone, Stack::kNone};
  bug::Thread slow([&] { owned[0] = stack.pop(); });
  bug::Thread quick([&] {
    const int taken = stack.pop();
    if (taken != Stack::kNone) stack.push(taken);
  });
  bug::Thread third([&] { owned[1] = stack.pop(); });
  slow.join();
  quick.join();
  third.join();
  bool has_owner[Stack::kNodes + 1] = {};
  const auto take = [&](int node) {
    if (node == Stack::kNone) return;
    bug::require(!has_owner[node], "a node has one owner");
    has_owner[node] = true;
  };
  take(owned[0]);
  take(owned[1]);
  for (int i = 0; i < Stack::kNodes; ++i) take(stack.pop());
}
