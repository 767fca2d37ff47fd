// The accesses of one location, by thread: the windows that other threads may enter, and the
// accesses that may enter a window (cut_points.h), grouped into classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/tables.h"
#include "predict/candidate.h"
#include "predict/observed_run.h"

namespace isosan::predict {

inline constexpr std::size_t kMaxClasses = 64;     // of each kind, per thread and location
inline constexpr std::size_t kMaxInstances = 256;  // per class; an even number

struct WindowInstance {
  OperationNumber e1 = 0, e2 = 0;
};

struct Window {
  SiteId site1{}, site2{};
  Kind kind1{}, kind2{};
  bool for_writer = false;  // AA: an f that writes; otherwise WW: an f that only reads
  Closeness closeness{};
  StateIndex state = kNoLocks;  // right behind e1
  bool locks_change = false;    // before e2
  std::vector<WindowInstance> instances{};
  std::uint32_t stride = 1, skipped = 0;  // every stride-th member is kept
};

struct Intruder {
  SiteId site{};
  bool writes = false;
  StateIndex state = kNoLocks;
  std::vector<OperationNumber> instances{};
  std::uint32_t stride = 1, skipped = 0;
};

struct ThreadClasses {
  std::uint32_t thread = 0;
  std::vector<Window> windows{};
  std::vector<Intruder> intruders{};
  // Only while accesses are added; kNone: none yet.
  OperationNumber last_access = 0, last_write = 0;
};

class AccessClasses {
 public:
  AccessClasses(const ObservedRun& run, const Tables& tables, bool threads_are_regions)
      : run_(run), tables_(tables), threads_are_regions_(threads_are_regions) {}

  void clear();
  void add(OperationNumber access);  // in linear order
  std::span<const ThreadClasses> threads() const { return threads_; }

 private:
  void add_window(ThreadClasses& thread, OperationNumber e1, OperationNumber e2, bool for_writer);
  void add_intruder(ThreadClasses& thread, OperationNumber f);
  Closeness closeness(const Operation& e1, const Operation& e2, NodeIndex common) const;

  const ObservedRun& run_;
  const Tables& tables_;
  bool threads_are_regions_;
  std::vector<ThreadClasses> threads_;
  absl::flat_hash_map<std::uint32_t, std::size_t> positions_;  // thread: place in threads_
};

}  // namespace isosan::predict
