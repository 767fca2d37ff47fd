// Opened while the program runs: its functions are regions like any other.
#include "../steps.h"

int in_plugin;

extern "C" [[gnu::noinline]] void plugin_add(int n) {
  const int before = in_plugin;
  next_step();
  await_step(2);
  in_plugin = before + n;
}
extern "C" [[gnu::noinline]] void plugin_set(int n) { in_plugin = n; }
