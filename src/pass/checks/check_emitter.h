// The inline check: shadow word and hit test. What is left goes to the module's claim function
// (claim_functions.h), and from there to the runtime.
//
// The sequence and its laws are in runtime/contract/fast_path.h, the formulas in shadow_word.h;
// each function here is the IR of one of them.
#pragma once

#include <cstdint>

#include "llvm/IR/IRBuilder.h"
#include "pass/claims/thread_state.h"
#include "pass/code/accesses.h"
#include "pass/loops/counted_loops.h"

namespace isosan::pass {

// May its check be inline? Others call the runtime.
bool has_inline_check(const Access& access);

class CheckEmitter {
 public:
  explicit CheckEmitter(ThreadState& state) : state_(state) {}

  // What a counted loop will touch, before the loop. `write_site`: of walk.updates, else null.
  void emit(const Walk& walk, llvm::Constant* site, llvm::Constant* write_site);
  // Before access.instruction; `site` is the address of its record. Returns the call of the claim
  // or check function of an access of several granules.
  llvm::CallInst* emit(const Access& access, llvm::Value* site);

 private:
  struct Check {
    const Access& access;
    llvm::Value* site;
    llvm::Value* address = nullptr;  // i64
    llvm::Value* word = nullptr;
    llvm::Value* tag = nullptr;
    llvm::Value* mask = nullptr;  // byte_mask()
  };

  void emit_granule(Check& check);
  llvm::CallInst* emit_wide(Check& check);
  void emit_range(const Check& check);
  llvm::CallInst* call_check(const Check& check);

  llvm::Value* shadow_of(llvm::IRBuilder<>& at, llvm::Value* address, bool aligned);
  llvm::Value* load_word(llvm::IRBuilder<>& at, llvm::Value* shadow);
  llvm::Value* byte_mask(llvm::IRBuilder<>& at, const Check& check);
  llvm::Value* misses(llvm::IRBuilder<>& at, const Check& check);
  void branch_to_miss(llvm::IRBuilder<>& at, llvm::Value* missed);
  llvm::CallInst* call_claim(llvm::IRBuilder<>& at, llvm::Function& claim, const Check& check);
  llvm::CallInst* call_claim(llvm::IRBuilder<>& at, llvm::Function& claim,
                             llvm::ArrayRef<llvm::Value*> arguments, const Check& check);
  void call_filter(llvm::IRBuilder<>& at, llvm::Function& filter, const Check& check);
  void claim_block(llvm::IRBuilder<>& at, const Check& check);
  void slow_path(llvm::IRBuilder<>& at, const Check& check);

  ThreadState& state_;
};

}  // namespace isosan::pass
