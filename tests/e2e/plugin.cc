// An instrumented plug-in, opened and closed while the program runs: its regions are checked and its places named.
// RUN: %cxx -shared -fPIC %S/inputs/plugin.cc -o %t.so
// RUN: %cxx %s %steps -rdynamic -o %t
// RUN: sh -c '%isosan run --atomic plugin_add -- %t %t.so; test $? -eq 66' 2>&1 | FileCheck %s
// CHECK: 8
// CHECK: atomicity violation (region plugin_add)
// CHECK: in_plugin
// CHECK: inputs/plugin.cc
// RUN: g++ -shared -fPIC %S/inputs/plugin.cc -o %t.blind.so
// RUN: %isosan run -- %t %t.blind.so 2>&1 | FileCheck --check-prefix=BLIND %s
// BLIND: not instrumented, what happens there is not seen: {{.*}}.blind.so
#include <dlfcn.h>

#include <cstdio>
#include <thread>

#include "steps.h"

int main(int, char** argv) {
  static int seen;
  void* plugin = dlopen(argv[1], RTLD_NOW);
  const auto add = reinterpret_cast<void (*)(int)>(dlsym(plugin, "plugin_add"));
  const auto set = reinterpret_cast<void (*)(int)>(dlsym(plugin, "plugin_set"));
  std::thread other([&] {
    await_step(1);
    set(7);
    seen = 7;
    next_step();
  });
  add(1);
  other.join();
  std::printf("%d\n", seen + *static_cast<int*>(dlsym(plugin, "in_plugin")));
  dlclose(plugin);
}
