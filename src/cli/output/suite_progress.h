// What `isosan test` says while it works: one line for each step of a test, or on a terminal one
// line that changes.
#pragma once

#include <chrono>

#include "suite/run/suite.h"

namespace isosan {

class SuiteProgress {
 public:
  SuiteProgress();
  void show(const suite::SuiteEvent& event);
  void clear();  // before anything else is printed

 private:
  bool terminal_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace isosan
