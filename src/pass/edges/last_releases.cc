#include "pass/edges/last_releases.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "pass/claims/runtime_calls.h"
#include "pass/code/accesses.h"
#include "pass/edges/edges.h"

namespace isosan::pass {
namespace {

constexpr int kFarthest = 64;  // instructions

bool gives_up_lock(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  if (callee == nullptr || call->arg_size() != 1) return false;
  return callee->getName() == "pthread_mutex_unlock" ||
         callee->getName() == "pthread_rwlock_unlock";
}

// The record of the call that ends behind the instruction, if nothing else happens before; or null.
llvm::GlobalVariable* ends_behind(llvm::Instruction& instruction, Weigher& weigher) {
  llvm::Instruction* at = instruction.getNextNode();
  for (int i = 0; i < kFarthest && at != nullptr; ++i) {
    if (const Edge edge = edge_of(*at); edge.call != nullptr)
      return edge.kind == EdgeKind::kExit ? edge.record : nullptr;
    if (at->isTerminator()) {
      llvm::BasicBlock* next = at->getParent()->getSingleSuccessor();
      at = next != nullptr ? &next->front() : nullptr;
    } else {
      at = weigher.of(*at) == Weight::kNothing ? at->getNextNode() : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

void mark_last_releases(llvm::Function& function) {
  Weigher weigher;
  llvm::SmallVector<std::pair<llvm::Instruction*, llvm::GlobalVariable*>, 2> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!gives_up_lock(instruction)) continue;
    if (llvm::GlobalVariable* record = ends_behind(instruction, weigher))
      found.emplace_back(&instruction, record);
  }
  for (const auto& [release, record] : found) {
    llvm::IRBuilder<> at(release);
    call_runtime(at, "__isosan_last_release", {record, release->getOperand(0)});
  }
}

}  // namespace isosan::pass
