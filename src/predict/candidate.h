// A cut-point, before a schedule is woven to it: small, because there may be many.
#pragma once

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "predict/observed_run.h"
#include "predict/prediction.h"
#include "predict/weaver.h"

namespace isosan::predict {

// How closely e1 and e2 belong together: the closer, the likelier the program relies on it.
enum class Closeness : std::uint8_t {
  kSameExecution,  // of one function (or annotated block), e2 behind e1 in the source
  kCommonRegion,   // different functions, called by one that is not a thread's outermost
  kLoop,           // of one function, e2 before e1 in the source, or the same place
  kThread,         // only the thread's outermost function, or the thread, has both
};

struct Candidate {
  Pattern pattern{};
  Closeness closeness{};
  bool observed = false;
  bool alternate = false;  // differs from an earlier one only in the locks held at e
  Location location;       // a pair: of the first; a deadlock: none
  // e1, f, e2; a reversal: e1, f; a deadlock: for each thread the acquire of what it holds and the
  // one it waits at.
  absl::InlinedVector<OperationId, 3> operations;
  NodeIndex node = 0;  // the innermost that has e1 and e2; a reversal: of e1
  absl::InlinedVector<Target, 2>
      targets;  // where the threads are right before f; a deadlock: before the inner acquires
};

struct SearchLimits {
  bool threads_are_regions = true;
  bool reversals = true;
  bool pairs = true;
  std::uint64_t per_place = 16;  // 0: no limit
};

struct SearchCounters {
  std::uint64_t shared_locations = 0;
  std::uint64_t cut_points = 0;
  std::uint64_t beyond_limit = 0;       // left out: the limit of their places was reached
  std::uint64_t excluded_by_locks = 0;  // pairs of access classes that locks exclude
};

}  // namespace isosan::predict
