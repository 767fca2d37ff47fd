// Which functions get region edges.
//
// A candidate may be chosen as a region at start-up (a flag byte in its record), so every function
// that could matter is one. Left out are functions whose region could never be part of a violation,
// or that no user could choose:
// - trivial leaves (no call, at most one access to shared memory: such a transaction is
//   serializable wherever it happens);
// - library code;
// - coroutines before they are split (their frames outlive the call);
// - naked functions, and functions with attributes against sanitizing.
#pragma once

#include "llvm/IR/Function.h"

namespace isosan::pass {

// May this function be instrumented at all?
bool may_instrument(const llvm::Function& function);

bool has_loops(const llvm::Function& function);
bool is_trivial_leaf(const llvm::Function& function);

bool is_region_candidate(const llvm::Function& function);

}  // namespace isosan::pass
