// The modes that need no state of their own: what most analyses ask for.
#pragma once

#include "runtime/thread/mode.h"

namespace isosan::rt {

// Every first touch in an epoch is logged; data orders threads by the clock.
Mode plain_mode();
// The same without accesses (the first run of doublechecker): only order is of interest.
Mode unlogged_mode();

}  // namespace isosan::rt
