// std::scoped_lock of two mutexes, one of which another thread has: it gives the first up again and begins with the other. That is a
// release and an acquire, but nothing was done in between. Who does something before backing off has a window.
//
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis atomizer --atomic 'transfer*' -- %t
// RUN: not timeout 60 %isosan run --analysis atomizer --atomizer-without back-offs --atomic 'transfer*' -- %t > %t.all 2>&1
// RUN: FileCheck --check-prefix=ALL %s < %t.all
// ALL: WARNING: IsoSan: {{.*}}transfer
// RUN: not timeout 60 %isosan run --analysis atomizer --atomic 'count_first*' -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: WARNING: IsoSan: {{.*}}count_first
//
// RUN: %isosan record --full -o %t.trace -- %t
// RUN: %isosan check --analysis atomizer --atomic 'transfer*' %t.trace
// RUN: not %isosan check --analysis atomizer --atomizer-without back-offs --atomic 'transfer*' %t.trace | FileCheck --check-prefix=ALL %s
// RUN: not %isosan check --analysis atomizer --atomic 'count_first*' %t.trace | FileCheck %s
#include <mutex>

#include "one_after_another.h"
#include "steps.h"

// Tells when a try for it was lost.
struct Lock {
  std::mutex mutex;
  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }
  bool try_lock() {
    const bool got = mutex.try_lock();
    if (!got) next_step();
    return got;
  }
};

Lock from, to;
int balance = 0;  // both locks guard it
int tries = 0;    // guarded by from

OUT_OF_LINE void transfer() {
  std::scoped_lock both(from, to);
  ++balance;
}

OUT_OF_LINE void count_first() {
  from.lock();
  ++tries;
  while (!to.try_lock()) {
    from.unlock();
    to.lock();
    to.unlock();
    from.lock();
  }
  ++balance;
  to.unlock();
  from.unlock();
}

// While another thread has `to`.
template <class Work>
void in_the_way_of(Work work, int step) {
  in_a_thread([=] {
    to.lock();
    std::thread other([=] {
      await_step(step);
      work();
    });
    next_step();
    await_step(step + 1);
    to.unlock();
    other.join();
  });
}

int main() {
  for (int i = 0; i < 4; ++i) in_a_thread([] { count_first(), transfer(); });
  in_the_way_of(transfer, 1);
  in_the_way_of(count_first, 3);
}
