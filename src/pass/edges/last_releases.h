// A lock that is given up as the last thing a function does: the runtime is told before.
//
// All that the function accesses has been accessed then, so its transaction may end before the lock
// is free (runtime.md, rule 20). Else a thread that waits for the lock meets a transaction that
// is still open, each time.
#pragma once

#include "llvm/IR/Function.h"

namespace isosan::pass {

// Before edges are expanded and checks are placed.
void mark_last_releases(llvm::Function& function);

}  // namespace isosan::pass
