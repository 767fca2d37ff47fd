// A queue of many producers and one consumer: exchange of the tail, then the link.
#include <atomic>
#include <thread>

class Mailbox {
 public:
  void send(int value) {
    Node* node = new Node{value};
    Node* before = tail_.exchange(node, std::memory_order_acq_rel);
    before->next.store(node, std::memory_order_release);
  }
  bool receive(int& value) {
    Node* next = head_->next.load(std::memory_order_acquire);
    if (next == nullptr) return false;
    value = next->value;
    delete head_;
    head_ = next;
    return true;
  }

 private:
  struct Node {
    explicit Node(int v) : value(v) {}
    int value;
    std::atomic<Node*> next{nullptr};
  };
  Node* head_ = new Node{0};
  std::atomic<Node*> tail_{head_};
};

int main() {
  Mailbox box;
  auto send = [&box] {
    for (int i = 0; i < 100; ++i) box.send(i);
  };
  std::thread a(send), b(send);
  int sum = 0;
  for (int got = 0, value; got < 200;) {
    if (box.receive(value)) {
      sum += value;
      ++got;
    } else {
      std::this_thread::yield();
    }
  }
  a.join();
  b.join();
  return sum != 9900;
}
