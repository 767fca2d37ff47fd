// Neighbouring accesses of one object become one check and one log unit.
//
// Model. In straight code, loads of 8 bytes at p, p+8, p+16 (the members of a vector, begin and end
// of a container) are gathered. Later loads move up to the first one where nothing between could
// have changed what they read. Earlier stores move down to the last one where nothing between could
// see or change what they write. Then no other check lies between the check of the group and its
// accesses, as the runtime's law demands (fast_path.h). The compiler may move plain accesses so;
// the log has the accesses as they run. Calls, atomics, volatile accesses and region edges are
// never crossed.
//
// A group is two to four whole, adjacent granules, all read or all written.
#pragma once

#include <vector>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Function.h"
#include "pass/code/accesses.h"

namespace isosan::pass {

// A call, an atomic or volatile access, or a region edge: straight code ends here.
bool ends_stretch(llvm::Instruction& instruction);

// Moves accesses of the function together and replaces them in `accesses` by one for each group.
void merge_neighbours(llvm::Function& function, std::vector<Access>& accesses,
                      llvm::AAResults& aliases);

}  // namespace isosan::pass
