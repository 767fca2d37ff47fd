#include "symbolize/llvm_tool.h"

#include <sys/stat.h>
#include <unistd.h>

namespace isosan {

std::string llvm_tool_path(const std::string& program) {
  for (const std::string& path : {"/usr/bin/" + program + "-19", "/usr/lib/llvm-19/bin/" + program,
                                  "/usr/bin/" + program + "-14", "/usr/bin/" + program}) {
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

bool is_plain_file(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace isosan
