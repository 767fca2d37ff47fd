// What the past of a location means for the future: its last writer, and the readers since.
//
// Model: a Mark is an event as locations remember it. A location has one writer and at most one
// mark per reading thread: in a slot in place until a second thread reads, then in a table outside.
// While all its readers are among the first kOwners threads, each *owns* the slot of its number,
// and whether that is there can be told without a look at it; other tables are hashed by the
// thread's low bits. W and R of a synchronization object are the same thing (sync_effect.h). Law: a
// reader's mark counts only if it is later than the writer's. So a write forgets all readers by
// being there. Who has been here before is as good as random: the fast paths ask as little as
// possible, and remember an event anew where that is cheaper than to see that it is a repeat.
// Layout: with the 8 bytes that ByteMap adds, a location is one cache line.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "base/check.h"
#include "base/vector_clock.h"
#include "event/event.h"

namespace isosan::atomsanitizer {

class Mark {
 public:
  Mark() = default;
  [[gnu::always_inline]] Mark(Epoch transaction, RegionId region, Kind operation,
                              const Where& where)
      : transaction_(transaction),
        event_((where.ordinal + 1) << 24 | std::uint64_t{index(region)} << 5 |
               static_cast<std::uint64_t>(operation)),
        place_(std::uint64_t{index(where.context)} << 32 | index(where.site)) {}

  static constexpr std::uint32_t kRegionLimit = 1u << 19;  // larger ids are shown as no region

  Epoch transaction() const { return transaction_; }
  std::uint32_t thread() const { return transaction_.thread(); }
  bool is_none() const { return transaction_ == Epoch{}; }
  bool is_later_than(const Mark& other) const { return event_ > other.event_; }

  RegionId region() const { return RegionId{static_cast<std::uint32_t>(event_ >> 5) & 0x7ffff}; }
  Kind operation() const { return static_cast<Kind>(event_ & 0x1f); }
  Where where() const {
    return {(event_ >> 24) - 1, ThreadId{thread()}, SiteId{static_cast<std::uint32_t>(place_)},
            ContextId{static_cast<std::uint32_t>(place_ >> 32)}};
  }

 private:
  friend class Location;

  Epoch transaction_;
  std::uint64_t event_ = 0;  // ordinal + 1 (40 bits), region (19 bits), operation (5 bits)
  std::uint64_t place_ = 0;  // context, site
};
static_assert(sizeof(Mark) == 24 && kKindCount <= 32);

class Location {
 public:
  Location() = default;
  Location(const Location& other);
  Location(Location&& other) noexcept
      : writer_(other.writer_),
        slot_(std::exchange(other.slot_, {})),
        readers_(std::exchange(other.readers_, 0)) {}
  Location& operator=(Location other) noexcept {
    std::swap(writer_, other.writer_);
    std::swap(slot_, other.slot_);
    std::swap(readers_, other.readers_);
    return *this;
  }
  ~Location() {
    if (table() != nullptr) [[unlikely]]
      free_table(table());
  }

  const Mark& writer() const { return writer_; }
  bool has_readers() const { return readers_ >> kFlagShift != 0; }
  // Has a thread read since the last write whose flag is among these? (flag_of)
  bool has_readers_among(std::uint64_t flags) const {
    return (readers_ >> kFlagShift & flags) != 0;
  }

  // Threads have flags, 16 of them: what reader is not told apart from another has the same.
  static constexpr std::uint32_t kFlags = 16;
  static constexpr std::uint64_t flag_of(std::uint32_t thread) {
    return std::uint64_t{1} << thread % kFlags;
  }

  // Two events of which it is hard to predict which one comes are one here, without a branch:
  // `writes` is 0 for a read and ~0 for a write. Is it a read that has no slot of its own?
  [[gnu::always_inline]] bool lacks_slot(std::uint32_t thread, std::uint64_t writes) const {
    const std::uint64_t others = slot_.thread() ^ thread;
    return (others >> (readers_ & kOwnedLog) & ~writes) != 0;
  }
  // Where the mark of a read or write goes that does not lack it; flags are set as it will be.
  [[gnu::always_inline]] Mark& place_for(std::uint32_t thread, std::uint64_t flag,
                                         std::uint64_t writes) {
    Mark* const in_table = table() + thread;
    const auto slot = reinterpret_cast<std::uintptr_t>(table() != nullptr ? in_table : &slot_);
    const auto writer = reinterpret_cast<std::uintptr_t>(&writer_);
    readers_ = (readers_ & ~(writes << kFlagShift)) | (flag << kFlagShift & ~writes);
    return *reinterpret_cast<Mark*>(slot ^ ((slot ^ writer) & writes));
  }
  // Likewise for an exclusive lock, which has no readers: an acquire leaves its mark nowhere.
  [[gnu::always_inline]] Mark& place_for(bool releases, Mark& nowhere) {
    return releases ? writer_ : nowhere;
  }

  // Replaces the thread's mark in the slot where it is looked for first; false: another's is there.
  [[gnu::always_inline]] bool replace_reader(const Mark& mark) {
    if (lacks_slot(mark.thread(), 0)) [[unlikely]]
      return replace_hashed(mark);
    place_for(mark.thread(), flag_of(mark.thread()), 0) = mark;
    return true;
  }
  // Replaces the thread's mark, or adds it.
  void set_reader(const Mark& mark);

  template <class F>
  void for_each_reader(F&& f) const {
    if (!has_readers()) return;
    for (std::uint32_t i = 0; i <= last(); ++i) {
      const Mark& slot = slots()[i];
      if (slot.is_later_than(writer_)) f(slot);
    }
  }

  // Does `is_it` hold of the transaction of a reader whose flag is among these? No branch for each.
  template <class F>
  [[gnu::always_inline]] bool any_reader(std::uint64_t flags, F&& is_it) const {
    bool any = false;
    if ((readers_ & kOwnedLog) != 0) {
      for (std::uint64_t left = readers_ >> kFlagShift & flags; left != 0; left &= left - 1) {
        any |= is_it(table()[std::countr_zero(left)].transaction());
      }
      return any;
    }
    const Mark* const all = slots();
    const std::uint32_t end = last();
    for (std::uint32_t i = 0; i <= end; ++i) {
      any |= all[i].is_later_than(writer_) & is_it(all[i].transaction());
    }
    return any;
  }

  // Replaces the writer and forgets the readers.
  [[gnu::always_inline]] void set_writer(const Mark& mark) {
    writer_ = mark;
    readers_ &= kAddress | kOwnedLog;
  }

 private:
  // readers_: flags of the threads that have read since the last write | address of the table (0:
  // the slot in place) | log2 of the number of owned slots. An owner is the thread of slot_,
  // up to the low bits that this log2 says; slot_ is not in use where there is a table, and says
  // who: the first ones, or nobody. Of a hashed table it also holds log2 of the size.
  static constexpr int kFlagShift = 48;
  static constexpr std::uintptr_t kAddress = 0x0000'ffff'ffff'ffc0;
  static constexpr std::uintptr_t kOwnedLog = 0x3f;
  static constexpr std::uint32_t kOwners = 16;
  static constexpr std::uint32_t kNobody = 0xff'ffff;

  Mark* table() const { return reinterpret_cast<Mark*>(readers_ & kAddress); }
  Mark* slots() { return (readers_ & kAddress) != 0 ? table() : &slot_; }
  const Mark* slots() const { return const_cast<Location*>(this)->slots(); }
  bool is_hashed() const { return slot_.thread() == kNobody; }
  std::uint32_t last() const {
    const std::uint64_t log = is_hashed() ? slot_.transaction_.time() : readers_ & kOwnedLog;
    return (1u << log) - 1;
  }

  bool replace_hashed(const Mark& mark);
  void grow(std::uint32_t thread);
  static Mark* make_table(std::uint32_t size);
  static void free_table(Mark* table) { ::operator delete (table, std::align_val_t{64}); }

  Mark writer_;
  Mark slot_;
  std::uintptr_t readers_ = 0;
};
static_assert(sizeof(Location) == 56);

}  // namespace isosan::atomsanitizer
