#include "cli/output/version.h"

#include <string_view>

#include "isosan_commit.h"  // written by cmake/commit.cmake

namespace isosan {

std::string version_line() {
  constexpr std::string_view kCommit = ISOSAN_COMMIT;
  std::string line = "isosan " ISOSAN_VERSION;
  if (!kCommit.empty()) line.append(" (commit ").append(kCommit).append(")");
  return line;
}

}  // namespace isosan
