// Programs as C++ source: many in one file, so that a batch costs one compilation.
//
// Each program is a namespace c0, c1, ... whose function run() is the main thread's part; main()
// runs the programs named by number, or all. Each step stands on a line of its own.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "differential/program.h"

namespace isosan::test {

struct StepOfLine {
  std::size_t program, step;
};

struct SourceText {
  std::string text;
  std::map<std::size_t, StepOfLine> lines;  // of accesses
};

SourceText source_text(const std::vector<Program>& programs);

// The name of what a kBegin opens, as reports tell it: c3::atomic_7.
std::string region_name(std::size_t program, const Program& of, std::size_t begin);

}  // namespace isosan::test
