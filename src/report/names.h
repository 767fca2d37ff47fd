// Readable names for the ids of a finding.
//
// Model: a pure view of Tables. Every name that a report shows is made here, so that text, JSON and
// SARIF agree, and is fit for a terminal (base/shown.h). An id that is not in the tables still has
// a name: reports never fail on a trace with few names.
#pragma once

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/finding.h"
#include "event/tables.h"

namespace isosan {

// One line of a stack or one place in the source; what is not known is empty or 0.
struct Place {
  std::string function;
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool definition = false;  // file and line are where the function is defined: more is not known

  bool known() const { return !function.empty() || !file.empty() || line != 0; }
};

// "f bank.cc:12:3", "bank.cc:12", "line 12", "f (defined at bank.cc:10)": as much as is known.
// Paths below the working directory are shown from there.
std::string to_string(const Place& place);

// Code of the C++ library (or of <isosan/isosan.h>), which is of little use to the user.
bool is_library(const Place& place);

class Names {
 public:
  explicit Names(const Tables& tables);

  // "T3", or the thread's own name where no other thread has it too.
  std::string thread(ThreadId id) const;
  std::string birth_path(ThreadId id) const;
  // "" for kNoRegion: code outside every region.
  std::string region(RegionId id) const;
  // The region that it is an execution of, or the function of a unit of work; empty: neither.
  std::string region_or_function(const FindingTransaction& transaction) const;
  // "deposit (T1)", or "thread T1" for code outside every region.
  std::string transaction(const FindingTransaction& transaction) const;
  // "balance", "balance+4", "Account::balance (0x7f00)", "0x7f00"; for fork and join the thread.
  std::string operand(const FindingStep& step) const;
  std::string location(Address address) const;
  // The program point; where library code was inlined there, the user's code around it.
  Place place(SiteId id) const;
  // The point and the calls that were inlined around it, innermost first.
  std::vector<Place> inlined(SiteId id) const;
  // Where a step happened: its site, or for the entry of a region where the transaction began.
  Place place(const Finding& finding, const FindingStep& step) const;
  // Where a transaction began: its first event's site, or else where its region is defined.
  Place begin_of(const FindingTransaction& transaction) const;
  // Innermost frame first; empty where the trace has no stacks.
  std::vector<Place> stack(const Where& where) const;
  // The same without the library's frames, if there are others.
  std::vector<Place> own_stack(const Where& where) const;
  // Where something happened, as one line: the place, or else the innermost frame of the stack.
  Place spot(const Where& where) const;
  // What is blamed: the finding's subject, its region, or the functions of its steps.
  std::string subject(const Finding& finding) const;
  // A message or note with its placeholders replaced by names (event/finding.h).
  std::string with_names(const Finding& finding, const std::string& text) const;
  bool blames_region(const Finding& finding) const;  // is subject() the name of a region?
  bool blames_block(const Finding& finding) const;   // and of one that is no function?

 private:
  SiteId outer_call(const Where& where) const;  // Tables::outer_calls
  const Function* function(FunctionId id) const;
  std::string function_name(FunctionId id) const;  // "" where not known
  Place definition_of(FunctionId id) const;
  std::string function_of(const FindingStep& step) const;
  std::string mentioned(const Finding& finding, const std::string& what) const;

  const Tables& tables_;
  absl::flat_hash_map<std::string, int> threads_called_;  // how many threads have this name
};

}  // namespace isosan
