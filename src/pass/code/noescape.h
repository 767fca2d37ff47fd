// Locals whose address is passed on, but stays with the thread.
//
// Model. A parameter is *noescape* if its function lets the address go nowhere but to noescape
// parameters: the greatest such set over the module. A local whose address goes nowhere else is
// seen by its own thread alone, as one whose address is never taken. What the functions called do
// to it is no event either; but they may be called with other objects as well, so these calls go to
// a copy of the function in which the parameters in question are *private*. In the copy what they
// point to counts as a local of that kind: it may be passed on in its turn.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace isosan::pass {

// Marks noescape parameters, makes the copies and has the calls go there.
void make_private_copies(llvm::Module& module);

// The body that a call is sure to run: nobody else's takes its place when the program is linked,
// or only one that was made of the same source. Null: it is not known.
llvm::Function* known_callee(const llvm::CallBase& call);

bool is_noescape(const llvm::Argument& parameter);
bool is_private(const llvm::Argument& parameter);

// Does the address of a local or parameter go where others may take it from?
bool address_escapes(const llvm::Value* object);

// The name of the function, or of the one that it is a copy of.
llvm::StringRef original_name(const llvm::Function& function);

}  // namespace isosan::pass
