#include "pass/code/candidates.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "pass/code/accesses.h"
#include "pass/code/names.h"

namespace isosan::pass {
bool may_instrument(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasFnAttribute(llvm::Attribute::Naked) &&
         !function.hasFnAttribute(llvm::Attribute::DisableSanitizerInstrumentation) &&
         !function.getName().starts_with("__isosan_") && !function.getName().starts_with("isosan.");
}

bool has_loops(const llvm::Function& function) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> loops;
  llvm::FindFunctionBackedges(function, loops);
  return !loops.empty();
}

bool is_trivial_leaf(const llvm::Function& function) {
  if (has_loops(function)) return false;
  unsigned accesses = 0;
  Weigher weigher;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    accesses += static_cast<unsigned>(weigher.of(instruction));
  return accesses <= 1;
}

bool is_region_candidate(const llvm::Function& function) {
  return may_instrument(function) && !function.isPresplitCoroutine() &&
         !is_library_code(function) && !is_trivial_leaf(function);
}

}  // namespace isosan::pass
