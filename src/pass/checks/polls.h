// Safe points: where a thread checks whether another thread requests one of its words (rule 4).
//
// Law: a thread that never stops polls infinitely often. So there is one poll at each loop's back
// edge, and one at the entry of each function that calls others (recursion); straight code without
// calls needs none. A poll is a load and a branch; the call behind it keeps all registers.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "pass/claims/thread_state.h"

namespace isosan::pass {

class Polls {
 public:
  explicit Polls(llvm::Function& function);  // finds the points, before blocks are split

  void emit(ThreadState& state);

 private:
  llvm::SmallVector<llvm::Instruction*, 8> points_;
};

}  // namespace isosan::pass
