// Functions that may be run without a log, with all that they call.
//
// Model. As with leaves (lone_leaves.h), but of whole functions: those that read what is shared,
// write to nothing but their own locals, and call nobody but functions of the same kind and libm:
// the greatest such set over the module. The copy of such a function (`NAME.lone`) has neither
// edges nor marks, and calls copies. Where it finds a word that is another's, or that somebody
// asks, the thread is at rest no more (ThreadBlock::rests), and all return at once with whatever
// value. The function itself asks for its copy first, where the thread is at rest; it goes on as it
// is for all others if the thread is not at rest any more behind that. Nobody can tell that the
// copy ran.
#pragma once

#include "llvm/IR/Module.h"

namespace isosan::pass {

// Behind make_private_copies().
void make_lone_functions(llvm::Module& module);

// Such a copy is not to be instrumented.
bool is_lone_copy(const llvm::Function& function);

}  // namespace isosan::pass
