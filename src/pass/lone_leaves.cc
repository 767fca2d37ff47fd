#include "pass/lone_leaves.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "pass/leaf_regions.h"
#include "pass/lone_checks.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;
using Builder = llvm::IRBuilder<>;
using Accesses = llvm::DenseMap<const Instruction*, Access>;

constexpr std::size_t kLongest = 400;  // instructions

// Does the instruction leave nothing behind, so that it may run once more?
bool leaves_no_trace(const Instruction& instruction) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
    return !intrinsic->hasOperandBundles();
  return is_plain(instruction) && !instruction.mayWriteToMemory();
}

// Reads of shared memory, and nothing that could not be done once more.
class ReadingLeaf {
 public:
  ReadingLeaf(const LeafRegion& leaf, const Accesses& accesses) : accesses_(accesses) {
    blocks_.insert(leaf.enter.call->getParent());
    reads_only_ = scan(leaf.enter.call->getNextNode());
    for (std::size_t next = 1; reads_only_ && next < blocks_.size(); ++next)
      reads_only_ = !blocks_[next]->hasAddressTaken() && scan(&blocks_[next]->front());
  }
  bool reads_only() const { return reads_only_ && reads_ > 0; }

 private:
  bool scan(Instruction* from) {
    for (Instruction* i = from; i != nullptr; i = i->getNextNode()) {
      if (edge_of(*i).call != nullptr) return true;  // an exit: the leaf has no others
      if (++length_ > kLongest || !leaves_no_trace(*i)) return false;
      const auto access = accesses_.find(i);
      if (access == accesses_.end()) continue;
      if (!can_be_asked_for(access->second)) return false;
      ++reads_;
    }
    const auto successors = llvm::successors(from->getParent());
    blocks_.insert(successors.begin(), successors.end());
    return true;
  }

  const Accesses& accesses_;
  llvm::SmallSetVector<BasicBlock*, 16> blocks_;
  std::size_t length_ = 0;
  std::size_t reads_ = 0;
  bool reads_only_ = false;
};

// The blocks of a leaf, from its entry edge to its exits, each cut off from what is around it.
class LeafBlocks {
 public:
  explicit LeafBlocks(const LeafRegion& leaf) {
    BasicBlock* first = leaf.enter.call->getParent();
    first_ = llvm::SplitBlock(first, leaf.enter.call);
    llvm::SmallPtrSet<BasicBlock*, 4> behind;
    for (llvm::IntrinsicInst* exit : leaf.exits)
      behind.insert(llvm::SplitBlock(exit->getParent(), exit->getNextNode()));
    blocks_.insert(first_);
    for (std::size_t next = 0; next < blocks_.size(); ++next)
      for (BasicBlock* successor : llvm::successors(blocks_[next]))
        if (!behind.contains(successor)) blocks_.insert(successor);
  }

  BasicBlock& first() const { return *first_; }
  llvm::ArrayRef<BasicBlock*> all() const { return blocks_.getArrayRef(); }
  bool has(const BasicBlock* block) const {
    return blocks_.contains(const_cast<BasicBlock*>(block));
  }
  bool entered_at_first_alone() const {
    return llvm::all_of(all(), [&](BasicBlock* block) {
      return block == first_ ||
             llvm::all_of(llvm::predecessors(block), [&](BasicBlock* b) { return has(b); });
    });
  }

 private:
  BasicBlock* first_ = nullptr;
  llvm::SmallSetVector<BasicBlock*, 16> blocks_;
};

// What is made in the leaf and used behind it lives in memory while there are two of it.
class Results {
 public:
  explicit Results(const LeafBlocks& leaf) {
    llvm::SmallVector<Instruction*, 4> results;
    for (BasicBlock* block : leaf.all())
      for (Instruction& instruction : *block)
        if (llvm::any_of(instruction.users(), [&](llvm::User* user) {
              return !leaf.has(llvm::cast<Instruction>(user)->getParent());
            }))
          results.push_back(&instruction);
    for (Instruction* result : results) locals_.push_back(llvm::DemoteRegToStack(*result));
  }
  void promote(llvm::Function& function) {
    llvm::DominatorTree tree(function);
    llvm::PromoteMemToReg(locals_, tree);
  }

 private:
  llvm::SmallVector<llvm::AllocaInst*, 4> locals_;
};

class LoneCopy {
 public:
  LoneCopy(const LeafRegion& leaf, const LeafBlocks& blocks, const Accesses& accesses)
      : leaf_(leaf), blocks_(blocks), accesses_(accesses) {}

  void make() {
    BasicBlock* entry = choose();
    llvm::SmallVector<BasicBlock*, 16> copies;
    for (BasicBlock* block : blocks_.all()) {
      BasicBlock* copy = llvm::CloneBasicBlock(block, copy_of_, ".lone", block->getParent());
      copy_of_[block] = copy;
      copies.push_back(copy);
    }
    llvm::remapInstructionsInBlocks(copies, copy_of_);
    Builder at(entry);
    LoneChecks checks(at, self_, blocks_.first());
    llvm::BranchInst* begin = at.CreateBr(&copied(blocks_.first()));
    for (BasicBlock* block : blocks_.all())
      for (Instruction& instruction : *block)
        if (const auto found = accesses_.find(&instruction); found != accesses_.end())
          checks.check(copied(instruction), llvm::getLoadStorePointerOperand(&copied(instruction)),
                       found->second.size);
    checks.ask_at_back_edges(copies);
    checks.go_on_unless_asked(*begin);
    copied(*leaf_.enter.call).eraseFromParent();
    for (llvm::IntrinsicInst* exit : leaf_.exits) {
      checks.go_on_while_at_rest(copied(*exit));
      copied(*exit).eraseFromParent();
    }
  }

 private:
  template <class T>
  T& copied(T& original) {
    return *llvm::cast<T>(static_cast<Value*>(copy_of_[&original]));
  }

  // Before the leaf: where the copy begins, which is taken where the thread is at rest.
  BasicBlock* choose() {
    BasicBlock& first = blocks_.first();
    BasicBlock* before = first.getSinglePredecessor();
    Builder at(before->getTerminator());
    self_ = load_block(at);
    Value* unlogged = may_run_unlogged(at, self_, *leaf_.enter.record);
    BasicBlock* entry = BasicBlock::Create(first.getContext(), "isosan.lone", first.getParent());
    at.CreateCondBr(unlogged, entry, &first);
    before->getTerminator()->eraseFromParent();
    return entry;
  }

  const LeafRegion& leaf_;
  const LeafBlocks& blocks_;
  const Accesses& accesses_;
  llvm::ValueToValueMapTy copy_of_;
  Value* self_ = nullptr;
};

}  // namespace

void copy_lone_leaves(llvm::Function& function) {
  llvm::DominatorTree tree(function);
  Accesses accesses;
  for (const LeafRegion& leaf : find_leaf_regions(function, tree)) {
    if (is_weak(leaf.enter)) continue;
    if (accesses.empty())
      for (const Access& access : find_operations(function).accesses)
        accesses[access.instruction] = access;
    if (!ReadingLeaf(leaf, accesses).reads_only()) continue;
    const LeafBlocks blocks(leaf);
    if (!blocks.entered_at_first_alone()) continue;
    Results results(blocks);
    LoneCopy(leaf, blocks, accesses).make();
    results.promote(function);
  }
}

}  // namespace isosan::pass
