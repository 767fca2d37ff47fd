#include "pass/tables/sync_classes.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "pass/code/names.h"

namespace isosan::pass {
namespace {

using llvm::StringRef;

constexpr StringRef kClasses[] = {
    "std::mutex",
    "std::recursive_mutex",
    "std::timed_mutex",
    "std::recursive_timed_mutex",
    "std::shared_mutex",
    "std::shared_timed_mutex",
    "std::condition_variable",
    "std::condition_variable_any",
    "std::_V2::condition_variable_any",
    "std::atomic",
    "std::__atomic_base",
    "std::atomic_flag",
    "std::counting_semaphore",
    "std::latch",
    "std::barrier",
};
constexpr StringRef kTypedefs[] = {
    "pthread_mutex_t", "pthread_rwlock_t", "pthread_spinlock_t", "pthread_cond_t", "sem_t", "mtx_t",
    "cnd_t",           "atomic_flag",
};

bool is_template_of_library(const llvm::DICompositeType& type) {
  return !type.getTemplateParams().empty() && StringRef(qualified_name(type)).starts_with("std::");
}

}  // namespace

bool SyncClasses::elements_hold_sync(const llvm::DICompositeType& type) {
  for (const llvm::DINode* element : type.getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
    if (member != nullptr && member->getTag() != llvm::dwarf::DW_TAG_typedef &&
        holds_sync(member->getBaseType()))
      return true;
  }
  if (!is_template_of_library(type)) return false;
  for (const llvm::DINode* node : type.getTemplateParams()) {
    const auto* parameter = llvm::dyn_cast<llvm::DITemplateTypeParameter>(node);
    if (parameter != nullptr && holds_sync(parameter->getType())) return true;
  }
  return false;
}

bool SyncClasses::holds_sync(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_atomic_type:
        return true;
      case llvm::dwarf::DW_TAG_typedef:
        if (llvm::is_contained(kTypedefs, derived->getName())) return true;
        break;
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_member:
      case llvm::dwarf::DW_TAG_variable:  // a static member
      case llvm::dwarf::DW_TAG_inheritance:
        break;
      default:  // pointers and references: what they lead to is not held
        return false;
    }
    type = derived->getBaseType();
  }
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (composite == nullptr) return false;
  if (composite->getTag() == llvm::dwarf::DW_TAG_array_type)
    return holds_sync(composite->getBaseType());
  const auto [place, inserted] = known_.try_emplace(composite, false);
  if (!inserted) return place->second;
  const bool holds =
      llvm::is_contained(kClasses, qualified_name(*composite)) || elements_hold_sync(*composite);
  known_[composite] = holds;
  return holds;
}

}  // namespace isosan::pass
