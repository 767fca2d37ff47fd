// Which functions deal with what threads share, as far as that shows before the program runs. The
// others are no regions of the heuristic `auto` (spec/region_rules.h).
//
//   operation  a function that takes or gives up a lock or does something atomic itself, or a public
//              member of a class that holds a lock or an atomic (sync_classes.h), but no constructor
//   deals      an operation; a function with two or more calls of functions that deal, because it
//              may check by one and act by another; the constructor or destructor of a guard, with
//              one such call. What is called through a pointer or a vtable may deal, and so may
//              functions of other files; those of the C and C++ library do not
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace isosan::pass {

llvm::DenseSet<const llvm::Function*> functions_that_deal_with_sharing(const llvm::Module& module);

}  // namespace isosan::pass
