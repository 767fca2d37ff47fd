// What a thread leaves at a synchronization object for the threads that observe it: its clock, and
// the position of its log. Private to sync.cc and sync_objects.cc.
#pragma once

#include "runtime/platform/pool.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

// A clock kept outside a thread. Grows with the number of slots; with few slots it is stored in the
// object itself, in one cache line.
class KeptClock {
 public:
  void clear() { count_ = 0; }
  void release() {
    pool_free(many_, capacity_ * sizeof(std::uint64_t));
    *this = {};
  }
  // The thread's clock with its own current epoch in it.
  void become(const Thread& t) {
    const std::uint32_t n = slots_in_use();
    std::uint64_t* const entries = with_room_for(n);
    for (std::uint32_t i = 0; i < n; ++i) entries[i] = clock_of(t, i);
    entries[t.slot->index] = epoch_of(t);
    count_ = n;
  }
  void join(const Thread& t) {
    const std::uint32_t n = slots_in_use(), me = t.slot->index;
    std::uint64_t* const entries = with_room_for(n);
    for (; count_ < n; ++count_) entries[count_] = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint64_t known = i == me ? epoch_of(t) : clock_of(t, i);
      if (known > entries[i]) entries[i] = known;
    }
  }
  void hand_to(Thread& t) const {
    const std::uint64_t* const entries = many_ != nullptr ? many_ : few_;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (i != t.slot->index) raise_clock(t, i, entries[i]);
    }
  }

 private:
  static constexpr std::uint32_t kFew = 6;

  std::uint64_t* with_room_for(std::uint32_t wanted) {
    if (many_ == nullptr && wanted <= kFew) return few_;
    if (wanted > capacity_) grow(wanted);
    return many_;
  }
  void grow(std::uint32_t wanted) {
    const std::uint32_t grown = wanted * 2;
    auto* bigger = static_cast<std::uint64_t*>(pool_allocate(grown * sizeof(std::uint64_t)));
    const std::uint64_t* const entries = many_ != nullptr ? many_ : few_;
    for (std::uint32_t i = 0; i < count_; ++i) bigger[i] = entries[i];
    pool_free(many_, capacity_ * sizeof(std::uint64_t));
    many_ = bigger;
    capacity_ = grown;
  }

  std::uint32_t count_ = 0;
  std::uint32_t capacity_ = 0;     // of `many_`
  std::uint64_t* many_ = nullptr;  // in place of `few_`
  std::uint64_t few_[kFew] = {};
};

struct Contribution {
  std::uint32_t slot = 0;
  std::uint32_t thread = 0;
  std::uint64_t epoch = 0;
  std::uint64_t position = 0;
};

}  // namespace isosan::rt
