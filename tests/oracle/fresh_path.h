// A file of this run of the test's own that is not there yet: the same tests can run from several
// folders at a time.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace isosan {

inline std::string fresh_path(const std::string& name) {
  const std::string path = testing::TempDir() + std::to_string(getpid()) + "_" + name;
  std::remove(path.c_str());
  return path;
}

}  // namespace isosan
