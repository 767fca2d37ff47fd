// Regions without calls, after inlining: most methods of small classes become such regions.
//
// Idle: at most one access that other threads can see. Such a transaction is serializable wherever
// it happens, exactly as the access without the region would be; its edges are removed. Leaf: more
// than one such access, other leaves that were inlined into it included. Inside another region the
// edges of a leaf add nothing to its sites, which name it. So they are logged only where no region is
// open, or where a recording asks for them. A function that the program itself annotates is neither.
// The outermost edge in the code of a function is a leaf only if nothing was inlined into it: the
// first edge that a thread logs is taken for its entry, which is no region (runtime/calls).
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "pass/edges/edges.h"

namespace isosan::pass {

bool has_edges(llvm::Function& function);

// True if any was removed. The control flow stays as it is.
bool remove_idle_regions(llvm::Function& function, llvm::DominatorTree& tree);

llvm::SmallVector<LeafRegion, 8> find_leaf_regions(llvm::Function& function,
                                                   llvm::DominatorTree& tree);

}  // namespace isosan::pass
