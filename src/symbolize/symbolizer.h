// Program counters to source positions, after the run and outside the target, by llvm-symbolizer.
//
// A query is (module file, module-relative pc); the answer is the chain of inlined frames,
// innermost first. All queries of a report go out in one call of the program. Where it is missing,
// answers are empty: the report then shows module and offset.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isosan {

struct PcQuery {
  std::string module_path;
  std::uint64_t pc = 0;
};

struct SourceFrame {
  std::string function;  // demangled, with parameters
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

std::vector<std::vector<SourceFrame>> symbolize(const std::vector<PcQuery>& queries);

// The llvm-symbolizer that would be used; empty: none is installed.
std::string symbolizer_path();

}  // namespace isosan
