// A glob that matches no function is refused before the program runs, if the program's own functions are all there are.
// A program that could load or start something else runs first.
// REQUIRES: pass
// RUN: %cxx %s -o %t
// RUN: for command in run 'record -o %t.trace' 'hunt -o %t.hunt'; do for option in --atomic --not-atomic --deterministic; do \
// RUN:   case "$command$option" in hunt*-deterministic) continue;; esac; \
// RUN:   %exits 2 %isosan $command $option 'nonsense*' -- %t > %t.out 2>&1 || exit 1; \
// RUN:   FileCheck --check-prefix=BEFORE %s < %t.out || exit 1; \
// RUN: done; done
// RUN: printf '[not-atomic]\nfunctions = ["nonsense*"]\n' > %t.toml
// RUN: %exits 2 %isosan run --spec %t.toml -- %t 2>&1 | FileCheck --check-prefix=BEFORE %s
// RUN: sh -c 'cd %T && PATH=%T:$PATH && %exits 2 %isosan run --atomic "nonsense*" -- %basename_t.tmp' 2>&1 | FileCheck --check-prefix=BEFORE %s
// BEFORE-NOT: the program runs
// BEFORE: {{^}}isosan: 'nonsense*' matches no function of the program{{$}}
// BEFORE-NOT: {{.}}
//
// What is there is no error, also if every call of it was inlined, or it is in code that was not instrumented.
// RUN: %isosan run --atomic 'bump*' --not-atomic inlined --not-atomic main -- %t | FileCheck --check-prefix=RUNS %s
// RUNS: the program runs
//
// RUN: %cxx -DLOADS %s -o %t.loads
// RUN: %exits 2 %isosan run --atomic 'nonsense*' -- %t.loads > %t.out 2>&1
// RUN: FileCheck --check-prefix=AFTER %s < %t.out
// RUN: %cxx -shared -fPIC %S/inputs/plugin.cc -o %t.plugin.so
// RUN: %cxx %s %steps -rdynamic -Wl,--no-as-needed %t.plugin.so -o %t.needs
// RUN: %isosan run --atomic plugin_add -- %t.needs | FileCheck --check-prefix=RUNS %s
// RUN: sh -c '%exits 2 %isosan run --atomic "nonsense*" -- %t.needs' > %t.out 2>&1
// RUN: FileCheck --check-prefix=AFTER %s < %t.out
// AFTER-DAG: the program runs
// AFTER-DAG: {{^}}isosan: 'nonsense*' matches no function of the program{{$}}
#include <dlfcn.h>

#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int count;

inline int inlined(int n) { return n + 1; }
[[gnu::noinline]] void bump() {
  std::lock_guard lock(mutex);
  count = inlined(count);
}

int main() {
  std::puts("the program runs");
#ifdef LOADS
  dlopen("nowhere.so", RTLD_NOW);
#endif
  std::thread other(bump);
  bump();
  other.join();
}
