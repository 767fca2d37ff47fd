// The constructor that announces a module's tables to the runtime before its other constructors
// run.
#pragma once

#include "llvm/IR/Module.h"

namespace isosan::pass {

void add_module_constructor(llvm::Module& module);

}  // namespace isosan::pass
