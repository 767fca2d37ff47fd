#include "pass/checks/parts.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/shadow_word.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

// A block that is entered instead of the claim where the thread's tag never hits; it has only its
// end, a branch to `behind`.
Instruction* block_of_full_mode(ThreadState& state, llvm::CallInst& claim, BasicBlock& behind) {
  llvm::IRBuilder<> at(&claim);
  llvm::Value* never = at.CreateICmpEQ(state.tag(at), at.getInt64(rt::kNeverTag), "isosan.full");
  Instruction* end = llvm::SplitBlockAndInsertIfThen(
      never, &claim, true, llvm::MDBuilder(at.getContext()).createUnlikelyBranchWeights());
  Instruction* leave = llvm::BranchInst::Create(&behind, end);
  end->eraseFromParent();
  return leave;
}

// The optimiser must not make one access of it and the one that it is a copy of.
void keep_apart(Instruction& copy) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&copy)) load->setVolatile(true);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&copy)) store->setVolatile(true);
}

// What was read comes from whichever of the two was executed.
void join(Instruction& load, Instruction& copy, BasicBlock& behind) {
  llvm::IRBuilder<> at(&behind, behind.begin());
  llvm::PHINode* either = at.CreatePHI(load.getType(), 2);
  load.replaceAllUsesWith(either);
  either->addIncoming(&load, load.getParent());
  either->addIncoming(&copy, copy.getParent());
}

}  // namespace

void PartEmitter::add(const Access& access, llvm::CallInst& claim,
                      std::vector<llvm::Constant*> sites) {
  groups_.push_back({access.members, std::move(sites), &claim});
}

void PartEmitter::emit() {
  for (const Group& group : groups_) emit(group);
}

void PartEmitter::emit(const Group& group) {
  BasicBlock* together = group.members.front()->getParent();
  BasicBlock* behind = llvm::SplitBlock(together, group.members.back()->getNextNode());
  Instruction* end = block_of_full_mode(state_, *group.claim, *behind);
  const llvm::DataLayout& layout = together->getDataLayout();
  llvm::ValueToValueMapTy copies;
  std::vector<std::pair<Instruction*, Instruction*>> loads;
  for (Instruction* one = group.members.front(); !one->isTerminator(); one = one->getNextNode()) {
    Instruction* copy = one->clone();
    copy->insertBefore(end);
    llvm::RemapInstruction(copy, copies,
                           llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges);
    copies[one] = copy;
    const auto member = llvm::find(group.members, one);
    if (member == group.members.end()) continue;
    const auto number = static_cast<std::size_t>(member - group.members.begin());
    llvm::IRBuilder<> at(copy);
    const std::uint64_t size = layout.getTypeStoreSize(llvm::getLoadStoreType(copy));
    call_slow_path(
        at, llvm::isa<llvm::StoreInst>(copy) ? "__isosan_write" : "__isosan_read",
        {llvm::getLoadStorePointerOperand(copy), at.getInt64(size), group.sites[number]});
    state_.reload_tag(at);
    keep_apart(*copy);
    if (llvm::isa<llvm::LoadInst>(one)) loads.emplace_back(one, copy);
  }
  for (const auto& [load, copy] : loads) join(*load, *copy, *behind);
}

}  // namespace isosan::pass
