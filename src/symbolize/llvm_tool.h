// The programs of LLVM that read debug information for us, outside the target.
#pragma once

#include <string>

namespace isosan {

// Of this program ("llvm-symbolizer"), the newest that is known to do; empty: none is installed.
std::string llvm_tool_path(const std::string& program);

bool is_plain_file(const std::string& path);  // such a program would wait for a pipe

}  // namespace isosan
