// Regions that call nobody, after inlining: most methods of small classes end so.
//
// Idle: at most one access that other threads can see. Such a transaction is serializable wherever
// it stands, exactly as the access alone would be; its edges are taken out. Leaf: more than one.
// Inside another region its edges say nothing that its sites do not say (they name it), so they are
// logged only where no region is open, or where a recording asks for them. A function that the
// program itself annotates is neither.
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
