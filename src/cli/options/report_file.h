// A file for a report that is written later: an error in its path shows before the run.
//
// Law: the old contents stay until write(). Without write() a file that did not exist
// before does not exist afterwards. Links are not followed (base/fresh_file.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fresh_file.h"

namespace isosan {

class ReportFile {
 public:
  explicit ReportFile(
      const std::string& path);  // empty: none. Throws UserError: cannot write there

  bool wanted() const { return file_.has_value(); }
  void write(std::string_view text);  // once; throws UserError

 private:
  std::optional<FreshFile> file_;  // open from the beginning: a pipe can be opened only once
};

// The same in one step. Does nothing if the path is empty.
void write_report(const std::string& path, std::string_view text);

}  // namespace isosan
