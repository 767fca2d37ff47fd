// Which operations access which memory, in slots: granules of 8 bytes between two allocations.
//
// Model: a slot is a granule from one allocation (or the start of the run) to the next one that
// overlaps it: reuse of an address is no conflict. An access is a list of (slot, bytes of it);
// nearly always it is one. A slot is *shared* when two threads touch it and one of them writes (the
// escape analysis of Penelope, section 5); only shared slots can be violated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/ids.h"

namespace isosan::predict {

using SlotIndex = std::uint32_t;

// Bytes of one slot that every access treats alike.
struct Location {
  SlotIndex slot = 0;
  std::uint8_t bytes = 0;
};

struct Part {  // of an access: these bytes of a slot
  SlotIndex slot = 0;
  std::uint8_t mask = 0;
};

class Locations {
 public:
  static constexpr std::uint64_t kGranule = 8;

  // Calls f(Part) for each granule of [address, address + size) and notes the accessing thread.
  template <class F>
  void touch(std::uint32_t thread, Address address, std::uint64_t size, bool writes, F&& f) {
    const Address end = address + size;
    while (address < end) {
      const std::uint64_t offset = address % kGranule;
      const std::uint64_t length =
          end - address < kGranule - offset ? end - address : kGranule - offset;
      const SlotIndex slot = slot_of(address / kGranule);
      note(slots_[slot], thread, writes);
      f(Part{slot, static_cast<std::uint8_t>(((1u << length) - 1u) << offset)});
      address += length;
    }
  }

  // The bytes are new locations from now on.
  void renew(Address address, std::uint64_t size);

  bool shared(SlotIndex slot) const {
    const Slot& s = slots_[slot];
    return s.several_threads && s.written;
  }
  Address address_of(SlotIndex slot) const { return slots_[slot].granule * kGranule; }
  std::size_t size() const { return slots_.size(); }

 private:
  struct Slot {
    std::uint64_t granule = 0;
    std::uint32_t first_thread = 0;
    bool touched = false;
    bool several_threads = false;
    bool written = false;
  };
  static constexpr std::uint64_t kPageGranules = 64;
  static constexpr SlotIndex kNone = ~SlotIndex{0};
  using Page = std::array<SlotIndex, kPageGranules>;

  static void note(Slot& slot, std::uint32_t thread, bool writes) {
    if (!slot.touched) {
      slot.touched = true;
      slot.first_thread = thread;
    }
    slot.several_threads |= slot.first_thread != thread;
    slot.written |= writes;
  }
  SlotIndex slot_of(std::uint64_t granule);

  std::vector<Slot> slots_;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  static constexpr std::size_t kCacheSize = 64;
  std::array<std::pair<std::uint64_t, Page*>, kCacheSize> cache_{};  // by page number
};

}  // namespace isosan::predict
