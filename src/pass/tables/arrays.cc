#include "pass/tables/arrays.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "pass/tables/field_names.h"

namespace isosan::pass {
namespace {

using llvm::Value;

// `p` in a loop that ends with `p = p + n`.
bool advances(const llvm::PHINode& pointer) {
  for (const llvm::Use& incoming : pointer.incoming_values()) {
    const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(incoming.get());
    if (gep != nullptr && gep->getPointerOperand()->stripPointerCasts() == &pointer) return true;
  }
  return false;
}

bool has_index(const Value* pointer) {
  while (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    if (!gep->hasAllConstantIndices()) return true;
    pointer = gep->getPointerOperand();
  }
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer);
  return phi != nullptr && advances(*phi);
}

}  // namespace

bool is_of_array(const Access& access, const FieldNames& fields) {
  if (access.length != nullptr) return true;
  if (!fields.of_access(*access.instruction, *access.pointer).field.empty()) return false;
  return has_index(access.pointer);
}

}  // namespace isosan::pass
