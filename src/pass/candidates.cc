#include "pass/candidates.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/names.h"

namespace isosan::pass {
namespace {

bool is_local(const llvm::Value* pointer) {
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
}

// How many accesses to shared memory an instruction stands for; 2 is as good as many.
unsigned shared_accesses(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isAtomic() ? 2 : !is_local(load->getPointerOperand());
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isAtomic() ? 2 : !is_local(store->getPointerOperand());
  if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return unsigned{!is_local(transfer->getRawDest())} + !is_local(transfer->getRawSource());
  if (const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
    return !is_local(set->getRawDest());
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return intrinsic->isAssumeLikeIntrinsic() || !intrinsic->mayReadOrWriteMemory() ? 0 : 2;
  return llvm::isa<llvm::CallBase>(instruction) || instruction.mayReadOrWriteMemory() ? 2 : 0;
}

}  // namespace

bool may_instrument(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasFnAttribute(llvm::Attribute::Naked) &&
         !function.hasFnAttribute(llvm::Attribute::DisableSanitizerInstrumentation) &&
         !function.getName().starts_with("__isosan_") && !function.getName().starts_with("isosan.");
}

bool is_trivial_leaf(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> loops;
  llvm::FindFunctionBackedges(function, loops);
  if (!loops.empty()) return false;
  unsigned accesses = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    accesses += shared_accesses(instruction);
  return accesses <= 1;
}

bool is_region_candidate(const llvm::Function& function) {
  return may_instrument(function) && !function.isPresplitCoroutine() &&
         !is_library_code(function) && !is_trivial_leaf(function);
}

}  // namespace isosan::pass
