// A file for a report that comes later: a slip in its path shows at once, and costs no run.
//
// Law: what the file had before stays until write(). Without write() a file that was not there
// before is not there afterwards. Links are not followed (base/fresh_file.h).
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
  std::optional<FreshFile> file_;  // open from the beginning: a pipe can be opened once
};

// The same at once. Nothing where the path is empty.
void write_report(const std::string& path, std::string_view text);

}  // namespace isosan
