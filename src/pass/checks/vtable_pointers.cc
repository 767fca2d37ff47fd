#include "pass/checks/vtable_pointers.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "runtime/contract/fast_path.h"

namespace isosan::pass {
namespace {

constexpr std::uint64_t kPointerSize = 8;

llvm::Instruction* only_if(llvm::Value* condition, llvm::Instruction& before) {
  llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(
      condition, &before, false,
      llvm::MDBuilder(before.getContext()).createUnlikelyBranchWeights());
  then->setDebugLoc(before.getDebugLoc());
  return then;
}

// A new object holds anything: without freeze() a later optimiser may take the branch for one that
// is never reached.
llvm::Value* changes_pointer(llvm::StoreInst& store, llvm::Instruction& before) {
  llvm::IRBuilder<> at(&before);
  llvm::Value* held = at.CreateLoad(store.getValueOperand()->getType(), store.getPointerOperand());
  mark_nosanitize(*held);
  return at.CreateICmpNE(at.CreateFreeze(held), store.getValueOperand());
}

}  // namespace

Access guard_vtable_pointer(llvm::Instruction& instruction, ThreadState& state) {
  llvm::IRBuilder<> at(&instruction);
  llvm::Value* asked = at.CreateICmpNE(
      state.field(at, rt::kOffsetVtablePointers, "isosan.vtable_pointers"), at.getInt64(0));
  llvm::Instruction* then = only_if(asked, instruction);
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  if (store != nullptr) then = only_if(changes_pointer(*store, *then), *then);
  Access access{.instruction = then,
                .pointer = llvm::getLoadStorePointerOperand(&instruction),
                .size = kPointerSize,
                .align = llvm::getLoadStoreAlignment(&instruction),
                .is_write = store != nullptr};
  access.is_called = true;
  access.described_by = &instruction;
  return access;
}

}  // namespace isosan::pass
