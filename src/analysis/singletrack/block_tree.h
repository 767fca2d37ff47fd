// Deterministic blocks: which of them an operation is in.
//
// Model: a block is one execution of a deterministic region. It holds the operations of the thread
// that began it, up to its end, and all operations of threads forked in it, and of theirs. Blocks
// nest: each thread has a path of blocks, outermost first; a forked thread starts with the path of
// its parent. A block is *over* when its thread has ended it and all threads forked in it are over.
// It is *parallel* once a thread was forked in it. Two operations can conflict in a block only if
// it was parallel at both of them: what came before the first fork comes before all the rest. The
// *scope* of an operation is the innermost parallel block that it is in (0: none).
// Law: two operations share a parallel block exactly when their scopes have a common ancestor or
// self; the innermost such one is common(a, b).
// Law: ids of parallel blocks are never reused (there are no more than threads were forked, times
// the depth); ids of other blocks are, once they are over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/singletrack/node_ref.h"
#include "event/event.h"

namespace isosan {

using BlockId = std::uint32_t;  // 0: none

struct Block {
  BlockId parent = 0;
  std::uint32_t depth = 0;  // 1: outermost
  RegionId region{};
  Where begin;
  NodeRef node;  // an outermost one's transaction
  bool parallel = false;
  std::uint32_t holders = 0;  // threads whose innermost block it is, and child blocks not over
  bool over() const { return holders == 0; }
};

class BlockTree {
 public:
  BlockTree() : blocks_(1) {}

  const Block& block(BlockId id) const { return blocks_[id]; }
  Block& block(BlockId id) { return blocks_[id]; }
  const std::vector<BlockId>& path(ThreadId t) { return thread(t).path; }
  BlockId scope(ThreadId t) { return thread(t).scope; }

  BlockId begin(const Where& where, RegionId region) {
    Thread& t = thread(where.thread);
    const BlockId parent = t.path.empty() ? 0 : t.path.back();
    const BlockId id = take_id();
    Block& block = blocks_[id] = Block{};
    block.parent = parent;
    block.depth = static_cast<std::uint32_t>(t.path.size() + 1);
    block.region = region;
    block.begin = where;
    block.holders = 1;  // the thread; the parent is now held by this block, no longer by the thread
    t.path.push_back(id);
    return id;
  }

  // Is there a block that this thread has begun and not ended?
  bool has_own(ThreadId t) { return thread(t).path.size() > thread(t).inherited; }

  // `over` is called for each block that this makes over, the innermost first.
  template <class F>
  void end(ThreadId id, F&& over) {
    leave(thread(id), over);
  }

  void fork(ThreadId parent, ThreadId child) {
    thread(index(parent) > index(child) ? parent : child);  // create both before taking references
    Thread& p = thread(parent);
    Thread& c = thread(child);
    if (p.path.empty() || !c.path.empty()) return;
    for (std::size_t i = p.path.size(); i > 0 && !blocks_[p.path[i - 1]].parallel; --i) {
      blocks_[p.path[i - 1]].parallel = true;
    }
    p.scope = p.path.back();
    c = {p.path, p.path.size(), p.scope};
    ++blocks_[p.path.back()].holders;
  }

  // The thread will do nothing more.
  template <class F>
  void thread_over(ThreadId id, F&& over) {
    Thread& t = thread(id);
    while (t.path.size() > t.inherited) leave(t, over);
    if (t.path.empty()) return;
    const BlockId last = t.path.back();
    t = {};
    release(last, over);
  }

  // The innermost parallel block that holds both of two operations with these scopes; 0: none.
  BlockId common(BlockId a, BlockId b) const {
    while (a != b) {
      if (blocks_[a].depth >= blocks_[b].depth) {
        a = blocks_[a].parent;
      } else {
        b = blocks_[b].parent;
      }
    }
    return a;
  }

  // The innermost block from `scope` outwards that is not over: only there can more happen.
  BlockId not_over(BlockId scope) const {
    while (scope != 0 && blocks_[scope].over()) scope = blocks_[scope].parent;
    return scope;
  }

 private:
  struct Thread {
    std::vector<BlockId> path;
    std::size_t inherited = 0;  // the first blocks of the path: begun by the parent
    BlockId scope = 0;
  };

  Thread& thread(ThreadId id) {
    if (index(id) >= threads_.size()) threads_.resize(index(id) + std::size_t{1});
    return threads_[index(id)];
  }

  template <class F>
  void leave(Thread& t, F& over) {
    const BlockId id = t.path.back();
    t.path.pop_back();
    t.scope = 0;
    for (std::size_t i = t.path.size(); i > 0 && t.scope == 0; --i) {
      if (blocks_[t.path[i - 1]].parallel) t.scope = t.path[i - 1];
    }
    if (!t.path.empty()) ++blocks_[t.path.back()].holders;
    release(id, over);
  }

  template <class F>
  void release(BlockId id, F& over) {
    while (id != 0 && --blocks_[id].holders == 0) {
      const BlockId parent = blocks_[id].parent;
      over(id);
      if (!blocks_[id].parallel) free_ids_.push_back(id);
      id = parent;
    }
  }

  BlockId take_id() {
    if (free_ids_.empty()) {
      blocks_.emplace_back();
      return static_cast<BlockId>(blocks_.size() - 1);
    }
    const BlockId id = free_ids_.back();
    free_ids_.pop_back();
    return id;
  }

  std::vector<Block> blocks_;
  std::vector<BlockId> free_ids_;
  std::vector<Thread> threads_;
};

}  // namespace isosan
