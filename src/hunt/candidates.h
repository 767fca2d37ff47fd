// The schedules that a hunt tries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/tables.h"
#include "live/schedule_room.h"
#include "predict/prediction.h"

namespace isosan {

// What a predicted schedule leaves open: where T1 waits between e1 and e2, and who goes on behind f.
// Any choice shows the pattern. They differ in what else happens between e1 and e2.
struct Shape {
  bool late = false;     // T1 waits right before e2, not as soon as possible behind e1
  bool returns = false;  // T1 goes on as soon as T2 has released its locks; otherwise T1 goes last
};
// In the order in which they are tried.
inline constexpr Shape kShapes[] = {
    {.returns = true}, {}, {.late = true, .returns = true}, {.late = true}};
std::string_view name_of(Shape shape);

struct Candidate {
  ScheduleRequest request;
  std::optional<Prediction> prediction;
  bool free = false;      // stress: nothing is forced
  bool observed = false;  // its events are recorded
  bool seeded = false;    // it comes from the corpus
  std::size_t arm = 0;    // of the portfolio that it came from
  Shape shape;
  bool again = false;                 // the prediction was tried in another shape before
  std::optional<std::size_t> number;  // in HuntResult::tried
  std::string key;                    // of the prediction: the same places have the same
  std::string places;                 // the same, in whichever threads
  std::string victim;                 // of the prediction: birth path of T1
  std::uint64_t order = 0;            // runs before it, of all shards; 0: the first
};

// The predicted schedule in that shape. Empty: the prediction has no such shape.
//   late:    what T1 does between e1 and e2 may matter (it may read a second location there).
//   returns: what T2 does behind f may undo it. Not for a pair, whose second access lies there.
// Where T1 takes another way behind e1 than in the observed run, its locks are released after
// another number of operations. So its step ends there, not after the number that was observed.
std::optional<Candidate> reshaped(const Candidate& candidate, Shape shape);

// What is run, as text: the same in every shard (base/shard.h).
std::string identity_of(const ScheduleRequest& request);

}  // namespace isosan
