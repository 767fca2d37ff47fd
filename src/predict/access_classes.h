// The accesses of one location, by thread: the windows that other threads may enter, and the
// accesses that may enter a window (cut_points.h), grouped into classes. The same for two locations
// that belong together: then a window lies between accesses of both, and what may enter is the first
// of two accesses of one region execution that write both, or read both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/tables.h"
#include "predict/candidate.h"
#include "predict/observed_run.h"
#include "predict/touches.h"

namespace isosan::predict {

inline constexpr std::size_t kMaxClasses = 64;     // of each kind, per thread and location
inline constexpr std::size_t kMaxInstances = 256;  // per class; an even number

struct WindowInstance {
  OperationId e1, e2;
  NodeIndex node = 0;  // the innermost that has both
};

struct IntruderInstance {
  OperationId f;
  NodeIndex node = 0;
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
  std::vector<IntruderInstance> instances{};
  std::uint32_t stride = 1, skipped = 0;
};

struct ThreadClasses {
  std::uint32_t thread = 0;
  std::vector<Window> windows{};
  std::vector<Intruder> intruders{};
  std::vector<std::uint64_t> intruder_keys{};  // by which they differ
  // Only while accesses are added, by location of a pair.
  std::array<std::optional<Touch>, 2> last_access{}, last_write{};
};

class AccessClasses {
 public:
  AccessClasses(const ObservedRun& run, const Tables& tables, bool threads_are_regions)
      : run_(run), tables_(tables), threads_are_regions_(threads_are_regions) {}

  void clear();
  // In linear order.
  void add(const Touch& access);
  void add_of_pair(const Touch& access, bool of_first, bool of_second);
  std::span<const ThreadClasses> threads() const { return threads_; }

 private:
  ThreadClasses& thread_of(const Touch& access);
  const Shape& shape_of(const Touch& access) const { return run_.operations().shape(access.shape); }
  bool is_write(const Touch& access) const { return writes(shape_of(access).kind); }
  bool in_one_region(const Touch& a, const Touch& b) const;
  void add_behind(ThreadClasses& thread, std::size_t other, const Touch& access);
  void add_window(ThreadClasses& thread, const Touch& e1, const Touch& e2, bool for_writer);
  void add_intruder(ThreadClasses& thread, const Touch& f);
  Closeness closeness_of(const Touch& e1, const Touch& e2, NodeIndex common) const;

  const ObservedRun& run_;
  const Tables& tables_;
  bool threads_are_regions_;
  std::vector<ThreadClasses> threads_;
  absl::flat_hash_map<std::uint32_t, std::size_t> positions_;  // thread: place in threads_
};

}  // namespace isosan::predict
