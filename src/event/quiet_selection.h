// A quiet recording: transactions that can be in no cycle are not in it (runtime.md, quiet
// runs). Its selection has one more rule, the last.
//
// Law: lock operations of such a recording need not be in pairs. What a thread does between two
// transactions is left out, and it may take a lock there and give it up later. The return of a call
// that is in it has no order: it may stand behind a join of its thread.
#pragma once

#include <vector>

#include "event/tables.h"

namespace isosan {

inline constexpr const char* kQuietOption = "analyses";

inline SelectionRule quiet_rule() { return {kQuietOption, "of cycles"}; }

inline bool is_quiet(const std::vector<SelectionRule>& selection) {
  return !selection.empty() && selection.back().option == kQuietOption;
}

}  // namespace isosan
