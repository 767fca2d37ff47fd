// An intruder that undoes its write, without locks: a thread borrows a slot for a moment and puts
// back what it found. The owner stores and loads: in between its value is not there.
#include <atomic>
#include <thread>

#include "bug.h"

class Slot {
 public:
  void use() {
    if (bug::kFixed) lock();
    value_.store(7);
    const int found = value_.load();
    if (bug::kFixed) unlock();
    bug::require(found == 7, "what was stored is there");
  }
  void borrow() {
    if (bug::kFixed) lock();
    const int before = value_.exchange(-1);
    value_.store(before);
    if (bug::kFixed) unlock();
  }

 private:
  void lock() {
    while (busy_.exchange(true)) std::this_thread::yield();
  }
  void unlock() { busy_.store(false); }

  std::atomic<int> value_{0};
  std::atomic<bool> busy_{false};
};

int main() {
  Slot slot;
  bug::Thread owner([&] { slot.use(); });
  bug::Thread borrower([&] { slot.borrow(); });
  owner.join();
  borrower.join();
}
