#include "pass/code/members.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "pass/code/names.h"

namespace isosan::pass {
namespace {

using llvm::Value;

constexpr unsigned kMostValues = 64;  // looked at, of one access

// Where a pointer comes from: what it is computed from by address arithmetic, and the values that a
// local variable may hold.
class Origins {
 public:
  // Calls f(origin) until it returns true. False: it never did.
  template <class F>
  bool any(const Value* pointer, F f) {
    work_.assign(1, pointer);
    while (!work_.empty() && seen_.size() < kMostValues) {
      const Value* const v = work_.pop_back_val();
      if (!seen_.insert(v).second) continue;
      if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(v)) {
        work_.push_back(gep->getPointerOperand());
      } else if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(v)) {
        for (const llvm::Use& value : phi->incoming_values()) work_.push_back(value.get());
      } else if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(v)) {
        work_.append({select->getTrueValue(), select->getFalseValue()});
      } else if (!add_stored(*v) && f(v)) {
        return true;
      }
    }
    return false;
  }

 private:
  // A load from a local variable: what is stored there.
  bool add_stored(const Value& v) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&v);
    const auto* local =
        load != nullptr ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
    if (local == nullptr) return false;
    for (const llvm::User* user : local->users()) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store != nullptr && store->getPointerOperand() == local)
        work_.push_back(store->getValueOperand());
    }
    return true;
  }

  llvm::SmallVector<const Value*, 8> work_;
  llvm::SmallPtrSet<const Value*, 16> seen_;
};

const llvm::Argument* this_of(const llvm::Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  const llvm::DICompositeType* type = subprogram != nullptr ? class_of(*subprogram) : nullptr;
  if (type == nullptr || type->getName().empty()) return nullptr;
  const llvm::DISubprogram* declaration = subprogram->getDeclaration();
  if (((declaration != nullptr ? declaration : subprogram)->getFlags() &
       llvm::DINode::FlagStaticMember) != 0)
    return nullptr;
  const unsigned number = function.hasStructRetAttr() ? 1 : 0;
  return number < function.arg_size() ? function.getArg(number) : nullptr;
}

enum class Way { kOwn, kThroughMember, kForeign };

// How the function comes to the object that a pointer points into.
class Ways {
 public:
  explicit Ways(const llvm::Argument& self) : self_(self) {}

  Way to(const Value* pointer) {
    Origins origins;
    llvm::SmallVector<const Value*, 4> holders = {pointer};
    llvm::SmallPtrSet<const Value*, 8> seen;
    bool is_foreign = false;
    while (!holders.empty() && seen.size() < kMostValues) {
      const Value* const at = holders.pop_back_val();
      if (!seen.insert(at).second) continue;
      const bool direct = at == pointer;
      const bool found = origins.any(at, [&](const Value* origin) {
        if (origin == &self_) return !direct;
        const Value* const holder = holder_of(*origin);
        if (holder != nullptr) holders.push_back(holder);
        is_foreign |= holder == nullptr && is_found_elsewhere(*origin);
        return false;
      });
      if (found) return Way::kThroughMember;
    }
    return is_foreign ? Way::kForeign : Way::kOwn;
  }

 private:
  // Where the pointer was loaded from, or what the call that returned it was made on.
  static const Value* holder_of(const Value& origin) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&origin))
      return load->getPointerOperand();
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&origin);
    if (call == nullptr || call->arg_empty()) return nullptr;
    const Value* first = call->getArgOperand(0);
    return first->getType()->isPointerTy() ? first : nullptr;
  }
  bool is_found_elsewhere(const Value& origin) const {
    if (llvm::isa<llvm::Argument>(origin)) return &origin != &self_;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&origin);
    return call != nullptr && !call->returnDoesNotAlias();  // `new`
  }

  const llvm::Argument& self_;
};

}  // namespace

bool uses_its_members(const llvm::Function& function) {
  const llvm::Argument* self = this_of(function);
  if (self == nullptr) return false;
  Ways ways(*self);
  bool uses = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (pointer == nullptr) continue;
    const Way way = ways.to(pointer);
    if (way == Way::kForeign) return false;
    uses |= way == Way::kThroughMember;
  }
  return uses;
}

}  // namespace isosan::pass
