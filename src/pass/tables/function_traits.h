// What region selection needs to know of functions, read off their bodies before inlining: whether
// a function is a thread's entry, waits or notifies, takes a lock itself, is a getter or setter
// with a lock around it, or shares nothing; and its annotations.
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
