#include "pass/loops/counted_loops.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "pass/claims/claim_functions.h"
#include "pass/edges/leaf_regions.h"
#include "runtime/contract/fast_path.h"
#include "runtime/contract/log_format.h"

namespace isosan::pass {
namespace {

using llvm::Instruction;
using llvm::Loop;
using llvm::SCEV;
using llvm::Value;

constexpr std::uint64_t kFewestRounds = 4;
constexpr const char* kFewRounds = "isosan.few_rounds";

struct Member {
  const Access* access = nullptr;
  const SCEV* start = nullptr;
  const SCEV* step = nullptr;  // null: the same bytes in every round
  std::int64_t distance = 0;   // the step, where it is constant; else 0
  std::int64_t offset = 0;     // from the start of its group's first member
};
using Group = llvm::SmallVector<Member, 4>;  // one kind, one step, constant offsets
// Edges of leaf regions, and the record of the function.
using LeafEdges = llvm::DenseMap<const Instruction*, llvm::GlobalVariable*>;

// The loop has nothing that another thread could wait for, and nothing that leaves it. Edges of
// leaf regions are allowed.
bool is_plain(const Loop& loop, const LeafEdges& leaves) {
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const Instruction& instruction : *block) {
      if (leaves.contains(&instruction)) continue;
      if (instruction.isAtomic() || instruction.isVolatile() || instruction.mayThrow())
        return false;
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || is_arithmetic(*call)) continue;
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
      if (intrinsic == nullptr || call->hasOperandBundles()) return false;
      if (!intrinsic->doesNotAccessMemory() && !intrinsic->isAssumeLikeIntrinsic()) return false;
    }
  }
  return true;
}

LeafEdges edges_of_leaves(llvm::Function& function, llvm::DominatorTree& tree) {
  LeafEdges edges;
  for (const LeafRegion& leaf : find_leaf_regions(function, tree)) {
    edges.insert({leaf.enter.call, leaf.enter.record});
    for (llvm::IntrinsicInst* exit : leaf.exits) edges.insert({exit, leaf.enter.record});
  }
  return edges;
}

bool has_shape(const Loop& loop) {
  return loop.getLoopPreheader() != nullptr && loop.hasDedicatedExits() &&
         loop.getExitBlock() != nullptr && loop.getExitingBlock() != nullptr &&
         loop.getExitingBlock() == loop.getLoopLatch() && loop.isSafeToClone();
}

class LoopSplitter {
 public:
  LoopSplitter(llvm::Function& function, const std::vector<Access>& accesses,
               const LoopAnalyses& analyses)
      : analyses_(analyses),
        evolution_(analyses.evolution),
        expander_(evolution_, function.getDataLayout(), "isosan"),
        leaves_(edges_of_leaves(function, analyses.tree)) {
    for (const Access& access : accesses) {
      Loop* loop = analyses.loops.getLoopFor(access.instruction->getParent());
      if (loop != nullptr) by_loop_[loop].push_back(&access);
    }
  }

  std::vector<Walk> run() {
    for (Loop* loop : analyses_.loops.getLoopsInPreorder()) {
      if (!loop->isInnermost() || !by_loop_.contains(loop) || !is_plain(*loop, leaves_)) continue;
      llvm::simplifyLoop(loop, &analyses_.tree, &analyses_.loops, &evolution_, nullptr, nullptr,
                         /*PreserveLCSSA=*/false);
      if (has_shape(*loop)) consider(*loop);
    }
    return std::move(walks_);
  }

 private:
  void consider(Loop& loop) {
    const SCEV* rounds = evolution_.getBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(rounds) ||
        evolution_.getTypeSizeInBits(rounds->getType()) > 64 || !can_expand(rounds, loop))
      return;
    if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(rounds))
      if (constant->getAPInt().ult(kFewestRounds - 1)) return;
    llvm::SmallVector<Group, 4> groups;
    llvm::SmallVector<Instruction*, 8> claimed;
    bool walks_somewhere = false;
    for (const Access* access : by_loop_[&loop]) {
      Member member{access};
      if (!walks(loop, member)) continue;
      walks_somewhere |= member.step != nullptr;
      claimed.push_back(access->instruction);
      join(groups, member);
    }
    if (walks_somewhere) split(loop, rounds, groups, claimed);
  }

  bool can_expand(const SCEV* value, const Loop& loop) const {
    return expander_.isSafeToExpandAt(value, loop.getLoopPreheader()->getTerminator());
  }

  // Does the access happen in every round, with a constant stride?
  bool walks(const Loop& loop, Member& member) const {
    const Access& access = *member.access;
    if (access.length != nullptr || access.size > rt::kGranule ||
        !llvm::isPowerOf2_64(access.size) || access.align < access.size ||
        !llvm::isa<llvm::LoadInst, llvm::StoreInst>(access.instruction) ||
        !analyses_.tree.dominates(access.instruction->getParent(), loop.getLoopLatch()))
      return false;
    const SCEV* place = evolution_.getSCEV(access.pointer);
    if (evolution_.isLoopInvariant(place, &loop)) {
      member.start = place;
      return can_expand(place, loop);
    }
    const auto* walk = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    if (walk == nullptr || walk->getLoop() != &loop || !walk->isAffine()) return false;
    member.start = walk->getStart();
    member.step = walk->getStepRecurrence(evolution_);
    if (!can_expand(member.start, loop) || !can_expand(member.step, loop)) return false;
    const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(member.step);
    if (constant == nullptr) return evolution_.getTypeSizeInBits(member.step->getType()) == 64;
    if (constant->getAPInt().getSignificantBits() > 32) return false;
    member.distance = constant->getAPInt().getSExtValue();
    return static_cast<std::uint64_t>(std::abs(member.distance)) >= access.size;
  }

  void join(llvm::SmallVectorImpl<Group>& groups, Member member) {
    for (Group& group : groups) {
      const Member& first = group.front();
      if (first.step != member.step || first.access->is_write != member.access->is_write) continue;
      const auto* distance =
          llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(member.start, first.start));
      if (distance == nullptr || distance->getAPInt().getSignificantBits() > 32) continue;
      member.offset = distance->getAPInt().getSExtValue();
      group.push_back(member);
      return;
    }
    groups.push_back({member});
  }

  void split(Loop& loop, const SCEV* rounds, llvm::MutableArrayRef<Group> groups,
             llvm::ArrayRef<Instruction*> claimed) {
    llvm::formLCSSA(loop, analyses_.tree, &analyses_.loops, &evolution_);
    llvm::BasicBlock* const choice = loop.getLoopPreheader();
    Instruction* const end = choice->getTerminator();
    llvm::IRBuilder<> at(end);
    Value* count = at.CreateAdd(
        at.CreateZExt(expander_.expandCodeFor(rounds, rounds->getType(), end), at.getInt64Ty()),
        at.getInt64(1), "isosan.rounds");
    const std::size_t before = walks_.size();
    for (Group& group : groups) add_walks(at, group, count);
    join_updates(before);
    Value* whole = at.CreateAnd(
        appends_inline(at), at.CreateICmpUGE(count, at.getInt64(kFewestRounds)), "isosan.whole");
    llvm::SmallVector<Instruction*, 8> edges = leaf_edges_in(loop);
    if (come_before(claimed, edges)) edges.clear();  // they stay
    if (!edges.empty()) whole = at.CreateAnd(whole, are_not_logged(at, edges));
    llvm::ValueToValueMapTy copy_of;
    Loop& copy = make_copy(loop, *choice, whole, copy_of);
    for (Instruction* instruction : claimed) {
      mark_nosanitize(*copy_of[instruction]);
      instruction->setMetadata(kFewRounds, llvm::MDNode::get(instruction->getContext(), {}));
    }
    for (Instruction* edge : edges)
      llvm::cast<Instruction>(static_cast<Value*>(copy_of[edge]))->eraseFromParent();
    mark_nosanitize(*copy.getLoopLatch()->getTerminator());
    for (Walk& walk : llvm::MutableArrayRef(walks_).drop_front(before))
      walk.before = copy.getLoopPreheader()->getTerminator();
    evolution_.forgetLoop(&loop);
  }

  static Value* load_field(llvm::IRBuilder<>& at, llvm::Type* type, std::size_t offset) {
    Value* self = load_self(at);
    Value* field = at.CreateLoad(type, at.CreateConstInBoundsGEP1_64(at.getInt8Ty(), self, offset));
    mark_nosanitize(*self);
    mark_nosanitize(*field);
    return field;
  }

  // True in the modes in which the inline path appends.
  static Value* appends_inline(llvm::IRBuilder<>& at) {
    return at.CreateICmpNE(load_field(at, at.getInt64Ty(), rt::kOffsetOwner),
                           at.getInt64(rt::kNeverOwner));
  }

  llvm::SmallVector<Instruction*, 8> leaf_edges_in(const Loop& loop) const {
    llvm::SmallVector<Instruction*, 8> edges;
    for (llvm::BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block)
        if (leaves_.contains(&instruction)) edges.push_back(&instruction);
    return edges;
  }

  // Does the function itself access in every round what it claims, before it calls a leaf?
  bool come_before(llvm::ArrayRef<Instruction*> claimed, llvm::ArrayRef<Instruction*> edges) const {
    return llvm::all_of(claimed, [&](const Instruction* access) {
      return llvm::all_of(
          edges, [&](const Instruction* edge) { return analyses_.tree.dominates(access, edge); });
    });
  }

  // True: none of these edges is logged (expand_leaf).
  Value* are_not_logged(llvm::IRBuilder<>& at, llvm::ArrayRef<Instruction*> edges) const {
    Value* depth = load_field(at, at.getInt32Ty(), rt::kOffsetRegionDepth);
    Value* none = at.getTrue();
    llvm::SmallPtrSet<llvm::GlobalVariable*, 8> records;
    for (Instruction* edge : edges) {
      llvm::GlobalVariable* record = leaves_.lookup(edge);
      if (!records.insert(record).second) continue;
      Value* flags = flags_of(at, *record);
      mark_nosanitize(*flags);
      none = at.CreateAnd(none, at.CreateNot(logs_leaf(at, flags, depth)));
    }
    return none;
  }

  static std::int64_t end_of(const Member& m) {
    return m.offset + static_cast<std::int64_t>(m.access->size);
  }

  // Does the member belong to the element [first.offset, end)? A walking one does if it touches
  // it; one that stays in place only as far as the check is inline: whole granules, a few of them.
  static bool joins(const Member& first, std::int64_t end, const Member& member) {
    if (first.step == nullptr) {
      const bool granules = first.access->size == rt::kGranule &&
                            member.access->size == rt::kGranule &&
                            end_of(member) - first.offset <= 32;
      return end_of(member) <= end || (granules && member.offset == end);
    }
    return first.distance != 0 && member.offset <= end;
  }

  // Members that touch or overlap are one element.
  void add_walks(llvm::IRBuilder<>& at, Group& group, Value* count) {
    std::ranges::stable_sort(group, {}, &Member::offset);
    for (std::size_t i = 0; i < group.size();) {
      const Member& first = group[i];
      std::int64_t end = end_of(first);
      for (++i; i < group.size() && joins(first, end, group[i]); ++i)
        end = std::max(end, end_of(group[i]));
      walks_.push_back(make_walk(at, first, static_cast<std::uint64_t>(end - first.offset), count));
    }
  }

  // Of the walks from `first` on: a write that is always right behind a read of the same bytes.
  void join_updates(std::size_t first) {
    const auto walks = llvm::MutableArrayRef(walks_).drop_front(first);
    for (Walk& read : walks) {
      if (read.access.is_write || read.count == nullptr) continue;
      for (Walk& write : walks)
        if (follows(write, read)) read.updates = std::exchange(write.access.instruction, nullptr);
    }
    std::erase_if(walks_, [](const Walk& walk) { return walk.access.instruction == nullptr; });
  }

  bool follows(const Walk& write, const Walk& read) const {
    return write.access.instruction != nullptr && write.access.is_write && write.count != nullptr &&
           write.size == read.size && write.contiguous == read.contiguous &&
           write.start == read.start && write.step == read.step && read.updates == nullptr &&
           analyses_.tree.dominates(read.access.instruction, write.access.instruction);
  }

  Walk make_walk(llvm::IRBuilder<>& at, const Member& member, std::uint64_t size, Value* count) {
    Walk walk{*member.access};
    walk.first = expander_.expandCodeFor(member.start, member.access->pointer->getType(),
                                         &*at.GetInsertPoint());
    walk.size = size;
    if (member.step == nullptr) return walk;
    walk.start = member.start;
    walk.step = member.step;
    walk.count = count;
    walk.stride = expander_.expandCodeFor(member.step, at.getInt64Ty(), &*at.GetInsertPoint());
    const auto stride = static_cast<std::uint64_t>(std::abs(member.distance));
    if (size < stride || stride == 0) return walk;
    Value* way = at.CreateMul(at.CreateSub(count, at.getInt64(1)), at.getInt64(stride));
    if (member.distance < 0)
      walk.first = at.CreateGEP(at.getInt8Ty(), walk.first, at.CreateNeg(way));
    walk.count = at.CreateAdd(way, at.getInt64(size));
    walk.contiguous = true;
    return walk;
  }

  // The copy runs where `chosen` holds; both meet behind the loop.
  Loop& make_copy(Loop& loop, llvm::BasicBlock& choice, Value* chosen,
                  llvm::ValueToValueMapTy& copy_of) {
    llvm::BasicBlock* own =
        llvm::SplitBlock(&choice, choice.getTerminator(), &analyses_.tree, &analyses_.loops);
    llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
    Loop* copy = llvm::cloneLoopWithPreheader(own, &choice, &loop, copy_of, ".whole",
                                              &analyses_.loops, &analyses_.tree, blocks);
    llvm::remapInstructionsInBlocks(blocks, copy_of);
    llvm::ReplaceInstWithInst(choice.getTerminator(),
                              llvm::BranchInst::Create(copy->getLoopPreheader(), own, chosen));
    llvm::BasicBlock* const exit = loop.getExitBlock();
    analyses_.tree.changeImmediateDominator(exit, &choice);
    for (llvm::PHINode& phi : exit->phis()) {
      Value* value = phi.getIncomingValueForBlock(loop.getExitingBlock());
      const auto copied = copy_of.find(value);
      phi.addIncoming(copied != copy_of.end() ? static_cast<Value*>(copied->second) : value,
                      copy->getExitingBlock());
    }
    return *copy;
  }

  const LoopAnalyses& analyses_;
  llvm::ScalarEvolution& evolution_;
  llvm::SCEVExpander expander_;
  const LeafEdges leaves_;
  llvm::DenseMap<const Loop*, llvm::SmallVector<const Access*, 4>> by_loop_;
  std::vector<Walk> walks_;
};

}  // namespace

bool is_short_of_rounds(const Instruction& access) { return access.hasMetadata(kFewRounds); }

std::vector<Walk> split_counted_loops(llvm::Function& function, const std::vector<Access>& accesses,
                                      const LoopAnalyses& analyses) {
  return LoopSplitter(function, accesses, analyses).run();
}

}  // namespace isosan::pass
