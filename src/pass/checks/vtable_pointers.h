// Checks of vtable pointers.
//
// Model. A virtual call reads the vtable pointer of its object, constructors and destructors write
// it. A call that meets a destructor of a base class finds another function: a race. A destructor
// that finds the pointer of its own class there, as that of the most derived class does, changes
// nothing and writes nothing. As a virtual call is cheap and its reads hardly ever race, they are
// events only where races are looked for: the check is behind a test of
// ThreadBlock::vtable_pointers, which is off otherwise, and is a call (called_checks.h).
#pragma once

#include "llvm/IR/Instructions.h"
#include "pass/claims/thread_state.h"
#include "pass/code/accesses.h"

namespace isosan::pass {

// The access by a load or store of a vtable pointer, to be checked in a new block that is executed
// only where it counts.
Access guard_vtable_pointer(llvm::Instruction& instruction, ThreadState& state);

}  // namespace isosan::pass
