// In full mode the members of a merged access (merge.h) are operations of their own, so that a
// schedule can stop between them.
//
// Model. Before the claim of a merged access is called (from a cold block), or its check where that
// is a call, the thread's tag is compared with the one that never hits, which a thread has in full
// mode (and one that is not observed). With that a copy of the accesses runs in place of them, each
// behind its own check. Inline, the path of an access that hits stays as it is.
#pragma once

#include <vector>

#include "llvm/IR/Instructions.h"
#include "pass/claims/thread_state.h"
#include "pass/code/accesses.h"

namespace isosan::pass {

class PartEmitter {
 public:
  explicit PartEmitter(ThreadState& state) : state_(state) {}

  // `claim` is the call of the claim or check function; sites: of the members, in their order.
  void add(const Access& access, llvm::CallInst& claim, std::vector<llvm::Constant*> sites);
  // Once, when all checks are there: what follows an access may use what it has read.
  void emit();

 private:
  struct Group {
    std::vector<llvm::Instruction*> members;
    std::vector<llvm::Constant*> sites;
    llvm::CallInst* claim;
  };
  void emit(const Group& group);

  ThreadState& state_;
  std::vector<Group> groups_;
};

}  // namespace isosan::pass
