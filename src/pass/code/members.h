// Does a member function use what its object keeps, and nothing that it was handed for this call?
//
// Model: `this->p->x`, `this->list[i]`, `this->p.get()->x`: an access *goes through a member* if its
// address is computed from a pointer that lies in the object that the function was called on, or
// that a call on such a member returned, or from a pointer found there. Marathon takes such an
// object for a part of the one that keeps the pointer (the paper's *owned*). What is found by way of
// a parameter, or returned by any other call, is foreign. Read off the body before inlining. Lambdas
// do not keep what they capture.
#pragma once

#include "llvm/IR/Function.h"

namespace isosan::pass {

// Some access goes through a member, and none to a foreign object.
bool uses_its_members(const llvm::Function& function);

}  // namespace isosan::pass
