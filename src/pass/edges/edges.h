// Region edges, placed before inlining and expanded after it.
//
// Model. An edge is a call of llvm.sideeffect with an operand bundle that names the function
// record:
//   call void @llvm.sideeffect() [ "isosan.enter"(ptr @record) ]
// An unknown bundle makes it a barrier for memory that escapes, so no access moves into or out of a
// region. It is an intrinsic without code and without inlining cost, so the program is inlined
// as it would be without instrumentation. Where a candidate was inlined into a function that is
// likely a region itself, its edges become weak. Stores still do not move across them, but a read
// may be merged with one outside, or leave a loop, where nothing between could change it; it stays
// in the outer region. `this` is not an operand: it would make every local object escape. After the
// optimiser expand_edges() turns each edge into
//   if (record.flags != 0) isosan.enter(&record, this)         (nested_calls.h)
//
// Law: on every path out of a candidate function, by return, by exception or by a tail call, the
// exits balance the entries. longjmp leaves without exits: around each call that returns twice
// (setjmp) insert_resyncs() saves and restores the depth of the call stack.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/claims/thread_state.h"

namespace isosan::pass {

enum class EdgeKind { kEnter, kExit };

struct Edge {
  EdgeKind kind{};
  llvm::IntrinsicInst* call = nullptr;
  llvm::GlobalVariable* record = nullptr;
};

// The edge that an instruction stands for; call is null if it is none.
Edge edge_of(llvm::Instruction& instruction);

// Is it of a function that was inlined into one that is likely a region itself?
bool is_weak(const Edge& edge);

// The byte of a function's record that says what is logged of it (log::FunctionFlags).
llvm::Value* flags_of(llvm::IRBuilder<>& at, llvm::GlobalVariable& record);

// Makes the edges of what was inlined here weak, if the function is likely a region itself. True if
// any was changed.
bool weaken_inner_edges(llvm::Function& function);

void insert_edges(llvm::Function& function, llvm::GlobalVariable& record);

// Saves the depth before each call that returns twice and restores it behind.
void insert_resyncs(llvm::Function& function);

struct LeafRegion {
  Edge enter;
  llvm::SmallVector<llvm::IntrinsicInst*, 2> exits;  // all dominated by the entry
};

// Are the edges of a leaf region logged where so many regions are open?
llvm::Value* logs_leaf(llvm::IRBuilder<>& at, llvm::Value* flags, llvm::Value* region_depth);

// Leaf regions first: their exits check whether the entry was logged.
void expand_leaf(const LeafRegion& region, ThreadState& state);
void expand_edges(llvm::Function& function, ThreadState& state);

}  // namespace isosan::pass
