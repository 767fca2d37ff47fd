// What marathon need not be told twice: an access that an open call has made already, and a call in which nothing is new.
// In each scenario the finding hangs on a repeat that must be told all the same, because the first time it belonged to no
// unit or to one that has ended; read() is then interleaved with write().
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: for s in entry return shared loop callee join lock; do not timeout 60 %isosan run --analysis marathon -- %t $s; done > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: not serializable: read_after_entry (thread 0) before write (thread
// CHECK: not serializable: read_twice (thread 0) before write (thread
// CHECK: not serializable: read_twice (thread 0) before write (thread
// CHECK: not serializable: sum_twice (thread 0) before write (thread
// CHECK: not serializable: read_deep (thread 0) before write (thread
// CHECK: not serializable: read_around_join (thread 0) before write (thread
// CHECK: not serializable: read_around_lock (thread 0) before write (thread
//
// So do those where nothing is withheld.
// RUN: for s in entry return shared loop callee join lock; do not timeout 60 %isosan run --analysis marathon --no-split-at-wait -- %t $s; done > %t.told 2>&1
// RUN: FileCheck %s < %t.told
//
// Recordings say the same, those for marathon alone and those for everything.
// RUN: for s in entry return shared loop callee join lock; do timeout 60 %isosan record --units -o %t.trace -- %t $s; not %isosan check --analysis marathon %t.trace; done > %t.units
// RUN: FileCheck %s < %t.units
// RUN: for s in entry return shared loop callee join lock; do timeout 60 %isosan record -o %t.trace -- %t $s; not %isosan check --analysis marathon %t.trace; done > %t.every
// RUN: FileCheck %s < %t.every
//
// A call that only repeats is not in the log; in a recording that is good for everything it is.
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t callee
// RUN: %isosan trace stat %t.trace | FileCheck --check-prefix=FEW %s
// FEW: call events: {{[0-9]$}}
// FEW: recorded for: --units marathon only
// RUN: timeout 60 %isosan record -o %t.every.trace -- %t callee
// RUN: %isosan trace stat %t.every.trace | FileCheck --check-prefix=MANY %s
// MANY: call events: {{[0-9][0-9][0-9][0-9]$}}
//
// Who is recorded for marathon alone is of no use to others, nor where functions are to be no units afterwards.
// RUN: not %isosan check --analysis velodrome %t.trace 2>&1 | FileCheck --check-prefix=OTHERS %s
// OTHERS: recorded for --units marathon only; record without a selection for other analyses
// RUN: echo '[units]' > %t.toml
// RUN: echo '"read_deep" = false' >> %t.toml
// RUN: not %isosan check --analysis marathon --sets-from %t.toml %t.trace 2>&1 | FileCheck --check-prefix=AFTERWARDS %s
// AFTERWARDS: record without a selection to say afterwards what is a unit
// RUN: timeout 60 %isosan record --units --sets-from %t.toml -o %t.trace -- %t callee
// RUN: not %isosan check --analysis marathon --sets-from %t.toml %t.trace | FileCheck --check-prefix=LATER %s
// LATER: not serializable: look_later (thread 0) before write (thread
#include <cstring>
#include <mutex>
#include <thread>

#include "steps.h"

struct Data {
  int a = 0, b = 0;
  int values[24] = {};
};
Data data, others;
std::mutex mutex;
volatile int sink;

[[gnu::noinline]] void write() {
  data.a = 1;
  data.values[7] = 1;
  data.b = 1;
}

void let_write() {
  next_step();
  await_step(2);
}

[[gnu::noinline]] void read_after_entry() {
  sink = data.a;
  let_write();
  sink = data.b;
}

[[gnu::noinline]] void look() { sink = data.a; }

[[gnu::noinline]] void read_twice() {
  look();
  sink = data.a;
  let_write();
  sink = data.b;
}

[[gnu::noinline]] int sum() {
  int total = 0;
  for (const int& value : data.values) total += value;
  return total;
}

[[gnu::noinline]] void sum_twice() {
  sink = sum();
  int total = 0;
  for (const int& value : data.values) total += value;
  sink = total;
  let_write();
  sink = data.b;
}

[[gnu::noinline]] void look_later() {
  sink = data.a;
  let_write();
  sink = data.b;
}

[[gnu::noinline]] void read_deep() {
  sink = data.a;
  for (int i = 0; i < 2000; ++i) look();
  look_later();
}

// What it reads behind the join is another unit's.
[[gnu::noinline]] void read_around_join() {
  std::thread other([] {});
  sink = data.a;
  other.join();
  sink = data.a;
  let_write();
  sink = data.b;
}

// The epoch ends in the middle of it: what it logs behind that is still its own, and not its caller's.
[[gnu::noinline]] void look_behind_lock() {
  mutex.lock();
  sink = others.values[20];
  mutex.unlock();
  sink = data.a;
  look();
}

[[gnu::noinline]] void read_around_lock() {
  for (int i = 0; i < 16; i += 4) sink = others.values[i];
  look_behind_lock();
  sink = data.a;
  let_write();
  sink = data.b;
}

int main(int, char** arguments) {
  const char* scenario = arguments[1];
  const auto is = [&](const char* name) { return std::strcmp(scenario, name) == 0; };
  if (is("shared")) std::thread([] { look(); }).join();
  std::thread writer([] {
    await_step(1);
    write();
    next_step();
  });
  if (is("entry")) {
    sink = data.a;
    read_after_entry();
  } else if (is("loop")) {
    sum_twice();
  } else if (is("callee")) {
    read_deep();
  } else if (is("join")) {
    read_around_join();
  } else if (is("lock")) {
    read_around_lock();
  } else {
    read_twice();
  }
  writer.join();
}
