// Keeps __isosan_self and its tag in registers.
//
// Law (runtime/contract/fast_path.h): the tag changes only in calls, the pointer only in calls of
// the program. Both live in a local that is stored again behind every call and promoted to SSA form
// at the end, so that a loop without calls keeps them in registers.
#pragma once

#include <cstddef>

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace isosan::pass {

class ThreadState {
 public:
  explicit ThreadState(llvm::Function& function);

  llvm::Value* self(llvm::IRBuilder<>& at);
  llvm::Value* tag(llvm::IRBuilder<>& at);
  llvm::Value* field(llvm::IRBuilder<>& at, std::size_t offset, const char* name);  // a fresh load
  llvm::Value* poll(llvm::IRBuilder<>& at);  // atomic: loaded again in every round of a loop
  llvm::Value* region_depth(llvm::IRBuilder<>& at);

  void reload_tag(llvm::IRBuilder<>& at);  // behind a call of the runtime

  // Loads both at the entry and behind every call of the program, then promotes. Call once, last.
  void finish();

 private:
  llvm::Value* field_address(llvm::IRBuilder<>& at, std::size_t offset);
  void keep(llvm::IRBuilder<>& at, llvm::Value* value, llvm::AllocaInst* local);
  void reload(llvm::IRBuilder<>& at);

  llvm::Function& function_;
  llvm::AllocaInst* self_;
  llvm::AllocaInst* tag_;
  llvm::SmallVector<llvm::WeakTrackingVH, 16> kept_;  // all values stored to the two locals
};

}  // namespace isosan::pass
