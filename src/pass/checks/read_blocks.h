// Reads of one object in straight code: claimed together where the first of them
// misses.
//
// Model. In straight code, loads of one base at constant offsets that leave no gap (the keys of a
// cipher, the fields of a record) cannot always become one access (merge.h): a store between them
// may alias. Their checks stay where they are. But where the check of the first one misses, all
// their bytes are claimed and logged as one block, and the other checks then hit. As in a counted
// loop (counted_loops.h), other checks may then lie between a claim and its access. So the block is
// claimed only where the inline path appends to the log, and a race may be logged on the wrong
// side.
#pragma once

#include <vector>

#include "llvm/IR/Function.h"
#include "pass/code/accesses.h"

namespace isosan::pass {

void join_reads(llvm::Function& function, std::vector<Access>& accesses);

}  // namespace isosan::pass
