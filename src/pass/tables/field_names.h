// Which field of which class an access touches.
//
// From TBAA: after the optimiser the type is gone from address arithmetic, but the access tag keeps
// the outermost struct and the offset in it. Without TBAA (-O0) from the struct type of the GEP.
// The field's name is then looked up in debug info by type name and offset.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

namespace isosan::pass {

struct FieldName {
  std::string class_name;  // empty: not known
  std::string field;
  std::uint32_t offset = 0;
};

class FieldNames {
 public:
  explicit FieldNames(const llvm::Module& module);

  FieldName of_access(const llvm::Instruction& access, const llvm::Value& pointer) const;

 private:
  FieldName of_pointer(const llvm::Value& pointer) const;
  FieldName lookup(llvm::StringRef type_key, std::uint64_t offset) const;

  const llvm::DataLayout& layout_;
  llvm::StringMap<const llvm::DICompositeType*> types_;  // by mangled and by qualified name
};

}  // namespace isosan::pass
