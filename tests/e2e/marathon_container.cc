// What a member container allocates belongs to the object, also where the function that fills it is inlined into main: sell() looks by count(), and
// another sell() takes the last piece before it goes on. The map's node lies on the heap; both looks at it are those of sell().
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis marathon -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: atomic-set violation (Shelf)
// CHECK: Shelf::sell (thread 0) before Shelf::sell (thread 1) before Shelf::sell (thread 0)
// CHECK: SUMMARY: IsoSan: 1 finding
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "steps.h"

class Shelf {
 public:
  Shelf() : sold_(std::make_unique<int>(0)) {}  // may throw: main goes on in another block
  void add(int kind) {
    std::lock_guard lock(mutex_);
    ++pieces_[kind];
  }
  [[gnu::noinline]] int count(int kind) {
    std::lock_guard lock(mutex_);
    const auto found = pieces_.find(kind);
    return found == pieces_.end() ? 0 : found->second;
  }
  [[gnu::noinline]] void sell(int kind, bool slow) {
    if (count(kind) == 0) return;
    if (slow) {
      next_step();
      await_step(2);
    }
    std::lock_guard lock(mutex_);
    --pieces_[kind];
    ++*sold_;
  }

 private:
  std::mutex mutex_;
  std::map<int, int> pieces_;
  std::unique_ptr<int> sold_;
};

int main() {
  Shelf shelf;
  shelf.add(7);
  std::thread other([&] {
    await_step(1);
    shelf.sell(7, false);
    next_step();
  });
  shelf.sell(7, true);
  other.join();
}
