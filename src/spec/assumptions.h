// The user's assumptions: section [assume] of the spec file, applied to the
// tables as if the source had been annotated.
//
// Globs over functions (atomic, mover, no-warn, split-at-wait), lines, `FILE:LINE` (no-warn-lines),
// and globs over fields, `Class::field`, and globals (guarded). A glob that matches nothing of the program is an error, as for regions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "event/tables.h"

namespace isosan {

struct Assumptions {
  std::vector<std::string> atomic;
  std::vector<std::string> mover;
  std::vector<std::string> no_warn;
  std::vector<std::string> no_warn_lines;  // the end of a path will do for its file
  std::vector<std::string> split_at_wait;
  std::vector<std::string> guarded;

  bool any() const {
    return !atomic.empty() || !mover.empty() || !no_warn.empty() || !no_warn_lines.empty() ||
           !split_at_wait.empty() || !guarded.empty();
  }
  bool has_no_warn_line(const Site& site) const;
  bool covers(const Function& function) const;  // by a glob: its calls must be logged
  // Annotates the entries of the tables from these indices on.
  void annotate(Tables& tables, std::size_t first_function, std::size_t first_site) const;
  void annotate(std::vector<Symbol>& globals) const;
  std::vector<std::string> unmatched_functions(const std::vector<Function>& functions) const;
  std::vector<std::string> unmatched_data(const Tables& tables) const;  // of guarded
  std::vector<std::string> unmatched_lines(const Tables& tables) const;
};

}  // namespace isosan
