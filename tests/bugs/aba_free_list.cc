// ABA on a lock-free free list: pop reads head and next, and swaps head although the node has been
// taken and put back in between. The fixed one carries a tag that counts the pushes and pops.
#include <atomic>
#include <cstdint>
#include <thread>

#include "bug.h"

class FreeList {
 public:
  FreeList() {
    for (int i = 0; i < kNodes; ++i) next_[i].store(i + 1 < kNodes ? i + 1 : kEnd);
  }
  int pop() {
    std::uint64_t head = head_.load();
    while (index(head) != kEnd) {
      const int next = next_[index(head)].load();
      if (head_.compare_exchange_strong(head, word(next, tag(head) + 1))) {
        bug::require(!taken_[index(head)].exchange(true), "a node is given out once");
        return index(head);
      }
    }
    return kEnd;
  }
  void push(int node) {
    taken_[node].store(false);
    std::uint64_t head = head_.load();
    do {
      next_[node].store(index(head));
    } while (!head_.compare_exchange_strong(head, word(node, tag(head) + 1)));
  }

  static constexpr int kNodes = 3;
  static constexpr int kEnd = 0xffff;

 private:
  static int index(std::uint64_t word) { return static_cast<int>(word & 0xffff); }
  static std::uint64_t tag(std::uint64_t word) { return word >> 16; }
  static std::uint64_t word(int index, std::uint64_t tag) {
    return static_cast<std::uint64_t>(index) | (bug::kFixed ? tag << 16 : 0);
  }

  std::atomic<std::uint64_t> head_{0};
  std::atomic<int> next_[kNodes];
  std::atomic<bool> taken_[kNodes] = {};
};

int main() {
  FreeList list;
  int kept = FreeList::kEnd;
  int got = FreeList::kEnd;
  bug::Thread slow([&] { got = list.pop(); });
  bug::Thread quick([&] {
    const int first = list.pop();
    kept = list.pop();
    if (first != FreeList::kEnd) list.push(first);
  });
  slow.join();
  quick.join();
  const int third = list.pop();
  bug::require(kept == FreeList::kEnd || (kept != got && kept != third), "no node has two owners");
}
