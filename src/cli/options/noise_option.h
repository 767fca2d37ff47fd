// --noise PROBABILITY[,SEED]: threads yield at random at shared accesses and lock operations.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>

namespace isosan {

struct NoiseOption {
  std::string text;  // empty: no noise

  void declare(CLI::App& parser);  // throws for a malformed value

  std::uint32_t probability() const;                // in units of 2^-32; 1 is the largest value
  std::uint64_t seed() const;                       // 0 if none was given
  NoiseOption for_run(std::uint64_t number) const;  // one of several runs: each has its own seed
};

}  // namespace isosan
