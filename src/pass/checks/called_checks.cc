#include "pass/checks/called_checks.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <string>

#include "llvm/IR/IRBuilder.h"
#include "pass/checks/check_emitter.h"
#include "pass/claims/claim_builder.h"
#include "pass/claims/thread_state.h"

namespace isosan::pass {
namespace {

constexpr std::size_t kFewChecks = 4;
constexpr std::size_t kMostInline = 16;  // in one function

// The others have a slow path of their own, or no inline check.
bool is_plain(const Access& access) {
  return !access.unbounded_walk && access.block.size == 0 && has_inline_check(access);
}

}  // namespace

void mark_called_checks(std::vector<Access>& accesses, const llvm::LoopInfo& loops) {
  if (accesses.size() <= kFewChecks) return;
  const auto depth_of = [&](const Access* access) {
    return loops.getLoopDepth(access->instruction->getParent());
  };
  std::vector<Access*> repeated;
  for (Access& access : accesses) {
    if (!is_plain(access)) continue;
    access.is_called = true;
    if (depth_of(&access) > 0) repeated.push_back(&access);
  }
  std::ranges::stable_sort(repeated, std::greater{}, depth_of);
  for (Access* access : repeated | std::views::take(kMostInline)) access->is_called = false;
}

llvm::Function& check_function(llvm::Module& module, const Access& access) {
  const std::string name = std::string("isosan.check.") + (access.is_write ? "write." : "read.") +
                           std::to_string(access.size);
  if (llvm::Function* known = module.getFunction(name)) return *known;
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::Function& function = declare_claim(module, name, {pointer, pointer});
  llvm::IRBuilder<> at(llvm::BasicBlock::Create(module.getContext(), "", &function));
  Access any;
  any.instruction = at.CreateRetVoid();
  any.pointer = function.getArg(0);
  any.size = access.size;
  any.align = llvm::Align(access.size < 8 ? access.size : 8);
  any.is_write = access.is_write;
  ThreadState state(function);
  CheckEmitter(state).emit(any, function.getArg(1));
  state.finish();
  return function;
}

}  // namespace isosan::pass
