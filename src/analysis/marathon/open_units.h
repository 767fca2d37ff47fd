// Which unit is open on which set: for every set and thread the outermost frame declared on it.
//
// Model: frames go by thread and depth. Most sets have open units in one thread at a time: these
// stand in place, by set; what a second thread opens at the same time is in a hash map.
// Law: find(s, t) is the frame that t opened on s and has not closed, whatever other threads did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/marathon/set_model.h"
#include "event/ids.h"

namespace isosan::marathon {

inline constexpr std::uint32_t kNoFrame = ~std::uint32_t{0};

class OpenUnits {
 public:
  // kNoFrame: none.
  std::uint32_t find(SetId set, ThreadId thread) const {
    const auto at = static_cast<std::size_t>(set);
    if (at >= places_.size()) return kNoFrame;
    const Place& place = places_[at];
    if (place.frame != kNoFrame && place.thread == thread) return place.frame;
    return place.others == 0 ? kNoFrame : find_other(set, thread);
  }

  bool any(SetId set) const {
    const auto at = static_cast<std::size_t>(set);
    return at < places_.size() && (places_[at].frame != kNoFrame || places_[at].others != 0);
  }

  // No effect if the thread has a unit open on the set: that one is further out.
  void open(SetId set, ThreadId thread, std::uint32_t frame) {
    if (find(set, thread) != kNoFrame) return;
    const auto at = static_cast<std::size_t>(set);
    if (at >= places_.size()) places_.resize(2 * at + 1);
    Place& place = places_[at];
    if (place.frame == kNoFrame) {
      place.thread = thread;
      place.frame = frame;
    } else {
      ++place.others;
      others_[{set, thread}] = frame;
    }
  }

  // No effect if another frame is open on the set.
  void close(SetId set, ThreadId thread, std::uint32_t frame) {
    if (find(set, thread) != frame) return;
    Place& place = places_[static_cast<std::size_t>(set)];
    if (place.frame != kNoFrame && place.thread == thread) {
      place.frame = kNoFrame;
    } else {
      --place.others;
      others_.erase({set, thread});
    }
  }

  void clear() {
    places_.clear();
    others_.clear();
  }

 private:
  struct Place {
    ThreadId thread{};
    std::uint32_t frame = kNoFrame;
    std::uint32_t others = 0;  // in others_
  };

  std::uint32_t find_other(SetId set, ThreadId thread) const {
    const auto found = others_.find({set, thread});
    return found == others_.end() ? kNoFrame : found->second;
  }

  std::vector<Place> places_;  // by SetId
  absl::flat_hash_map<std::pair<SetId, ThreadId>, std::uint32_t> others_;
};

}  // namespace isosan::marathon
