// What region selection wants to know of functions, read off their bodies before inlining: who is a
// thread's entry, who waits or notifies, who takes a lock itself, who is a getter or setter that
// does nothing but lock besides, and what annotations say.
#pragma once

#include <cstdint>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace isosan::pass {

struct FunctionTraits {
  std::uint8_t attributes = 0;    // of rt::FunctionAttribute, without kExternal
  std::uint32_t annotations = 0;  // of isosan::Annotation
};

llvm::DenseMap<const llvm::Function*, FunctionTraits> function_traits(llvm::Module& module);

}  // namespace isosan::pass
