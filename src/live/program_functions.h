// The functions of a program, before it runs.
//
// Law: the list is complete, or there is none. It is complete for a program of the pass alone to which
// nothing else that is instrumented can come: it needs system libraries only, opens no other and
// starts no other program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "event/tables.h"

namespace isosan {

// `program` is looked for as execvp does it.
std::optional<std::vector<Function>> functions_before_run(const std::string& program);

}  // namespace isosan
