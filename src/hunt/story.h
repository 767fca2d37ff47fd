// How a failure came about: the operations of the failing run in the order in which they ran, the
// three accesses that break a region, the locks held, and which thread waits for which in a
// deadlock.
//
// Model: the events of each thread, cut into stretches by the executed schedule, give the
// exact order of the run (the linearizer's order may differ where nothing conflicts). The three
// accesses are the predicted ones, or the first that are found: e1 and e2 of one thread, f of
// another between them, in one of the five patterns, and no start or end of a thread between e1 and
// e2 in their own thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"
#include "event/finding.h"
#include "event/tables.h"
#include "hunt/execution.h"
#include "predict/prediction.h"

namespace isosan {

// Of freed memory: the free, and what it must not be followed by.
inline constexpr std::string_view kFreeMark = "free", kUseMark = "use", kFreeAgainMark = "again";

struct StoryRow {
  std::size_t event = 0;  // index into Story::order
  std::string mark;       // "e1", "f", "e2", "holds", or one of those below; empty: none
  bool changes = false;   // the row before is of another thread; rows may be left out between
};

struct Story {
  std::vector<Event> order;  // operations, as they ran
  std::vector<StoryRow> rows;
  std::optional<Pattern> pattern;
  RegionId region{};
  Address address = 0;
  // A deadlock, one line per thread: those that wait for each other in a cycle, and the others.
  std::vector<std::string> cycle, waiting;
  std::vector<std::string> rounds;  // a livelock: what each thread does again and again
};

// `prediction` may be null.
Story make_story(const std::vector<Event>& events, const Tables& tables, const Execution& execution,
                 const Prediction* prediction, std::size_t most_rows);

// The access f, or the use of freed memory; empty: the story has none.
std::optional<Intruder> intruder_of(const Story& story, const Tables& tables);

// The story as a finding, for JSON and SARIF.
Finding finding_of(const Story& story, const Failure& failure, const Execution& execution);

// One column per thread; source lines where the files can be read. After resolve_places().
std::string draw_lanes(const Story& story, const Finding& finding, const Tables& tables);

}  // namespace isosan
