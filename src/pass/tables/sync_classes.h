// Which classes hold a lock, an atomic or another means of synchronization: in a member, in a base,
// or in what a container of the standard library holds for them. Read off debug info. Such a class
// is made for several threads.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace isosan::pass {

class SyncClasses {
 public:
  bool holds_sync(const llvm::DIType* type);

 private:
  bool elements_hold_sync(const llvm::DICompositeType& type);

  // While a class is looked at, it counts as one without: it may refer to itself.
  llvm::DenseMap<const llvm::DICompositeType*, bool> known_;
};

}  // namespace isosan::pass
