// `isosan doctor`: checks what is needed to compile, run and report.
#pragma once

#include <string>
#include <vector>

namespace isosan::driver {

struct DoctorLine {
  bool ok = false;
  std::string what;    // "clang 19: /usr/bin/clang++-19", "kernel: membarrier"
  std::string advice;  // where not ok: what to install or to set
};

std::vector<DoctorLine> doctor();

}  // namespace isosan::driver
