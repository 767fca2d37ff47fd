// One test of a suite: a command that passes with status 0, where and with what it runs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isosan::suite {

struct TestCase {
  std::string name;  // unique in the suite
  std::vector<std::string> command;
  std::string folder;  // where it runs; empty: where isosan does
  std::vector<std::pair<std::string, std::string>> environment;  // added
  double seconds = 0;  // after which it hangs; 0: it has no limit of its own
  // Its exit status alone is no verdict (ctest's WILL_FAIL and its like): it is watched, not hunted.
  bool judged_otherwise = false;
  std::string skip_mark;           // by this text in its output it says that it skips itself
  std::optional<int> skip_status;  // and by this exit status
};

}  // namespace isosan::suite
