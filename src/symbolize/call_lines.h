// The lines of the calls on a stack, where the run did not record them.
//
// Code built with the pass logs which functions were called, not from where. Afterwards the module's
// machine code says: if a function is called at one line of the function above it, directly or
// through functions that log nothing (the C++ library's), the call was there. If there are several
// such lines, or the function's address is taken, the line stays unknown.
#pragma once

#include <vector>

#include "event/event.h"
#include "event/tables.h"

namespace isosan {

// Fills Context::call_site and Tables::outer_calls for these places.
void resolve_calls(const std::vector<Where>& places, Tables& tables);

}  // namespace isosan
