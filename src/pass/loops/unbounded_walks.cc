#include "pass/loops/unbounded_walks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/loops/counted_loops.h"

namespace isosan::pass {
namespace {

using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

constexpr std::size_t kMostSteps = 32;  // of the search back from an address

// Which operands of an instruction of the loop its value is made of; false: of more than these.
bool is_made_of(const Instruction& made, llvm::SmallVectorImpl<const Value*>& operands) {
  if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::CastInst, llvm::BinaryOperator,
                llvm::FreezeInst>(made)) {
    operands.append(made.value_op_begin(), made.value_op_end());
    return true;
  }
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&made)) {
    operands.append({select->getTrueValue(), select->getFalseValue()});
    return true;
  }
  return llvm::isa<llvm::CmpInst>(made);  // 0 or 1
}

bool is_of_loop_variables(const Loop& loop, const Value* address) {
  llvm::SmallVector<const Value*, 16> left = {address};
  llvm::SmallPtrSet<const Value*, 16> seen;
  bool changes = false;
  while (!left.empty()) {
    const Value* value = left.pop_back_val();
    const auto* made = llvm::dyn_cast<Instruction>(value);
    if (made == nullptr || !loop.contains(made) || !seen.insert(value).second) continue;
    if (seen.size() > kMostSteps || !is_made_of(*made, left)) return false;
    changes |= made->getParent() == loop.getHeader() && llvm::isa<llvm::PHINode>(made);
  }
  return changes;
}

// A called function may be a region, whose edges end every walk.
bool has_no_calls(const Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
        return false;
  return true;
}

bool fits(const Access& access) {
  return access.length == nullptr && access.block.size == 0 && access.size <= 8 &&
         access.align >= access.size && !is_short_of_rounds(*access.instruction) &&
         llvm::isa<llvm::LoadInst, llvm::StoreInst>(access.instruction);
}

}  // namespace

void mark_unbounded_walks(std::vector<Access>& accesses, const llvm::LoopInfo& loops) {
  llvm::DenseMap<const Loop*, bool> plain;
  for (Access& access : accesses) {
    const Loop* loop = loops.getLoopFor(access.instruction->getParent());
    if (loop == nullptr || !fits(access)) continue;
    const auto [known, is_new] = plain.try_emplace(loop, false);
    if (is_new) known->second = has_no_calls(*loop);
    access.unbounded_walk = known->second && is_of_loop_variables(*loop, access.pointer);
  }
}

}  // namespace isosan::pass
