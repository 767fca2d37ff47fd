#include "pass/checks/comparisons.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace isosan::pass {

void keep_comparisons(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr) continue;
    if (callee->getName() == "memcmp" || callee->getName() == "bcmp")
      call->addFnAttr(llvm::Attribute::NoBuiltin);
  }
}

}  // namespace isosan::pass
