// Accesses that may be walks of unknown length: `while (*p) ++p`, the two inputs of a merge, an
// element that is accessed only under a condition.
//
// Model. The innermost loop around the access has no calls. In the loop the address changes, and is
// computed only from the loop's own variables: no value that was loaded or returned by a call in
// the loop goes into it, other than to choose the path. Such an instruction often accesses one
// element after the other, so its misses go through a claim function that gathers them
// (walk_claims.cc). An access out of order costs a call of the runtime where other accesses append
// inline. Therefore lists, trees, hash tables and matrices by index are left out.
#pragma once

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "pass/code/accesses.h"

namespace isosan::pass {

void mark_unbounded_walks(std::vector<Access>& accesses, const llvm::LoopInfo& loops);

}  // namespace isosan::pass
