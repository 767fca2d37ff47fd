// A leaf (a function that calls nobody) whose word another thread takes while it is still open: call and return are both logged.
// REQUIRES: pass
// RUN: %cxx %s -o %t
// RUN: timeout 60 %isosan run --analysis marathon -- %t > %t.live 2>&1 || true
// RUN: FileCheck %s < %t.live
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t
// RUN: %isosan check --analysis marathon %t.trace > %t.recorded || true
// RUN: FileCheck %s < %t.recorded
// CHECK-COUNT-1: units of work on Pair are not serializable
// CHECK:         Pair::hold
// CHECK-NOT:     units of work on {{.*}} are not serializable
//
// RUN: %isosan trace stat %t.trace | FileCheck --check-prefix=STAT %s
// STAT-DAG: call events: [[CALLS:[0-9]+]]
// STAT-DAG: return events: [[CALLS]]
#include <atomic>
#include <thread>

std::atomic<int> written, seen;

class Pair {
 public:
  void add() { left_ += 1, right_ += 1; }
  void hold() {
    left_ = 1;
    written.store(1, std::memory_order_relaxed);
    while (seen.load(std::memory_order_relaxed) == 0) {
    }
    sum_ = right_;
  }
  void disturb() { right_ = left_ + 1; }

 private:
  volatile long left_ = 0, right_ = 0, sum_ = 0;
};

class Rounds {
 public:
  [[gnu::noinline]] void play(Pair& pair) {
    for (int i = 0; i < 3; ++i) own_[i].add();
    pair.hold();
    for (int i = 0; i < 3; ++i) own_[i].add();
    count_ += 1;
  }

 private:
  Pair own_[3];
  volatile long count_ = 0;
};

int main() {
  Pair pair;
  Rounds rounds;
  std::thread player([&] { rounds.play(pair); });
  while (written.load(std::memory_order_relaxed) == 0) {
  }
  pair.disturb();
  seen.store(1, std::memory_order_relaxed);
  player.join();
}
