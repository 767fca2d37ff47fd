// Accesses that may be walks though nobody knows how far: `while (*p) ++p`, the two inputs of a
// merge, an element that is looked at only under a condition.
//
// Model. The innermost loop around it calls nobody; in it the address changes, and is made of the
// loop's own variables alone: nothing that was loaded or returned by a call in the loop goes into
// it, other than to choose the way. Such an instruction often accesses one element after the other,
// so its misses go through a claim function that gathers them (walk_claims.cc). What does not come
// in order costs a call of the runtime where others append by themselves; lists, trees, hash tables
// and matrices by index are therefore left out.
#pragma once

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "pass/code/accesses.h"

namespace isosan::pass {

void mark_unbounded_walks(std::vector<Access>& accesses, const llvm::LoopInfo& loops);

}  // namespace isosan::pass
