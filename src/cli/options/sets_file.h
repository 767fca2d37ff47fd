// The file of atomic sets: what marathon inferred, printed by --sets, edited by people, read back
// by --sets-from (marathon.md).
//
// Law: reading a printed file that was not edited changes nothing.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "analysis/marathon/options.h"

namespace isosan {

using marathon::InferredSets;

struct SetOptions {
  std::string print_to;  // paths; empty: not wanted
  std::string read_from;

  void declare(CLI::App& parser);
  void declare_reading(CLI::App& parser);  // --sets-from alone
  // Throws UserError if sets are asked for and marathon is not among the analyses.
  void refuse_without_marathon(const std::string& analyses) const;
  marathon::SetRules rules() const;  // of the file to read, or none
};

// Throws InputError "FILE:LINE: what" for anything it does not understand.
marathon::SetRules read_sets_file(const std::string& path);

std::string sets_file(const InferredSets& sets);

// Does nothing if no file was asked for. Throws UserError: cannot write there.
void write_sets_file(const SetOptions& options, const InferredSets* sets);

}  // namespace isosan
