// The spec file that `isosan refine` writes: all methods except the blamed ones, each with the
// reason.
//
// It is an ordinary spec file (spec_file.h); the reason of an exclusion is the comment above it,
// which read_refined_spec() reads, so that a refinement can continue where another one stopped:
//
//   [not-atomic]
//   functions = [
//     # trial 2: Account::balance stepped in; bank.cc:12, bank.cc:30
//     "Account::deposit",
//   ]
#pragma once

#include <string>
#include <vector>

namespace isosan {

struct Exclusion {
  std::string function;
  std::string reason;  // one line

  bool operator==(const Exclusion&) const = default;
};

// Throws InputError: it exists and is no spec file. A file that does not exist excludes nothing.
std::vector<Exclusion> read_refined_spec(const std::string& path);

// The file changes in one step. Throws UserError: cannot write there.
void write_refined_spec(const std::string& path, const std::vector<Exclusion>& exclusions);

}  // namespace isosan
