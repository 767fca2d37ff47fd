// FastTrack: data races of one execution, by happens-before.
//
// Model: two accesses race when they share a byte, come from different threads, at least one
// writes, not both are atomic, and neither happens before the other (happens_before.h). Reported at
// the second of them, with the first.
// Law: an event is the first race of a byte here exactly when it is by the definition. After the
// first race of a byte its history is no longer an order, and later ones are found as a rule, not
// always (so in the paper). Memory that was allocated or freed is a new location.
// Paper: Flanagan and Freund, PLDI 2009; rule names in the .cc are theirs. We depart in four
// things: accesses are exact to the byte, sets of reads keep no entry that decides nothing
// (history.h), C++ atomics are modelled with their memory orders, which the paper does not know,
// and more than accesses are accesses:
//   - free writes the whole block; allocate writes it for those who use it later, not for those who
//     used it before. A stack does neither: nobody hands it over.
//   - an operation on a lock, condition or barrier is an atomic read of its first byte; so it races
//     with initializing, destroying and freeing it. An acquire reads before the lock orders it.
//     A notification reads after it, because the thread that it wakes may be faster. A wait reads
//     when it begins: one that was notified may outlive the condition.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/fasttrack/blocks.h"
#include "analysis/fasttrack/happens_before.h"
#include "analysis/fasttrack/history.h"
#include "base/byte_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/stat.h"
#include "event/tables.h"

namespace isosan {

class FastTrack {
 public:
  struct Options {
    // Names the functions of accesses without a site, so that their races are distinguished by
    // function.
    const Tables* tables = nullptr;
  };
  using Handles =
      Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Fence, Acquire, Release, Fork, Join,
             Begin, End, WaitBegin, WaitEnd, Notify, BarrierArrive, BarrierDepart, SemaphorePost,
             SemaphoreWait, OnceDone, OnceSeen, Publish, Observe, Allocate, Free>;

  explicit FastTrack(FindingSink& out) : FastTrack(out, Options{}) {}
  FastTrack(FindingSink& out, Options options) : out_(out), options_(options) {}

  void on(const Read& e);
  void on(const Write& e);
  void on(const AtomicLoad& e);
  void on(const AtomicStore& e);
  void on(const AtomicRmw& e);
  void on(const Fence& e) { order_.fence(e.where.thread, e.order); }
  void on(const Acquire& e);
  void on(const Release& e);
  void on(const Fork& e) { order_.fork(e.where.thread, e.other); }
  void on(const Join& e) { order_.join(e.where.thread, e.other); }
  void on(const Begin& e);
  void on(const End& e);
  void on(const WaitBegin& e) { use(e.where, Kind::kWaitBegin, e.object); }
  void on(const WaitEnd& e);
  void on(const Notify& e);
  void on(const BarrierArrive& e);
  void on(const BarrierDepart& e);
  void on(const SemaphorePost& e) { synchronize(Kind::kSemaphorePost, e); }
  void on(const SemaphoreWait& e) { synchronize(Kind::kSemaphoreWait, e); }
  void on(const OnceDone& e) { synchronize(Kind::kOnceDone, e); }
  void on(const OnceSeen& e) { synchronize(Kind::kOnceSeen, e); }
  void on(const Publish& e) { synchronize(Kind::kPublish, e); }
  void on(const Observe& e) { synchronize(Kind::kObserve, e); }
  void on(const Allocate& e) { renew(e, Kind::kAllocate); }
  void on(const Free& e);

  void finish() {}
  Stats stats() const;

 private:
  struct AtomicHistory {
    AccessSet reads;
    AccessSet writes;
  };
  struct Location {
    PlainHistory plain;
    std::unique_ptr<AtomicHistory> atomic;  // few locations have one

    Location() = default;
    Location(Location&&) noexcept = default;
    Location& operator=(Location&&) noexcept = default;
    Location(const Location& other)
        : plain(other.plain),
          atomic(other.atomic ? std::make_unique<AtomicHistory>(*other.atomic) : nullptr) {}
    Location& operator=(const Location& other) { return *this = Location(other); }
    ~Location() = default;

    bool is_fresh() const { return plain.is_empty() && !atomic; }
    AtomicHistory& make_atomic() {
      if (!atomic) atomic = std::make_unique<AtomicHistory>();
      return *atomic;
    }
  };
  struct OpenRegion {
    std::uint32_t depth = 0;  // only the outermost region counts
    RegionId region{};
    Where begin;
  };
  // The access being handled: what a race needs of it.
  struct Current {
    const Where& where;
    Kind kind;
    const HappensBefore::Thread& thread;
    AccessRecord record;
  };

  Current current(const Where& where, Kind kind);
  void use(const Where& where, Kind kind, Address object);
  void remember_block(Location& x, PieceBytes bytes) const;
  void unfold_block(Address address);
  void read_slow(Location& x, PieceBytes bytes, const Current& a);
  void write_slow(Location& x, PieceBytes bytes, const Current& a);
  void atomic_read(Location& x, PieceBytes bytes, const Current& a);
  void atomic_write(Location& x, PieceBytes bytes, const Current& a);

  void check_plain_writes(const Location& x, PieceBytes bytes, const Current& a) {
    x.plain.for_each_unordered_write(a.thread.clock,
                                     [&](const AccessRecord& w) { race(w, bytes, a); });
  }
  void check_plain_reads(const Location& x, PieceBytes bytes, const Current& a) {
    x.plain.for_each_unordered_read(a.thread.clock,
                                    [&](const AccessRecord& r) { race(r, bytes, a); });
  }
  void check(const AccessSet& before, PieceBytes bytes, const Current& a) {
    for (const AccessRecord& record : before) {
      if (!a.thread.clock.covers(record.epoch)) race(record, bytes, a);
    }
  }
  void count(Rule rule) { ++rules_[static_cast<std::size_t>(rule)]; }

  void race(const AccessRecord& before, PieceBytes bytes, const Current& now);
  std::uint64_t static_place(SiteId site, ContextId context) const;
  FindingTransaction transaction_of(const AccessRecord& access) const;
  OpenRegion& region_of(ThreadId id);

  void synchronize(Kind kind, const SyncOperation& e) {
    order_.synchronize(e.where.thread, e.object, sync_effect(kind, 0));
  }

  void renew(const MemoryOperation& e, Kind kind);

  FindingSink& out_;
  Options options_;
  HappensBefore order_;
  ByteMap<Location> memory_;
  BlockRecords blocks_;                            // whole granules of allocated and freed blocks
  std::vector<OpenRegion> regions_;                // by thread
  std::array<std::uint64_t, kRuleCount> rules_{};  // how often each rule was taken
  std::uint64_t races_ = 0;
  std::uint64_t raced_at_ = ~std::uint64_t{0};  // the event last reported, and against what:
  std::uint64_t raced_with_ = 0;                // a wide access races once, not once per granule
};
static_assert(Analysis<FastTrack>);

}  // namespace isosan
