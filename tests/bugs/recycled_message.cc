// ABA on a mailbox: a receiver reads the message in the box and empties the box by compare-exchange.
// Before that a second receiver has taken the message, and a sender has put the next one into the
// same node: the exchange succeeds, one message is received twice and the other never.
#include <atomic>
#include <cstdint>
#include <thread>

#include "bug.h"

class Mailbox {
 public:
  int receive() {
    std::uint64_t box = box_.load();
    if (!is_full(box)) return kNothing;
    const int message = message_.load();
    return box_.compare_exchange_strong(box, next(box, false)) ? message : kNothing;
  }
  void send(int message) {
    const std::uint64_t box = box_.load();
    if (is_full(box)) return;
    message_.store(message);
    box_.store(next(box, true));
  }

  static constexpr int kNothing = 0;

 private:
  static bool is_full(std::uint64_t box) { return (box & 1) != 0; }
  // The fixed one counts the changes.
  static std::uint64_t next(std::uint64_t box, bool full) {
    return (bug::kFixed ? (box | 1) + 1 : 0) | (full ? 1 : 0);
  }

  std::atomic<std::uint64_t> box_{1};
  std::atomic<int> message_{1};
};

int main() {
  Mailbox mailbox;
  int received[2] = {};
  bug::Thread first([&] { received[0] = mailbox.receive(); });
  bug::Thread second([&] { received[1] = mailbox.receive(); });
  bug::Thread sender([&] { mailbox.send(2); });
  first.join();
  second.join();
  sender.join();
  bug::require(received[0] != received[1] || received[0] == Mailbox::kNothing,
               "a message is received once");
}
