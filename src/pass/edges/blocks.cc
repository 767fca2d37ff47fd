#include "pass/edges/blocks.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "pass/claims/runtime_calls.h"

namespace isosan::pass {
namespace {

constexpr const char* kBegin = "__isosan_block_begin";
constexpr const char* kEnd = "__isosan_block_end";

llvm::SmallVector<llvm::CallBase*, 4> calls_of_blocks(llvm::Function& function) {
  llvm::SmallVector<llvm::CallBase*, 4> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee != nullptr && (callee->getName() == kBegin || callee->getName() == kEnd))
      calls.push_back(call);
  }
  return calls;
}

// Without optimisation the name goes through the parameter of an inlined constructor.
void see_through_locals(llvm::Function& function) {
  llvm::SmallVector<llvm::AllocaInst*, 8> locals;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local != nullptr && llvm::isAllocaPromotable(local))
      locals.push_back(local);
  llvm::DominatorTree tree(function);
  llvm::PromoteMemToReg(locals, tree);
}

}  // namespace

void fill_block_places(llvm::Function& function, SiteTable& sites) {
  llvm::SmallVector<llvm::CallBase*, 4> calls = calls_of_blocks(function);
  llvm::StringRef name;
  if (llvm::any_of(calls, [&](llvm::CallBase* call) {
        return !llvm::getConstantStringInfo(call->getArgOperand(0), name);
      }))
    see_through_locals(function);
  for (llvm::CallBase* call : calls) {
    const bool begins = call->getCalledFunction()->getName() == kBegin;
    const bool named = llvm::getConstantStringInfo(call->getArgOperand(0), name);
    if (begins && !named) continue;
    llvm::IRBuilder<> at(call);
    llvm::Constant* site = llvm::ConstantPointerNull::get(at.getPtrTy());
    if (begins) site = sites.add({call->getDebugLoc(), Kind::kBegin, 0, {"", name.str(), 0}});
    call_runtime(at, begins ? "__isosan_region_begin" : "__isosan_region_end",
                 {site, call->getArgOperand(1), call->getArgOperand(2)});
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(call)) {
      at.CreateBr(invoke->getNormalDest());
      invoke->getUnwindDest()->removePredecessor(invoke->getParent());
    }
    call->eraseFromParent();
  }
}

}  // namespace isosan::pass
