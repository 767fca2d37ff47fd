#include "pass/tables/sharing.h"

#include "event/call_names.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/TargetParser/Triple.h"
#include "pass/code/names.h"
#include "pass/tables/sync_classes.h"

namespace isosan::pass {
namespace {

using llvm::Function;
using llvm::StringRef;
using Functions = llvm::DenseSet<const Function*>;

bool is_constructor(const llvm::DISubprogram& subprogram, const llvm::DICompositeType& type) {
  return without_template_arguments(type.getName()) ==
         without_template_arguments(subprogram.getName());
}

bool is_structor(const Function& function) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  const llvm::DICompositeType* type = subprogram != nullptr ? class_of(*subprogram) : nullptr;
  return type != nullptr &&
         (is_constructor(*subprogram, *type) || subprogram->getName().starts_with("~"));
}

class Sharing {
 public:
  explicit Sharing(const llvm::Module& module)
      : module_(module), library_(llvm::Triple(module.getTargetTriple())) {}

  Functions find() {
    for (const Function& function : module_)
      if (is_operation(function)) deals_.insert(&function);
    while (add_callers()) {
    }
    return std::move(deals_);
  }

 private:
  bool is_operation(const Function& function) {
    if (function.isDeclaration()) return may_deal_elsewhere(function);
    return is_public_member_of_sync_class(function) || synchronizes(function);
  }

  bool is_public_member_of_sync_class(const Function& function) {
    const llvm::DISubprogram* subprogram = function.getSubprogram();
    if (subprogram == nullptr) return !is_library_code(function);  // nothing is known of it
    const llvm::DICompositeType* type = class_of(*subprogram);
    if (type == nullptr || accessibility_of(subprogram) != Accessibility::kPublic) return false;
    return !is_constructor(*subprogram, *type) && classes_.holds_sync(type);
  }

  bool synchronizes(const Function& function) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (instruction.isAtomic()) return true;
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee == nullptr || callee->isIntrinsic()) continue;
      const StringRef name = name_of(*callee);
      if (takes_lock(name) || gives_lock_up(name) || is_atomic_operation(name)) return true;
    }
    return false;
  }

  // Its body is not here.
  bool may_deal_elsewhere(const Function& function) {
    llvm::LibFunc known;
    if (function.isIntrinsic() || library_.getLibFunc(function, known)) return false;
    if (is_library_code(function) || function.getName().starts_with("pthread_")) return false;
    const llvm::DISubprogram* subprogram = function.getSubprogram();
    return subprogram == nullptr || !subprogram->getFilename().starts_with("/usr/");
  }

  bool add_callers() {
    bool any = false;
    for (const Function& function : module_) {
      if (function.isDeclaration() || deals_.contains(&function) || is_library_code(function))
        continue;
      if (calls_enough(function)) any |= deals_.insert(&function).second;
    }
    return any;
  }

  // The constructor of a guard calls one operation, and so does its destructor.
  bool calls_enough(const Function& function) const {
    int missing = is_structor(function) ? 1 : 2;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr || call->isInlineAsm()) continue;
      const Function* callee = call->getCalledFunction();
      if ((callee == nullptr || deals_.contains(callee)) && --missing == 0) return true;
    }
    return false;
  }

  StringRef name_of(const Function& function) {
    std::string& name = names_[&function];
    if (name.empty()) name = qualified_name(function);
    return name;
  }

  const llvm::Module& module_;
  llvm::TargetLibraryInfoImpl library_;
  SyncClasses classes_;
  llvm::DenseMap<const Function*, std::string> names_;
  Functions deals_;
};

}  // namespace

Functions functions_that_deal_with_sharing(const llvm::Module& module) {
  return Sharing(module).find();
}

}  // namespace isosan::pass
