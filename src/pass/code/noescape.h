// Finds locals whose address is passed on but does not leave the thread.
//
// Model. A parameter is *noescape* if its function passes the address on to nothing but noescape
// parameters: the greatest such set over the module. A local whose address goes nowhere else is
// seen only by its own thread, like a local whose address is never taken. Accesses to it in the
// called functions are no events either. But those functions may be called with other objects as
// well. So these calls go to a copy of the function in which the parameters in question are
// *private*. In the copy, what they point to counts as such a local: it may be passed on in its
// turn.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace isosan::pass {

// Marks noescape parameters, makes the copies and redirects the calls.
void make_private_copies(llvm::Module& module);

// The body that a call is sure to run: the linker does not replace it, or only by one made of the
// same source. Null: it is not known.
llvm::Function* known_callee(const llvm::CallBase& call);

bool is_noescape(const llvm::Argument& parameter);
bool is_private(const llvm::Argument& parameter);

// Can another thread get the address of a local or parameter?
bool address_escapes(const llvm::Value* object);

// The name of the function, or of the one that it is a copy of.
llvm::StringRef original_name(const llvm::Function& function);

}  // namespace isosan::pass
