// A file of the test's own that is not there yet.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace isosan {

inline std::string fresh_path(const char* name) {
  const std::string path = testing::TempDir() + name;
  std::remove(path.c_str());
  return path;
}

}  // namespace isosan
