#include "runtime/modes/plain.h"

#include "runtime/calls/call_stack.h"
#include "runtime/ownership/clocked_order.h"

namespace isosan::rt {
namespace {

// The first run needs no stacks. A call inside a region matters only if the thread waits in it,
// because then the function may be no region.
bool is_nested(Thread& t, const OpenEdge& edge) {
  return is_pass_function(edge) && t.block->region_depth > 0;
}

}  // namespace

Mode plain_mode() {
  return {.name = "plain",
          .take = clocked::take,
          .order_after_owner = clocked::order_after_owner,
          .order_after_readers = clocked::order_after_readers,
          .order_after_writers = clocked::order_after_writers,
          .share = clocked::share,
          .writes_object = [](std::uint64_t) {},
          .work_handed_out = [](Thread&) {},
          .waits = end_waiting_regions};
}

Mode unlogged_mode() {
  Mode mode = plain_mode();
  mode.name = "unlogged";
  mode.logs_accesses = false;
  mode.writes_object = nullptr;
  mode.work_handed_out = nullptr;
  mode.region_edges_end_epochs = false;
  mode.nests_inline = true;
  mode.logged_late = is_nested;
  return mode;
}

}  // namespace isosan::rt
