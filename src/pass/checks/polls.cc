#include "pass/checks/polls.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/fast_path.h"

namespace isosan::pass {
namespace {

bool calls_others(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) continue;
    const llvm::Function* callee = call->getCalledFunction();
    if (callee == nullptr || !(callee->isIntrinsic() || is_runtime_function(callee))) return true;
  }
  return false;
}

}  // namespace

Polls::Polls(llvm::Function& function) {
  if (calls_others(function))
    points_.push_back(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 8> edges;
  llvm::FindFunctionBackedges(function, edges);
  llvm::SmallSetVector<llvm::Instruction*, 8> latches;
  for (const auto& [latch, header] : edges)
    latches.insert(const_cast<llvm::Instruction*>(latch->getTerminator()));
  for (llvm::Instruction* terminator : latches)
    if (!llvm::isa<llvm::CallBase>(terminator) &&                    // an invoke is a call
        !terminator->hasMetadata(llvm::LLVMContext::MD_nosanitize))  // counted_loops.h
      points_.push_back(terminator);
}

void Polls::emit(ThreadState& state) {
  for (llvm::Instruction* point : points_) {
    llvm::IRBuilder<> at(point);
    llvm::Value* asked = at.CreateICmpNE(state.poll(at), at.getInt32(0));
    llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(
        asked, point, false, llvm::MDBuilder(at.getContext()).createUnlikelyBranchWeights());
    at.SetInsertPoint(then);
    at.SetCurrentDebugLocation(point->getDebugLoc());
    call_slow_path(at, "__isosan_poll", {});
    state.reload_tag(at);
  }
}

}  // namespace isosan::pass
