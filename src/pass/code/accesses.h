// Which memory operations of a function are events, after the optimiser has run.
//
// Left out is memory that no other thread can see or change: locals whose address does not escape,
// constant memory (constant globals, vtables, invariant loads). A read-modify-write is its load and
// its store, both kept: without the read a lost update is invisible. Vtable pointers are apart: they
// are events only where races are looked for (checks/vtable_pointers.h).
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace isosan::pass {

// A plain load or store, or one side of a memcpy, memmove or memset, or an argument passed by
// value.
struct Access {
  llvm::Instruction* instruction = nullptr;  // the check goes before it
  llvm::Value* pointer = nullptr;
  llvm::Value* length = nullptr;  // not null: a range of this many bytes, `size` is not known
  std::uint64_t size = 0;
  llvm::Align align;
  bool is_write = false;
  bool unbounded_walk = false;                      // it may be a walk (loops/unbounded_walks.h)
  bool is_called = false;                           // its check is a call (checks/called_checks.h)
  const llvm::Instruction* described_by = nullptr;  // a merged access: whose place and field it has
  std::vector<llvm::Instruction*> members;          // and all of it, as they stand
  struct Block {
    std::int64_t from = 0;  // relative to `pointer`
    std::uint64_t size = 0;
  } block{};  // not empty: bytes around it that are read soon, to be claimed with it
};

struct Operations {
  std::vector<Access> accesses;             // in the order of the blocks; a copy reads, then writes
  std::vector<llvm::Instruction*> atomics;  // atomic loads, stores, read-modify-writes; fences
  std::vector<llvm::LoadInst*> guards;      // of function-local statics
  std::vector<llvm::Instruction*> vtable_pointers;  // loads and stores of them
};

Operations find_operations(llvm::Function& function);

// A call of libm, which may set errno but never waits and never calls back.
bool is_arithmetic(const llvm::CallBase& call);

// Marks the instruction with `nosanitize`: it is not instrumented.
void mark_nosanitize(llvm::Value& instruction);

// What one instruction contributes to a region, as other threads can see it. kMore: several
// accesses, or an atomic operation that reads and writes.
enum class Weight { kNothing, kOneAccess, kMore, kCall };
class Weigher {
 public:
  Weight of(const llvm::Instruction& instruction);

 private:
  llvm::DenseMap<const llvm::Value*, bool> escapes_;
};

}  // namespace isosan::pass
