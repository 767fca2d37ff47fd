// Atomic operations: the operation itself stays in the program, between two calls of the runtime
// that hold its word and then log the operation, with the memory order that it had (a
// compare-exchange that failed is a load).
#pragma once

#include "llvm/IR/Instructions.h"
#include "pass/tables/field_names.h"
#include "pass/tables/records.h"

namespace isosan::pass {

// An atomic load, store, read-modify-write or compare-exchange, or a fence.
void instrument_atomic(llvm::Instruction& operation, SiteTable& sites, const FieldNames& fields);

// The acquire load of a static's guard: if it is set, the initializer is ordered before this
// thread.
void instrument_guard(llvm::LoadInst& guard, SiteTable& sites);

}  // namespace isosan::pass
