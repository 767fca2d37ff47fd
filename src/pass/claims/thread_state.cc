#include "pass/claims/thread_state.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "pass/claims/claim_functions.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/fast_path.h"

namespace isosan::pass {
namespace {

// The slow paths and claim functions: the pointer stays valid, the tag is reloaded where they are
// called.
bool keeps_state(const llvm::Function* callee) {
  if (!is_runtime_function(callee)) return false;
  const auto convention = callee->getCallingConv();
  return convention == llvm::CallingConv::PreserveMost ||
         convention == llvm::CallingConv::PreserveAll;
}

bool may_run_other_code(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr || call->isInlineAsm() || call->isMustTailCall()) return false;
  const llvm::Function* callee = call->getCalledFunction();
  if (callee != nullptr && callee->isIntrinsic()) return false;
  return !keeps_state(callee);
}

}  // namespace

ThreadState::ThreadState(llvm::Function& function) : function_(function) {
  llvm::IRBuilder<> at(&*function.getEntryBlock().getFirstInsertionPt());
  self_ = at.CreateAlloca(at.getPtrTy(), nullptr, "isosan.self");
  tag_ = at.CreateAlloca(at.getInt64Ty(), nullptr, "isosan.tag");
}

llvm::Value* ThreadState::self(llvm::IRBuilder<>& at) {
  return at.CreateLoad(at.getPtrTy(), self_);
}
llvm::Value* ThreadState::tag(llvm::IRBuilder<>& at) {
  return at.CreateLoad(at.getInt64Ty(), tag_);
}

llvm::Value* ThreadState::field_address(llvm::IRBuilder<>& at, std::size_t offset) {
  return at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), self(at), offset);
}

llvm::Value* ThreadState::field(llvm::IRBuilder<>& at, std::size_t offset, const char* name) {
  return at.CreateAlignedLoad(at.getInt64Ty(), field_address(at, offset), llvm::Align(8), name);
}

llvm::Value* ThreadState::poll(llvm::IRBuilder<>& at) {
  llvm::LoadInst* load = at.CreateAlignedLoad(at.getInt32Ty(), field_address(at, rt::kOffsetPoll),
                                              llvm::Align(4), "isosan.poll");
  load->setAtomic(llvm::AtomicOrdering::Monotonic);
  return load;
}

llvm::Value* ThreadState::region_depth(llvm::IRBuilder<>& at) {
  return at.CreateAlignedLoad(at.getInt32Ty(), field_address(at, rt::kOffsetRegionDepth),
                              llvm::Align(4), "isosan.region_depth");
}

void ThreadState::keep(llvm::IRBuilder<>& at, llvm::Value* value, llvm::AllocaInst* local) {
  at.CreateStore(value, local);
  kept_.emplace_back(value);
}

void ThreadState::reload_tag(llvm::IRBuilder<>& at) {
  keep(at, field(at, rt::kOffsetTag, "isosan.tag"), tag_);
}

void ThreadState::reload(llvm::IRBuilder<>& at) {
  keep(at, load_self(at), self_);
  reload_tag(at);
}

void ThreadState::finish() {
  llvm::SmallVector<llvm::Instruction*, 16> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function_))
    if (may_run_other_code(instruction)) calls.push_back(&instruction);
  llvm::IRBuilder<> at(tag_->getNextNode());
  reload(at);
  for (llvm::Instruction* call : calls) {
    if (!call->isTerminator()) {
      at.SetInsertPoint(call->getNextNode());
      reload(at);
      continue;
    }
    for (unsigned i = 0; i < call->getNumSuccessors(); ++i) {
      at.SetInsertPoint(&*call->getSuccessor(i)->getFirstInsertionPt());
      reload(at);
    }
  }
  llvm::DominatorTree tree(function_);
  llvm::PromoteMemToReg({self_, tag_}, tree);
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(
      kept_);  // loads that are not used before the next call
}

}  // namespace isosan::pass
