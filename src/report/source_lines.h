// Lines of the program's source, if they are those that were compiled: a file that is newer than
// every instrumented module of the run is not quoted.
//
// The files are named by debug information, which may be hostile ("#line 1
// "/etc/passwd""). So only plain files with the name of a C or C++ source are read, and none if
// only a trace names them, unless the user asks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "event/tables.h"

namespace isosan {

class SourceLines {
 public:
  SourceLines(const Tables& tables, bool wanted);

  // Without the blanks around it; empty where the file or the line is not there.
  std::string line(const std::string& file, std::uint32_t number);
  // Does the line contain this text?
  bool contains(const std::string& file, std::uint32_t number, std::string_view text);

 private:
  const std::vector<std::string>& lines_of(const std::string& file);

  std::int64_t newest_module_ = 0;  // modification time; 0: none is quoted
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace isosan
