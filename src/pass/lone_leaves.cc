#include "pass/lone_leaves.h"

#include "event/log_format.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "pass/accesses.h"
#include "pass/claim_functions.h"
#include "pass/leaf_regions.h"
#include "runtime/abi/fast_path.h"

namespace isosan::pass {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;
using Builder = llvm::IRBuilder<>;
using Accesses = llvm::DenseMap<const Instruction*, Access>;

constexpr std::size_t kLongest = 400;  // instructions

bool is_whole_granules(const Access& access) {
  return access.size % rt::kGranule == 0 && access.size <= 32 && access.align >= rt::kGranule;
}

bool can_be_asked_for(const Access& access) {
  if (access.is_write || access.length != nullptr) return false;
  const bool in_granule =
      access.size <= 8 && llvm::isPowerOf2_64(access.size) && access.align >= access.size;
  return in_granule || is_whole_granules(access);
}

// Does the instruction leave nothing behind, so that it may run once more?
bool leaves_no_trace(const Instruction& instruction) {
  if (instruction.isAtomic() || instruction.isVolatile() || instruction.mayThrow()) return false;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
    return !intrinsic->hasOperandBundles();
  return !instruction.mayWriteToMemory();
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
    enter();
    llvm::SmallVector<BasicBlock*, 16> copies;
    for (BasicBlock* block : blocks_.all()) {
      BasicBlock* copy = llvm::CloneBasicBlock(block, copy_of_, ".lone", block->getParent());
      copy_of_[block] = copy;
      copies.push_back(copy);
    }
    llvm::remapInstructionsInBlocks(copies, copy_of_);
    entry_->getTerminator()->setSuccessor(0, &copied(blocks_.first()));
    for (BasicBlock* block : blocks_.all())
      for (Instruction& instruction : *block)
        if (const auto found = accesses_.find(&instruction); found != accesses_.end())
          check(found->second);
    ask_at_back_edges(copies);
    copied(*leaf_.enter.call).eraseFromParent();
    for (llvm::IntrinsicInst* exit : leaf_.exits) copied(*exit).eraseFromParent();
  }

 private:
  template <class T>
  T& copied(T& original) {
    return *llvm::cast<T>(static_cast<Value*>(copy_of_[&original]));
  }

  llvm::LoadInst* field(Builder& at, llvm::Type* type, std::size_t offset, const char* name) {
    Value* place = at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), self_, offset);
    llvm::LoadInst* load = at.CreateLoad(type, place, name);
    leave_alone(*load);
    return load;
  }

  // Before the leaf: the copy is taken where the thread is at rest and the leaf may be a unit.
  void enter() {
    BasicBlock& first = blocks_.first();
    BasicBlock* before = first.getSinglePredecessor();
    Builder at(before->getTerminator());
    self_ = load_self(at);
    leave_alone(*self_);
    Value* rests = at.CreateICmpNE(field(at, at.getInt64Ty(), rt::kOffsetRests, "isosan.rests"),
                                   at.getInt64(0));
    Value* flags = flags_of(at, *leaf_.enter.record);
    leave_alone(*flags);
    constexpr std::uint8_t kAsked = log::kFunctionRegion | log::kFunctionCut | log::kFunctionQuiet;
    Value* is_unit =
        at.CreateICmpEQ(at.CreateAnd(flags, at.getInt8(kAsked)), at.getInt8(log::kFunctionRegion));
    entry_ = BasicBlock::Create(first.getContext(), "isosan.lone", first.getParent());
    at.CreateCondBr(at.CreateAnd(rests, is_unit), entry_, &first);
    before->getTerminator()->eraseFromParent();
    at.SetInsertPoint(entry_);
    owner_ = field(at, at.getInt64Ty(), rt::kOffsetOwner, "isosan.owner");
    limit_ = field(at, at.getInt64Ty(), rt::kOffsetRdshLimit, "isosan.rdsh_limit");
    at.CreateBr(&first);
  }

  void go_back_unless(Value* holds, Instruction& before) {
    BasicBlock* block = before.getParent();
    BasicBlock* rest = llvm::SplitBlock(block, &before);
    Builder at(block->getTerminator());
    at.CreateCondBr(holds, rest, &blocks_.first(),
                    llvm::MDBuilder(at.getContext()).createBranchWeights(1000, 1));
    block->getTerminator()->eraseFromParent();
  }

  Value* is_mine_or_ordered(Builder& at, Value* shadow, std::uint64_t i) {
    llvm::LoadInst* word = at.CreateAlignedLoad(
        at.getInt64Ty(), at.CreateConstInBoundsGEP1_64(at.getInt64Ty(), shadow, i), llvm::Align(8),
        "isosan.word");
    word->setAtomic(llvm::AtomicOrdering::Monotonic);
    leave_alone(*word);
    constexpr rt::Word kOwnership = rt::kExclusive | rt::kHeld | rt::kSlotField;
    Value* mine =
        at.CreateICmpEQ(at.CreateAnd(at.CreateXor(word, owner_), kOwnership), at.getInt64(0));
    return at.CreateOr(mine, at.CreateICmpULE(at.CreateXor(word, rt::kReadShared), limit_));
  }

  void check(const Access& access) {
    Instruction& read = copied(*access.instruction);
    leave_alone(read);
    Builder at(&read);
    Value* address = at.CreatePtrToInt(llvm::getLoadStorePointerOperand(&read), at.getInt64Ty());
    Value* granule =
        access.size >= rt::kGranule ? address : at.CreateAnd(address, ~(rt::kGranule - 1));
    Value* shadow = at.CreateIntToPtr(at.CreateXor(granule, rt::kShadowXor), at.getPtrTy());
    Value* all = at.getTrue();
    for (std::uint64_t i = 0; i * rt::kGranule < access.size; ++i)
      all = at.CreateAnd(all, is_mine_or_ordered(at, shadow, i));
    go_back_unless(all, read);
  }

  void ask_at_back_edges(llvm::ArrayRef<BasicBlock*> copies) {
    llvm::SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 8> edges;
    llvm::FindFunctionBackedges(*entry_->getParent(), edges);
    const llvm::SmallPtrSet<const BasicBlock*, 16> headers(copies.begin(), copies.end());
    llvm::SmallSetVector<Instruction*, 4> latches;
    for (const auto& [latch, header] : edges)
      if (headers.contains(header))
        latches.insert(const_cast<Instruction*>(latch->getTerminator()));
    for (Instruction* latch : latches) {
      leave_alone(*latch);
      Builder at(latch);
      llvm::LoadInst* poll = field(at, at.getInt32Ty(), rt::kOffsetPoll, "isosan.poll");
      poll->setAtomic(llvm::AtomicOrdering::Monotonic);
      go_back_unless(at.CreateICmpEQ(poll, at.getInt32(0)), *latch);
    }
  }

  const LeafRegion& leaf_;
  const LeafBlocks& blocks_;
  const Accesses& accesses_;
  llvm::ValueToValueMapTy copy_of_;
  BasicBlock* entry_ = nullptr;
  Value* self_ = nullptr;
  Value* owner_ = nullptr;
  Value* limit_ = nullptr;
};

}  // namespace

bool copy_lone_leaves(llvm::Function& function) {
  llvm::DominatorTree tree(function);
  Accesses accesses;
  bool any = false;
  for (const LeafRegion& leaf : find_leaf_regions(function, tree)) {
    if (is_weak(leaf.enter)) continue;
    if (accesses.empty())
      for (const Access& access : find_operations(function).accesses)
        accesses[access.instruction] = access;
    if (!ReadingLeaf(leaf, accesses).reads_only()) continue;
    const LeafBlocks blocks(leaf);
    any = true;
    if (!blocks.entered_at_first_alone()) continue;
    Results results(blocks);
    LoneCopy(leaf, blocks, accesses).make();
    results.promote(function);
  }
  return any;
}

}  // namespace isosan::pass
