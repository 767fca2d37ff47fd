// The edges of functions, out of line but in the module itself: `isosan.enter` and `isosan.exit`.
//
// Inside a region they keep the thread's stack of open calls without a call of the runtime
// (runtime/contract/nested_calls.h has the sequence). All other cases go on to `isosan.enter.slow`
// and `isosan.exit.slow`, which call it. Made once per module, one copy for the linked module; they
// keep all registers.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace isosan::pass {

void call_nested_enter(llvm::IRBuilder<>& at, llvm::Value* record, llvm::Value* object);
void call_nested_exit(llvm::IRBuilder<>& at, llvm::Value* record);

}  // namespace isosan::pass
