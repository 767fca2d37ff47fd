#include "pass/edges/leaf_regions.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "pass/code/accesses.h"
#include "pass/edges/edges.h"
#include "pass/tables/records.h"

namespace isosan::pass {
namespace {

using EdgesOfLeaves = llvm::SmallPtrSet<const llvm::Instruction*, 16>;

// Walks from an entry edge to the exits that it dominates, past the edges of leaves.
class Walk {
 public:
  Walk(const Edge& enter, const EdgesOfLeaves& leaves, llvm::DominatorTree& tree, Weigher& weigher)
      : enter_(enter), leaves_(leaves), tree_(tree), weigher_(weigher) {
    leaf_ = scan(enter.call->getNextNode());
    for (std::size_t next = 0; leaf_ && next < blocks_.size() && next < kMostBlocks; ++next)
      leaf_ = scan(&blocks_[next]->front());
    leaf_ &= blocks_.size() <= kMostBlocks;
  }

  bool leaf() const { return leaf_; }
  bool idle() const { return leaf_ && (operations_ == 0 || (operations_ == 1 && !loops_)); }
  const llvm::SmallVectorImpl<llvm::IntrinsicInst*>& exits() const { return exits_; }

 private:
  static constexpr std::size_t kMostBlocks = 64;

  bool scan(llvm::Instruction* from) {
    for (llvm::Instruction* i = from; i != nullptr; i = i->getNextNode()) {
      if (leaves_.contains(i)) continue;
      if (const Edge edge = edge_of(*i); edge.call != nullptr) {
        if (edge.kind != EdgeKind::kExit || edge.record != enter_.record) return false;
        if (!tree_.dominates(enter_.call, i)) return false;
        exits_.push_back(edge.call);
        return true;
      }
      const Weight weight = weigher_.of(*i);
      if (weight == Weight::kCall) return false;
      operations_ += static_cast<unsigned>(weight);
      if (i->isTerminator()) return follow(*i);
    }
    return false;
  }

  bool follow(llvm::Instruction& terminator) {
    if (llvm::isa<llvm::UnreachableInst>(terminator)) return true;
    if (terminator.getNumSuccessors() == 0) return false;  // left without an exit
    for (llvm::BasicBlock* successor : llvm::successors(terminator.getParent())) {
      loops_ |= tree_.dominates(successor, terminator.getParent());
      if (seen_.insert(successor).second) blocks_.push_back(successor);
    }
    return true;
  }

  const Edge& enter_;
  const EdgesOfLeaves& leaves_;
  llvm::DominatorTree& tree_;
  Weigher& weigher_;
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen_;
  llvm::SmallVector<llvm::IntrinsicInst*, 4> exits_;
  unsigned operations_ = 0;
  bool loops_ = false;
  bool leaf_ = true;
};

llvm::SmallVector<Edge, 16> entries_of(llvm::Function& function) {
  llvm::SmallVector<Edge, 16> entries;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const Edge edge = edge_of(instruction);
    if (edge.call == nullptr || edge.kind != EdgeKind::kEnter) continue;
    if (!has_annotations(*edge.record)) entries.push_back(edge);
  }
  return entries;
}

}  // namespace

bool has_edges(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (edge_of(instruction).call != nullptr) return true;
  return false;
}

bool remove_idle_regions(llvm::Function& function, llvm::DominatorTree& tree) {
  Weigher weigher;
  bool changed = false;
  for (bool again = true; again;) {  // an outer region may be idle once its inner ones are gone
    again = false;
    const llvm::SmallVector<Edge, 16> entries = entries_of(function);
    for (const Edge& enter : llvm::reverse(entries)) {
      const Walk walk(enter, {}, tree, weigher);
      if (!walk.idle()) continue;
      for (llvm::Instruction* exit : walk.exits()) exit->eraseFromParent();
      enter.call->eraseFromParent();
      changed = again = true;
    }
  }
  return changed;
}

llvm::SmallVector<LeafRegion, 8> find_leaf_regions(llvm::Function& function,
                                                   llvm::DominatorTree& tree) {
  const EdgesOfLeaves none;
  Weigher weigher;
  EdgesOfLeaves known;
  llvm::SmallVector<LeafRegion, 8> leaves;
  const llvm::SmallVector<Edge, 16> entries = entries_of(function);
  const llvm::GlobalVariable* own = own_record(function);
  const bool has_own_edge =
      llvm::any_of(entries, [own](const Edge& enter) { return enter.record == own; });
  for (bool again = true; again;) {  // an outer region may be a leaf once its inner ones are known
    again = false;
    for (const Edge& enter : llvm::reverse(entries)) {
      if (known.contains(enter.call)) continue;
      const bool may_nest = has_own_edge && enter.record != own;
      const Walk walk(enter, may_nest ? known : none, tree, weigher);
      if (!walk.leaf()) continue;
      leaves.push_back({enter, {walk.exits().begin(), walk.exits().end()}});
      known.insert(enter.call);
      known.insert(walk.exits().begin(), walk.exits().end());
      again = true;
    }
  }
  return leaves;
}

}  // namespace isosan::pass
