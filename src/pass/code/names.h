// Readable names of functions and classes: `ns::Class::f`.
//
// Law: a name is qualified, has neither parameters nor template arguments; an anonymous namespace
// is left out; a lambda is `enclosing::lambda`. Globs of the command line and of spec files match
// these names, so both fronts must agree on them (the __tsan_* front takes them from the
// symbolizer).
#pragma once

#include <string>

#include "event/tables.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace isosan::pass {

// `f<int>` -> `f`; operator<, operator<<, operator-> and the like are kept.
std::string without_template_arguments(llvm::StringRef name);

std::string qualified_name(const llvm::DIScope& scope);

// From debug info where there is some, else from the mangled name.
std::string qualified_name(const llvm::Function& function);

// The class that a member function belongs to; null: no member, or not known.
const llvm::DICompositeType* class_of(const llvm::DISubprogram& subprogram);

// kNone: no member, or not known.
Accessibility accessibility_of(const llvm::DISubprogram* subprogram);

// Code of the C++ library and of the compiler's own headers: never a region candidate.
bool is_library_code(const llvm::Function& function);

}  // namespace isosan::pass
