// The runtime's entry points (runtime/contract/fast_path.h), declared in the module that is
// instrumented.
#pragma once

#include <initializer_list>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace isosan::pass {

// Calls `name` with these arguments; declared from their types. Void unless `result` is given.
llvm::CallInst* call_runtime(llvm::IRBuilder<>& at, llvm::StringRef name,
                             llvm::ArrayRef<llvm::Value*> arguments, llvm::Type* result = nullptr);

// One of the slow paths that keep all registers (ISOSAN_PRESERVE_MOST_ENTRY_POINTS).
llvm::CallInst* call_slow_path(llvm::IRBuilder<>& at, llvm::StringRef name,
                               llvm::ArrayRef<llvm::Value*> arguments);

bool is_runtime_function(const llvm::Function* function);

}  // namespace isosan::pass
