// Atomic operations: the operation itself stays in the program, between two calls of the runtime
// that hold its word and then log what was done, with its memory order as it turned out (a
// compare-exchange that failed is a load).
#pragma once

#include "llvm/IR/Instructions.h"
#include "pass/tables/field_names.h"
#include "pass/tables/records.h"

namespace isosan::pass {

// An atomic load, store, read-modify-write or compare-exchange, or a fence.
void instrument_atomic(llvm::Instruction& operation, SiteTable& sites, const FieldNames& fields);

// The acquire load of a static's guard: where it says "done", the initializer is ordered before us.
void instrument_guard(llvm::LoadInst& guard, SiteTable& sites);

}  // namespace isosan::pass
