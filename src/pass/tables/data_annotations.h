// Annotations of <isosan/isosan.h>, as clang passes them on: functions and globals in one list of
// the module, fields and parameters as intrinsics where they are used.
#pragma once

#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "pass/tables/records.h"

namespace isosan::pass {

struct GlobalAnnotation {
  const llvm::GlobalValue* target = nullptr;
  llvm::StringRef text;
};
std::vector<GlobalAnnotation> global_annotations(const llvm::Module& module);

// Writes those of globals, fields and parameters into their section, and removes the intrinsics:
// they would inhibit optimisations.
void write_data_annotations(llvm::Module& module, RecordWriter& writer);

// Were any written? Then accesses to different fields are not merged.
bool has_data_annotations(const llvm::Module& module);

}  // namespace isosan::pass
