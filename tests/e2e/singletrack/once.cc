// Two threads bring an initializer to one once. Which one runs is the scheduler's choice: found where they differ, verified where they are the
// same, from two places too, and where fork and join decide.
//
// RUN: %cxx %s -o %t
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t same 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t lambda 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t posix 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t before 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t functions 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t lambdas 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t posixes 2>&1 | FileCheck %s
// CHECK: {{once-done and wait-end|wait-end and once-done}} in one deterministic block, {{.*}}: the other thread's initializer may be the one that runs
#include <pthread.h>

#include <mutex>

#include "team.h"

std::once_flag flag;
pthread_once_t once = PTHREAD_ONCE_INIT;
int value;

OUT_OF_LINE void one() { value = 1; }
OUT_OF_LINE void two() { value = 2; }

template <class First, class Second>
void either(First first, Second second) {
  in_team(2, [&](int id) { id == 0 ? first() : second(); });
}

void same_lambda() {
  std::call_once(flag, [] { value = 3; });
}

int main(int argc, char** argv) {
  if (asked(argc, argv, "same"))
    either([] { std::call_once(flag, one); }, [] { std::call_once(flag, one); });
  if (asked(argc, argv, "lambda")) either(same_lambda, same_lambda);
  if (asked(argc, argv, "posix"))
    either([] { pthread_once(&once, one); }, [] { pthread_once(&once, one); });
  if (asked(argc, argv, "before")) {
    std::call_once(flag, one);
    in_team(2, [](int) { std::call_once(flag, two); });
  }
  if (asked(argc, argv, "functions"))
    either([] { std::call_once(flag, one); }, [] { std::call_once(flag, two); });
  if (asked(argc, argv, "lambdas"))
    either([] { std::call_once(flag, [] { value = 1; }); },
           [] { std::call_once(flag, [] { value = 2; }); });
  if (asked(argc, argv, "posixes"))
    either([] { pthread_once(&once, one); }, [] { pthread_once(&once, two); });
}
