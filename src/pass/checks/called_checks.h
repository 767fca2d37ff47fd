// Checks that are calls: all but those of very small functions and a few in loops.
//
// Model. An inline check is three blocks or more, and what the back end needs for a function grows
// faster than its blocks: of a large function most of the time to compile it. A called check is one
// instruction for the back end. `isosan.check.read.N` and `isosan.check.write.N` hold the same check
// (check_emitter.h emits it there) and keep all registers. Where it hits it takes the
// program a few instructions more. So checks in loops stay inline, those of the inner loops first,
// until there are too many; and so do all checks of a function that has very few: such functions are
// called from loops elsewhere.
#pragma once

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "pass/code/accesses.h"

namespace isosan::pass {

void mark_called_checks(std::vector<Access>& accesses, const llvm::LoopInfo& loops);

// void(ptr address, ptr site), for an access of one to four granules that is_called.
llvm::Function& check_function(llvm::Module& module, const Access& access);

}  // namespace isosan::pass
