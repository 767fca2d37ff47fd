// A lock that is given up as the last thing a function does: the runtime is told before.
//
// All that the function accesses has been accessed then, so a unit of work may end before the lock
// is free (runtime/abi/lone_calls.h), and who waited for it does not meet a unit that lives.
#pragma once

#include "llvm/IR/Function.h"

namespace isosan::pass {

// Before edges are expanded and checks are placed.
void mark_last_releases(llvm::Function& function);

}  // namespace isosan::pass
