#include "analysis/fasttrack/fasttrack.h"

#include <algorithm>
#include <utility>

namespace isosan {
namespace {

Address down_to_granule(Address address) { return address & ~Address{7}; }
Address up_to_granule(Address address) { return down_to_granule(address + 7); }

}  // namespace

// ---- accesses: [FT ...] are the rules of Flanagan and Freund 2009, Figure 5 ----

void FastTrack::on(const Read& e) {
  const Epoch now = order_.thread(e.where.thread).epoch;
  memory_.visit(e.address, e.size, [&](Location& x, PieceBytes bytes) {
    if (x.plain.was_read_at(now)) {
      count(Rule::kReadSameEpoch);
      return;
    }
    read_slow(x, bytes, current(e.where, Kind::kRead));
  });
}

void FastTrack::on(const Write& e) {
  const Epoch now = order_.thread(e.where.thread).epoch;
  memory_.visit(e.address, e.size, [&](Location& x, PieceBytes bytes) {
    if (x.plain.was_written_at(now)) {
      count(Rule::kWriteSameEpoch);
      return;
    }
    write_slow(x, bytes, current(e.where, Kind::kWrite));
  });
}

void FastTrack::read_slow(Location& x, PieceBytes bytes, const Current& a) {
  if (x.plain.was_read_shared_at(a.record.epoch)) {
    count(Rule::kReadShared);
    return;
  }
  remember_block(x, bytes);
  check_plain_writes(x, bytes, a);
  if (x.atomic) check(x.atomic->writes, bytes, a);
  count(x.plain.note_read(a.record, a.thread.clock));
}

void FastTrack::write_slow(Location& x, PieceBytes bytes, const Current& a) {
  remember_block(x, bytes);
  check_plain_writes(x, bytes, a);
  check_plain_reads(x, bytes, a);
  if (x.atomic) {
    check(x.atomic->writes, bytes, a);
    check(x.atomic->reads, bytes, a);
    x.atomic.reset();  // all of them come before this write, or have been reported
  }
  count(x.plain.note_write(a.record));
}

// ---- atomics: ordered first (an acquire comes after what it read), then checked as accesses ----

void FastTrack::on(const AtomicLoad& e) {
  order_.load(e.where.thread, e.address, e.order);
  memory_.visit(e.address, e.size, [&](Location& x, PieceBytes bytes) {
    atomic_read(x, bytes, current(e.where, Kind::kAtomicLoad));
  });
}

void FastTrack::on(const AtomicStore& e) {
  memory_.visit(e.address, e.size, [&](Location& x, PieceBytes bytes) {
    atomic_write(x, bytes, current(e.where, Kind::kAtomicStore));
  });
  order_.store(e.where.thread, e.address, e.order);
}

void FastTrack::on(const AtomicRmw& e) {
  order_.load(e.where.thread, e.address, e.order);
  memory_.visit(e.address, e.size, [&](Location& x, PieceBytes bytes) {
    atomic_write(x, bytes, current(e.where, Kind::kAtomicRmw));
  });
  order_.continue_release(e.where.thread, e.address, e.order);
}

void FastTrack::atomic_read(Location& x, PieceBytes bytes, const Current& a) {
  remember_block(x, bytes);
  check_plain_writes(x, bytes, a);
  x.make_atomic().reads.add(a.record, a.thread.clock);
}

void FastTrack::atomic_write(Location& x, PieceBytes bytes, const Current& a) {
  remember_block(x, bytes);
  check_plain_writes(x, bytes, a);
  check_plain_reads(x, bytes, a);
  x.make_atomic().writes.add(a.record, a.thread.clock);
}

// ---- synchronization and regions ----

void FastTrack::use(const Where& where, Kind kind, Address object) {
  memory_.visit(object, 1, [&](Location& x, PieceBytes bytes) {
    atomic_read(x, bytes, current(where, kind));
  });
}

void FastTrack::on(const Acquire& e) {
  use(e.where, Kind::kAcquire, e.lock);
  order_.synchronize(e.where.thread, e.lock,
                     sync_effect(Kind::kAcquire, static_cast<std::uint8_t>(e.mode), e.depth));
}

void FastTrack::on(const Release& e) {
  use(e.where, Kind::kRelease, e.lock);
  order_.synchronize(e.where.thread, e.lock,
                     sync_effect(Kind::kRelease, static_cast<std::uint8_t>(e.mode), e.depth));
}

void FastTrack::on(const WaitEnd& e) {
  order_.synchronize(e.where.thread, e.object,
                     sync_effect(Kind::kWaitEnd, static_cast<std::uint8_t>(e.outcome)));
}

void FastTrack::on(const Notify& e) {
  synchronize(Kind::kNotify, e);
  use(e.where, Kind::kNotify, e.object);
}

void FastTrack::on(const BarrierArrive& e) {
  use(e.where, Kind::kBarrierArrive, e.object);
  order_.barrier_arrive(e.where.thread, e.object, e.generation);
}

void FastTrack::on(const BarrierDepart& e) {
  order_.barrier_depart(e.where.thread, e.object, e.generation);
  use(e.where, Kind::kBarrierDepart, e.object);
}

void FastTrack::on(const Begin& e) {
  OpenRegion& open = region_of(e.where.thread);
  if (open.depth++ > 0) return;
  open.region = e.region;
  open.begin = e.where;
}

void FastTrack::on(const End& e) {
  OpenRegion& open = region_of(e.where.thread);
  if (open.depth > 0 && --open.depth == 0) open.region = kNoRegion;
}

FastTrack::OpenRegion& FastTrack::region_of(ThreadId id) {
  if (index(id) >= regions_.size()) regions_.resize(index(id) + std::size_t{1});
  return regions_[index(id)];
}

// ---- memory: a block is allocated and freed as a whole ----

void FastTrack::on(const Free& e) {
  if (e.origin != MemoryOrigin::kStack) {
    const Current a = current(e.where, Kind::kFree);
    memory_.visit_present(e.address, e.size, [&](Location& x, PieceBytes bytes) {
      check_plain_writes(x, bytes, a);
      check_plain_reads(x, bytes, a);
      if (!x.atomic) return;
      check(x.atomic->writes, bytes, a);
      check(x.atomic->reads, bytes, a);
    });
    blocks_.for_each(e.address, e.address + e.size, [&](Address at, const AccessRecord& before) {
      if (!a.thread.clock.covers(before.epoch)) race(before, {at / 8, 0xff}, a);
    });
  }
  renew(e, Kind::kFree);
}

void FastTrack::renew(const MemoryOperation& e, Kind kind) {
  const Address end = e.address + e.size;
  const Address first = std::min(up_to_granule(e.address), end);
  const Address last = std::max(down_to_granule(end), first);
  if (first != e.address) unfold_block(e.address);
  if (last != end) unfold_block(end);
  memory_.reset(e.address, e.size);
  order_.renew(e.address, e.size);
  if (e.origin == MemoryOrigin::kStack) return blocks_.forget(first, last);
  const AccessRecord record = current(e.where, kind).record;
  blocks_.set(first, last, record);
  const auto write = [&](Location& x) { x.plain.note_write(record); };
  if (first != e.address) memory_.visit(e.address, first - e.address, write);
  if (last != end) memory_.visit(last, end - last, write);
}

// The bytes of this granule no longer have one history.
void FastTrack::unfold_block(Address address) {
  const Address granule = down_to_granule(address);
  memory_.visit(granule, 8, [&](Location& x, PieceBytes bytes) { remember_block(x, bytes); });
  blocks_.forget(granule, granule + 8);
}

// A fresh location that is used now was last written when its block was allocated or freed.
inline void FastTrack::remember_block(Location& x, PieceBytes bytes) const {
  if (!x.is_fresh()) return;
  if (const AccessRecord* record = blocks_.at(bytes.granule * 8)) x.plain.note_write(*record);
}

// ---- findings ----

FastTrack::Current FastTrack::current(const Where& where, Kind kind) {
  const HappensBefore::Thread& t = order_.thread(where.thread);
  const RegionId region =
      index(where.thread) < regions_.size() ? regions_[index(where.thread)].region : kNoRegion;
  return {where, kind, t, {t.epoch, where.ordinal, where.site, where.context, index(region), kind}};
}

void FastTrack::race(const AccessRecord& before, PieceBytes bytes, const Current& now) {
  std::uint64_t first = static_place(before.site, before.context);
  std::uint64_t second = static_place(now.where.site, now.where.context);
  if (raced_at_ == now.where.ordinal && raced_with_ == first) return;
  raced_at_ = now.where.ordinal;
  raced_with_ = first;
  ++races_;
  const bool placed = first != 0 || second != 0;
  if (first > second) std::swap(first, second);
  std::string key = std::to_string(first) + "-" + std::to_string(second);
  if (!placed) key += "@" + std::to_string(bytes.first());  // only the location distinguishes it
  if (!out_.is_new("fasttrack", key)) return;

  Finding finding{.analysis = "fasttrack", .kind = FindingKind::kDataRace, .key = std::move(key)};
  finding.message = std::string(name_of(before.kind)) + " and " + std::string(name_of(now.kind)) +
                    " of the same bytes by two threads, with no synchronization in between";
  const Where where{before.ordinal, ThreadId{before.epoch.thread()}, before.site, before.context};
  finding.transactions = {transaction_of(before), transaction_of(now.record)};
  finding.region = finding.transactions[1].region;
  finding.steps = {{0, where, before.kind, bytes.first(), bytes.count()},
                   {1, now.where, now.kind, bytes.first(), bytes.count()}};
  out_.report(std::move(finding));
}

// A site, or else a function: 0 where neither is known.
std::uint64_t FastTrack::static_place(SiteId site, ContextId context) const {
  if (site != kNoSite) return index(site);
  if (options_.tables == nullptr || index(context) >= options_.tables->contexts.size()) return 0;
  const std::uint64_t function = index(options_.tables->contexts[index(context)].function);
  return function == 0 ? 0 : function << 32;
}

FindingTransaction FastTrack::transaction_of(const AccessRecord& access) const {
  const std::uint32_t thread = access.epoch.thread();
  FindingTransaction transaction{.thread = ThreadId{thread}, .region = RegionId{access.tag}};
  if (transaction.region == kNoRegion) {
    transaction.begin = {access.ordinal, ThreadId{thread}, access.site, access.context};
    return transaction;
  }
  const OpenRegion& open = regions_[thread];  // there is one: the access was in a region
  transaction.finished = open.region == kNoRegion || open.begin.ordinal > access.ordinal;
  if (open.begin.ordinal <= access.ordinal) transaction.begin = open.begin;
  transaction.begin.thread = ThreadId{thread};
  return transaction;
}

Stats FastTrack::stats() const {
  constexpr const char* kNames[kRuleCount] = {
      "read_same_epoch",  "read_exclusive",  "read_share",  "read_shared",
      "write_same_epoch", "write_exclusive", "write_shared"};
  Stats stats;
  for (std::size_t rule = 0; rule < kRuleCount; ++rule)
    stats.push_back({kNames[rule], rules_[rule]});
  stats.push_back({"races", races_});
  stats.push_back({"threads", order_.thread_count()});
  stats.push_back({"pages", memory_.live_pages()});
  return stats;
}

}  // namespace isosan
