// Blocks named in the source are regions in every front, and reports call them by their names.
// RUN: %cxx %s %steps -o %t
// RUN: sh -c '%isosan run --regions annotated -- %t scoped; test $? -eq 66' 2>&1 | FileCheck --check-prefix=SCOPED %s
// SCOPED: atomicity violation (region the scoped block)
// SCOPED: 0 functions are regions
// RUN: sh -c '%isosan run --regions annotated -- %t begin_end; test $? -eq 66' 2>&1 | FileCheck --check-prefix=C %s
// C: atomicity violation (region the C block)
// RUN: %isosan run --regions annotated -- %t nothing 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: SUMMARY: IsoSan: 0 findings
//
// A recording keeps them, whatever is selected afterwards.
// RUN: %isosan record -o %t.trace -- %t scoped
// RUN: not %isosan check --atomic other %t.trace | FileCheck --check-prefix=SCOPED2 %s
// SCOPED2: atomicity violation (region the scoped block)
//
// Without the tool the header stands for nothing.
// RUN: g++ -std=c++20 -Werror -Wall -I%include -I%S -c %s -o %t.plain.o
// RUN: sh -c '! nm %t.plain.o | grep isosan_'
#include <isosan/isosan.h>

#include <cstring>
#include <thread>

#include "steps.h"

int value;

void torn_increment() {
  const int before = value;
  next_step();
  await_step(2);
  value = before + 1;
}

[[gnu::noinline]] void scoped() {
  isosan::atomic_region region("the scoped block");
  torn_increment();
}

[[gnu::noinline]] void begin_end() {
  ISOSAN_ATOMIC_BEGIN("the C block");
  torn_increment();
  ISOSAN_ATOMIC_END();
}

[[gnu::noinline]] void other() {
  await_step(1);
  value = 7;
  next_step();
}

int main(int, char** argv) {
  std::thread thread(other);
  if (std::strcmp(argv[1], "scoped") == 0) {
    scoped();
  } else if (std::strcmp(argv[1], "begin_end") == 0) {
    begin_end();
  } else {
    torn_increment();
  }
  thread.join();
}
