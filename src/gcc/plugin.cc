// The plugin of gcc: which passes run, and where.
// gcc's headers depend on this order.
// clang-format off
#include <gcc-plugin.h>
#include <backend.h>
#include <tree.h>
#include <gimple.h>
// clang-format on
#include <context.h>
#include <plugin-version.h>
#include <tree-pass.h>

#include "passes.h"

__attribute__((
    visibility("default"))) int plugin_is_GPL_compatible;  // Apache 2.0 is, with version 3

namespace {

// gcc has its pass several times; 0: after each of them.
void run_after(const plugin_name_args& plugin, const char* gccs_pass, int which, opt_pass* ours) {
  register_pass_info place = {ours, gccs_pass, which, PASS_POS_INSERT_AFTER};
  register_callback(plugin.base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &place);
}

}  // namespace

// Does nothing in another gcc than the one it was built for.
__attribute__((visibility("default"))) int plugin_init(plugin_name_args* plugin,
                                                       plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) return 0;
  run_after(*plugin, "tsan", 1, make_counted_loops(g));
  run_after(*plugin, "tsan", 0, make_used_results(g));
  run_after(*plugin, "tsan0", 0, make_used_results(g));  // without optimization
  return 0;
}
