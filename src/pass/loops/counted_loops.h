// Counted loops: one check before the loop instead of one in every round (rule 12).
//
// Model. An innermost loop whose number of rounds is known when it is entered, that leaves only at
// its end and has no calls, is duplicated. Some accesses happen in every round and walk at a fixed
// stride, or stay in place. The copy has no polls and no checks of these accesses: before it
// are calls that claim and log all their bytes at once, exactly the bytes that the loop will
// touch.
// - Walks of one base that together leave no gap are one range; others are strided.
// - Bytes that are read and then written in the same round are claimed for both at once.
// - Other accesses are checked as usual, in the copy too.
// - Edges of leaf regions stay in the copy if what is claimed comes before them in every round.
//   Else they are left out of the copy, and the copy is taken only where they would not be logged,
//   inside another region.
//
// The copy is taken where the inline path appends to the log (ThreadBlock::owner), so neither in
// strict nor in full mode, and where there are enough rounds to pay for the calls. Law: in the copy
// a claim may come long before its access. No other thread can take the word in order before the
// access, but a race may be logged on the wrong side of the loop (runtime.md, what is
// guaranteed).
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "pass/code/accesses.h"

namespace isosan::pass {

// Bytes that a loop will touch: elements of `size` bytes.
struct Walk {
  Access access;                        // one that walks there: names place and kind
  llvm::Instruction* before = nullptr;  // where the claim goes
  llvm::Value* first = nullptr;         // pointer to the first element
  llvm::Value* count = nullptr;         // elements; where they adjoin (contiguous) bytes; null: the
                                        // same `size` bytes in every round
  llvm::Value* stride = nullptr;        // in bytes, may be negative
  const llvm::SCEV* start = nullptr;    // of `first` and `stride`, as the loop has them
  const llvm::SCEV* step = nullptr;
  std::uint64_t size = 0;
  bool contiguous = false;
  llvm::Instruction* updates = nullptr;  // a store that walks along, behind the load `access`
};

struct LoopAnalyses {
  llvm::LoopInfo& loops;
  llvm::DominatorTree& tree;
  llvm::ScalarEvolution& evolution;
};

// Splits the loops of the function. In the copies what is claimed before, and the back edge, has
// the metadata `nosanitize`. Changes the control flow; no analysis is kept but the three given.
std::vector<Walk> split_counted_loops(llvm::Function& function, const std::vector<Access>& accesses,
                                      const LoopAnalyses& analyses);

// Is it one of those accesses, in the loop that is taken if there are few rounds?
bool is_short_of_rounds(const llvm::Instruction& access);

}  // namespace isosan::pass
