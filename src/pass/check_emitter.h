// The inline check: shadow word, hit test, own-older-epoch path with its log append, slow path.
//
// The sequence and its laws are in runtime/abi/fast_path.h, the formulas in shadow_word.h; each
// function here is the IR of one of them. Rule numbers are those of the design (ARCHITECTURE.md).
#pragma once

#include <cstdint>

#include "llvm/IR/IRBuilder.h"
#include "pass/accesses.h"
#include "pass/thread_state.h"

namespace isosan::pass {

class CheckEmitter {
 public:
  explicit CheckEmitter(ThreadState& state) : state_(state) {}

  // Before access.instruction; `site` is the address of its record.
  void emit(const Access& access, llvm::Constant* site);

 private:
  struct Check {
    const Access& access;
    llvm::Constant* site;
    llvm::Value* address = nullptr;  // i64
    llvm::Value* shadow = nullptr;   // ptr
    llvm::Value* word = nullptr;
    llvm::Value* tag = nullptr;
    llvm::Value* mask = nullptr;  // byte_mask()
  };

  void emit_granule(Check& check);
  void emit_wide(Check& check);
  void emit_range(const Check& check);

  llvm::Value* shadow_of(llvm::IRBuilder<>& at, llvm::Value* address, bool aligned);
  llvm::Value* load_word(llvm::IRBuilder<>& at, llvm::Value* shadow);
  llvm::Value* byte_mask(llvm::IRBuilder<>& at, const Check& check);
  llvm::Value* misses(llvm::IRBuilder<>& at, const Check& check);
  llvm::Value* is_own(llvm::IRBuilder<>& at, const Check& check);
  llvm::Value* claimed(llvm::IRBuilder<>& at, const Check& check);
  void append(llvm::IRBuilder<>& at, const Check& check, llvm::Value* position);
  void slow_path(llvm::IRBuilder<>& at, const Check& check);
  void read_shared_path(llvm::IRBuilder<>& at, const Check& check, llvm::BasicBlock* done,
                        llvm::BasicBlock* slow);
  llvm::Value* has_room(llvm::IRBuilder<>& at, llvm::Value* position);

  ThreadState& state_;
};

}  // namespace isosan::pass
