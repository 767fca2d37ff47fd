// Calls of memcmp stay calls, which the runtime sees: the code generator would unfold short ones
// into loads of its own after everything was checked.
#pragma once

#include "llvm/IR/Function.h"

namespace isosan::pass {

void keep_comparisons(llvm::Function& function);

}  // namespace isosan::pass
