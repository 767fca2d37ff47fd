// Linked list (ConTest): a node is inserted behind the last one, which is looked up in a step of
// its own.
#include <mutex>
#include <thread>

#include "bug.h"

struct Node {
  int value = 0;
  Node* next = nullptr;
};

class List {
 public:
  void append(Node* node) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    link(last(), node);
  }
  int length() {
    std::lock_guard guard(mutex_);
    int count = 0;
    for (Node* node = head_.next; node != nullptr; node = node->next) ++count;
    return count;
  }

 private:
  Node* last() {
    std::lock_guard guard(mutex_);
    Node* node = &head_;
    while (node->next != nullptr) node = node->next;
    return node;
  }
  void link(Node* before, Node* node) {
    std::lock_guard guard(mutex_);
    before->next = node;
  }

  std::recursive_mutex mutex_;
  Node head_;
};

int main() {
  List list;
  Node nodes[2 * bug::kRounds] = {{1}, {2}};
  bug::Thread first([&] { list.append(&nodes[2 * bug::round()]); });
  bug::Thread second([&] { list.append(&nodes[2 * bug::round() + 1]); });
  first.join();
  second.join();
  bug::require(list.length() == 2 * bug::kRounds, "no node is lost");
}
