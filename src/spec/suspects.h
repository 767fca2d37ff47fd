// Suspects: what first runs of doublechecker pass to a second run, and the file that keeps them.
//
// Model: a region is suspected when one of its transactions was in an imprecise cycle; names, not
// ids, because the file outlives the run. Of code outside regions only one bit is kept. Several
// first runs merge into one file. The file is TOML (doublechecker.md):
//
//   runs = 3
//   unary = false
//   regions = ["Account::deposit"]
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace isosan {

struct SuspectedNames {
  std::uint64_t runs = 0;
  bool unary = false;  // code outside regions was in an imprecise cycle
  std::set<std::string> regions;

  void merge(const SuspectedNames& other);
};

// Throws InputError "FILE:LINE: what" for anything it does not understand.
SuspectedNames read_suspects(const std::string& path);

// Adds one run to the file, which is made if it does not exist. The file changes in one step.
// Throws InputError: it exists and is no such file; UserError: cannot write there.
SuspectedNames add_to_suspects(const std::string& path, const SuspectedNames& found);
// Throws what add_to_suspects() would, before the program runs.
void check_that_suspects_can_be_added(const std::string& path);

}  // namespace isosan
