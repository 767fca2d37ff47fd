// --noise PROBABILITY[,SEED]: threads give way at shared accesses and lock operations.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>

namespace isosan {

struct NoiseOption {
  std::string text;  // empty: no noise

  void declare(CLI::App& parser);  // refuses what it cannot read

  std::uint32_t probability() const;                // in 2^32; certain: the largest there is
  std::uint64_t seed() const;                       // 0 where none was given
  NoiseOption for_run(std::uint64_t number) const;  // of several: each has a seed of its own
};

}  // namespace isosan
