// Source lines are quoted from plain files with the name of a source: a #line can name any file.
// UNSUPPORTED: emulated
// RUN: rm -f %t.*.cc && printf '\n\n\nint quoted; // \033[31mred\n' > %t.plain.cc && mkfifo %t.pipe.cc
// RUN: %cxx -DNAMED='"%t.plain.cc"' %s %steps -o %t.plain
// RUN: %cxx -DNAMED='"%t.pipe.cc"' %s %steps -o %t.pipe
// RUN: %cxx -DNAMED='"/etc/passwd"' %s %steps -o %t.other
// RUN: not %isosan run --atomic deposit -- %t.plain 2>&1 | FileCheck --check-prefixes=CHECK,PLAIN %s
// RUN: not %isosan run --atomic deposit -- %t.pipe 2>&1 | FileCheck --check-prefixes=CHECK,NONE %s
// RUN: not %isosan run --atomic deposit -- %t.other 2>&1 | FileCheck --check-prefixes=CHECK,NONE %s
// CHECK: atomicity violation (region deposit)
// PLAIN: 4 | int quoted; // \x1b[31mred
// NONE-NOT: {{ (4|10) [|]}}
//
// A trace alone names no file to be read, unless the user says so.
// RUN: %isosan record -o %t.trace -- %t.plain
// RUN: not %isosan check --atomic deposit %t.trace | FileCheck --check-prefixes=CHECK,NONE %s
// RUN: not %isosan check --quote-source --atomic deposit %t.trace | FileCheck --check-prefixes=CHECK,PLAIN %s
#include <thread>

#include "steps.h"

long balance;

[[gnu::noinline]] void deposit(long amount, bool slow) {
  // clang-format off
  const long before =
#line 4 NAMED
      __atomic_load_n(&balance, __ATOMIC_SEQ_CST);
  // clang-format on
  if (slow) {
    next_step();
    await_step(2);
  }
  __atomic_store_n(&balance, before + amount, __ATOMIC_SEQ_CST);
}

int main() {
  std::thread other([] {
    await_step(1);
    deposit(5, false);
    next_step();
  });
  deposit(10, true);
  other.join();
}
