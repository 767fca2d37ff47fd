// What a location keeps of its past: its last writer, and the readers since.
//
// Model: a Mark is an event as locations keep it. A location has one writer and at most one mark
// per reading thread: in an inline slot until a second thread reads, then in a table on the heap.
// While all its readers are among the first kOwners threads, each *owns* the slot of its number,
// and whether a thread has a slot is known without reading it; other tables are hashed by the
// thread's low bits. W and R of a synchronization object are kept in the same way (sync_effect.h).
// Law: a reader's mark counts only if it is later than the writer's. So a write drops all readers
// without touching them. Which thread was here last is unpredictable: the fast paths branch as
// little as possible, and record an event again where that is cheaper than detecting a repetition.
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
  std::uint32_t thread() const { return transaction_.thread(); }  // its slot in the tables
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

  // Threads share 16 flags: threads with the same flag are not distinguished.
  static constexpr std::uint32_t kFlags = 16;
  static constexpr std::uint64_t flag_of(std::uint32_t thread) {
    return std::uint64_t{1} << thread % kFlags;
  }

  // Reads and writes share the code below without a branch, since which one comes is hard to
  // predict: `writes` is 0 for a read and ~0 for a write. Is it a read without a slot of its own?
  [[gnu::always_inline]] bool lacks_slot(std::uint32_t thread, std::uint64_t writes) const {
    const std::uint64_t others = slot_.thread() ^ thread;
    return (others >> (readers_ & kOwnedLog) & ~writes) != 0;
  }
  // Where the mark of a read or write goes, unless lacks_slot(); updates the flags.
  [[gnu::always_inline]] Mark& place_for(std::uint32_t thread, std::uint64_t flag,
                                         std::uint64_t writes) {
    Mark* const in_table = table() + thread;
    const auto slot = reinterpret_cast<std::uintptr_t>(table() != nullptr ? in_table : &slot_);
    const auto writer = reinterpret_cast<std::uintptr_t>(&writer_);
    readers_ = (readers_ & ~(writes << kFlagShift)) | (flag << kFlagShift & ~writes);
    return *reinterpret_cast<Mark*>(slot ^ ((slot ^ writer) & writes));
  }
  // Likewise for an exclusive lock, which has no readers: an acquire writes its mark to `nowhere`.
  [[gnu::always_inline]] Mark& place_for(bool releases, Mark& nowhere) {
    return releases ? writer_ : nowhere;
  }

  // Replaces the thread's mark in its first slot; false: another thread's mark is there.
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

  // Does `is_it` hold for the transaction of a reader whose flag is among these? Without branches.
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
  // the inline slot) | log2 of the number of owned slots. The owners are slot_'s thread and those
  // that differ from it in the low bits that this log2 gives. With a table slot_ is not a mark: it
  // only holds the first owner, or none, and for a hashed table log2 of its size.
  static constexpr int kFlagShift = 48;
  static constexpr std::uintptr_t kAddress = 0x0000'ffff'ffff'ffc0;
  static constexpr std::uintptr_t kOwnedLog = 0x3f;
  static constexpr std::uint32_t kOwners = 16;
  static constexpr std::uint32_t kNoThread = 0xff'ffff;

  Mark* table() const { return reinterpret_cast<Mark*>(readers_ & kAddress); }
  Mark* slots() { return (readers_ & kAddress) != 0 ? table() : &slot_; }
  const Mark* slots() const { return const_cast<Location*>(this)->slots(); }
  bool is_hashed() const { return slot_.thread() == kNoThread; }
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
