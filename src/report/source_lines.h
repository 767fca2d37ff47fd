// Lines of the program's source, as long as they are what was compiled: a file that is newer than
// every instrumented module of the run is not quoted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "event/tables.h"

namespace isosan {

class SourceLines {
 public:
  explicit SourceLines(const Tables& tables);

  // Without the blanks around it; empty where the file or the line is not there.
  std::string line(const std::string& file, std::uint32_t number);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);

  std::int64_t newest_module_ = 0;  // modification time; 0: no module is known
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace isosan
