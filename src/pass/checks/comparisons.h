// Keeps calls of memcmp as calls, which the runtime intercepts: the code generator would expand
// short ones into loads after the checks were inserted.
#pragma once

#include "llvm/IR/Function.h"

namespace isosan::pass {

void keep_comparisons(llvm::Function& function);

}  // namespace isosan::pass
