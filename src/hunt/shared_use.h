// The objects that threads of a run share, and how often each thread uses them: granules of memory
// that two threads access and one writes, and locks that two threads acquire.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/event.h"
#include "event/tables.h"
#include "live/schedule_room.h"

namespace isosan {

class SharedUse {
 public:
  void feed(std::span<const Event> batch);
  // After the run, by address.
  std::vector<SelectedObject> objects(const Tables& tables) const;

 private:
  struct Use {
    bool written = false;
    absl::flat_hash_map<std::uint32_t, std::uint64_t> operations;  // by thread
  };
  absl::flat_hash_map<std::uint64_t, Use> granules_;
  absl::flat_hash_map<std::uint64_t, Use> locks_;
};

}  // namespace isosan
