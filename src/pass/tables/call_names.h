// What a call does to threads, by the qualified name of the function that is called.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace isosan::pass {

bool notifies(llvm::StringRef name);  // tells waiting threads to go on
// Waits for another thread, for another process or for time to pass.
bool waits(llvm::StringRef name);
bool takes_lock(llvm::StringRef name);  // or tries to
bool gives_lock_up(llvm::StringRef name);
bool starts_thread(llvm::StringRef name);

}  // namespace isosan::pass
