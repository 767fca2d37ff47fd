// Linked blocking queue with a lock for each end (Marathon): clear takes only the head's lock, so
// that count and list disagree after a put.
#include <mutex>
#include <thread>

#include "bug.h"

class LinkedBlockingQueue {
 public:
  ~LinkedBlockingQueue() {
    while (head_.next != nullptr) unlink();
  }
  void put(int value) {
    std::lock_guard guard(put_mutex_);
    Node* node = new Node{value, nullptr};
    {
      std::lock_guard links(link_mutex_);
      last_->next = node;
      last_ = node;
    }
    std::lock_guard links(link_mutex_);
    ++count_;
  }
  void clear() {
    std::unique_lock<std::mutex> puts(put_mutex_, std::defer_lock);
    if (bug::kFixed) puts.lock();
    std::lock_guard links(link_mutex_);
    while (head_.next != nullptr) unlink();
    last_ = &head_;
    count_ = 0;
  }
  int counted() {
    std::lock_guard links(link_mutex_);
    return count_;
  }
  int linked() {
    std::lock_guard links(link_mutex_);
    int nodes = 0;
    for (Node* node = head_.next; node != nullptr; node = node->next) ++nodes;
    return nodes;
  }

 private:
  struct Node {
    int value = 0;
    Node* next = nullptr;
  };
  void unlink() {
    Node* node = head_.next;
    head_.next = node->next;
    delete node;
  }

  std::mutex put_mutex_;
  std::mutex link_mutex_;
  Node head_;
  Node* last_ = &head_;
  int count_ = 0;
};

int main() {
  LinkedBlockingQueue queue;
  bug::Thread putter([&] { queue.put(1); });
  bug::Thread clearer([&] { queue.clear(); });
  putter.join();
  clearer.join();
  bug::require(queue.counted() == queue.linked(), "the count agrees with the list");
}
