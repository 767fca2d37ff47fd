// The edges of a leaf (leaf_regions.h) inside a unit of work that is withheld
// (runtime/ownership/withheld.h), in the module itself.
//
// Model. `isosan.leaf.enter` and `isosan.leaf.exit` are made once per module, as claim functions
// are, and keep all registers: a small method in a loop costs its surroundings two branches. They
// do what the runtime's enter_withheld_call() and leave_withheld_call() do, but no edge is pushed:
// a leaf calls nobody, so one word says which is open (Thread::open_leaf), and whoever tells what
// is withheld pushes it then. What they cannot do goes on to the runtime.
#pragma once

#include "llvm/IR/Module.h"

namespace isosan::pass {

// void(ptr record, ptr object)
llvm::Function& leaf_enter_function(llvm::Module& module);
// void(ptr record)
llvm::Function& leaf_exit_function(llvm::Module& module);

}  // namespace isosan::pass
