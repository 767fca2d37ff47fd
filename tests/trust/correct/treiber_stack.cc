// A lock-free stack by compare-exchange; nodes are never freed while it is used.
#include <atomic>
#include <thread>

class Stack {
 public:
  void push(int value) {
    Node* node = new Node{value, head_.load(std::memory_order_relaxed)};
    while (!head_.compare_exchange_weak(node->next, node, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
  }
  bool pop(int& value) {
    Node* node = head_.load(std::memory_order_acquire);
    while (node != nullptr &&
           !head_.compare_exchange_weak(node, node->next, std::memory_order_acquire)) {
    }
    if (node == nullptr) return false;
    value = node->value;
    return true;
  }

 private:
  struct Node {
    int value;
    Node* next;
  };
  std::atomic<Node*> head_{nullptr};
};

int main() {
  Stack stack;
  int sums[2] = {};
  auto work = [&stack](int* sum) {
    for (int i = 0, value; i < 200; ++i) {
      stack.push(i);
      if (stack.pop(value)) *sum += value;
    }
  };
  std::thread a(work, &sums[0]), b(work, &sums[1]);
  a.join();
  b.join();
  return sums[0] + sums[1] != 39800;
}
