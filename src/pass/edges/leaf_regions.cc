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

using Edges = llvm::SmallPtrSet<const llvm::Instruction*, 16>;

// Walks from an entry edge to the exits that it dominates, past the edges of known leaves.
class Walk {
 public:
  Walk(const Edge& enter, const Edges& leaves, llvm::DominatorTree& tree, Weigher& weigher)
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
  const Edges& leaves_;
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

// The entries that are reached with no other edge of this function open: entries and exits balance
// on every path.
Edges outermost_entries(llvm::Function& function) {
  Edges outermost;
  llvm::DenseMap<llvm::BasicBlock*, int> open;  // at the beginning of the block
  llvm::SmallVector<llvm::BasicBlock*, 16> left = {&function.getEntryBlock()};
  open[left.front()] = 0;
  while (!left.empty()) {
    llvm::BasicBlock* block = left.pop_back_val();
    int depth = open[block];
    for (llvm::Instruction& instruction : *block) {
      const Edge edge = edge_of(instruction);
      if (edge.call == nullptr) continue;
      if (edge.kind == EdgeKind::kEnter && depth == 0) outermost.insert(edge.call);
      depth += edge.kind == EdgeKind::kEnter ? 1 : -1;
    }
    for (llvm::BasicBlock* next : llvm::successors(block))
      if (open.try_emplace(next, depth).second) left.push_back(next);
  }
  return outermost;
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
  const Edges none;
  Weigher weigher;
  Edges known;
  llvm::SmallVector<LeafRegion, 8> leaves;
  const llvm::SmallVector<Edge, 16> entries = entries_of(function);
  const Edges outermost = outermost_entries(function);
  for (bool again = true; again;) {  // an outer region may be a leaf once its inner ones are known
    again = false;
    for (const Edge& enter : llvm::reverse(entries)) {
      if (known.contains(enter.call)) continue;
      const Walk walk(enter, outermost.contains(enter.call) ? none : known, tree, weigher);
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
