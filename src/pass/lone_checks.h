// What code that runs without a log (lone_leaves.h, lone_functions.h) asks: whose the words are
// that it reads, and at entries and back edges whether somebody waits for the thread.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "pass/accesses.h"

namespace isosan::pass {

// Can the copy ask for all that this access needs?
bool can_be_asked_for(const Access& access);

// No atomic operation, no volatile access, nothing that throws.
bool is_plain(const llvm::Instruction& instruction);

// Is the thread at rest, so that the function of this record may run without a log? `self`: the
// thread's block.
llvm::Value* may_run_unlogged(llvm::IRBuilder<>& at, llvm::Value* self,
                              llvm::GlobalVariable& record);

// The thread's block, loaded; and a field of it.
llvm::Value* load_block(llvm::IRBuilder<>& at);
llvm::Value* block_field(llvm::IRBuilder<>& at, llvm::Value* self, std::size_t offset,
                         const char* name);

class LoneChecks {
 public:
  // Loads at `at`, before all that is checked, what the checks compare with. `otherwise`: where the
  // code goes on if it may not go on here. It has no PHIs.
  LoneChecks(llvm::IRBuilder<>& at, llvm::Value* self, llvm::BasicBlock& otherwise);

  // Before an instruction that reads so many bytes at `pointer`, which it has from now on to
  // itself.
  void check(llvm::Instruction& read, llvm::Value* pointer, std::uint64_t size);
  void go_on_unless_asked(llvm::Instruction& before);
  // At the ends of all loops of the function whose first block is one of these.
  void ask_at_back_edges(llvm::ArrayRef<llvm::BasicBlock*> blocks);
  // Behind what the runtime may have been entered in: a copy that was called, a signal handler.
  void go_on_while_at_rest(llvm::Instruction& before);

 private:
  void go_on_if(llvm::Value* holds, llvm::Instruction& before, llvm::BasicBlock& otherwise);
  llvm::Value* is_mine(llvm::IRBuilder<>& at, llvm::Value* word);

  llvm::Value* self_;
  llvm::Value* owner_;
  llvm::Value* limit_;
  llvm::BasicBlock& otherwise_;
};

}  // namespace isosan::pass
