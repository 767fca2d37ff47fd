// A file for a report that comes later: a slip in its path shows at once, and costs no run.
//
// Law: what the file had before stays until write(). Without write() a file that was not there
// before is not there afterwards.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace isosan {

class ReportFile {
 public:
  explicit ReportFile(std::string path);  // empty: none. Throws UserError: cannot write there
  ~ReportFile();
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;

  bool wanted() const { return !path_.empty(); }
  void write(std::string_view text);  // throws UserError

 private:
  std::string path_;
  std::ofstream file_;  // open from the beginning: a pipe can be opened once
  bool new_ = false;    // made by us, and nothing in it
};

}  // namespace isosan
