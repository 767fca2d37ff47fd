#include "oracle/happens_before_oracle.h"

#include <algorithm>
#include <map>

#include "oracle/sync_order.h"

namespace isosan::test {
namespace {

bool uses_object(Kind k) {
  return k == Kind::kAcquire || k == Kind::kRelease || k == Kind::kNotify ||
         k == Kind::kWaitBegin || k == Kind::kBarrierArrive || k == Kind::kBarrierDepart;
}
bool reads_or_writes_atomically(Kind k) { return is_atomic(k) || uses_object(k); }
bool accesses(Kind k) {
  return reads_or_writes_atomically(k) || k == Kind::kRead || k == Kind::kWrite;
}
bool renews(Kind k) { return k == Kind::kAllocate || k == Kind::kFree; }

bool is_block(const Event& e) {
  return renews(e.kind) && static_cast<MemoryOrigin>(e.detail) != MemoryOrigin::kStack;
}
bool writes_bytes(const Event& e) { return writes(e.kind) || is_block(e); }
std::uint64_t size_of(const Event& e) { return uses_object(e.kind) ? 1 : e.size; }

bool releases(const Event& e) {
  const auto order = order_in(e.detail);
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcqRel ||
         order == MemoryOrder::kSeqCst;
}
bool acquires(const Event& e) {
  const auto order = order_in(e.detail);
  return order == MemoryOrder::kAcquire || order == MemoryOrder::kConsume ||
         order == MemoryOrder::kAcqRel || order == MemoryOrder::kSeqCst;
}

using Heads = std::set<std::size_t>;  // events that release on behalf of the value stored

// after[f] grows by the events that f comes after because of atomics and fences.
void add_atomics(std::span<const Event> events, std::vector<std::vector<std::size_t>>& after) {
  std::map<Address, Heads> sequences;               // by atomic object
  std::map<ThreadId, std::size_t> release_fence;    // the latest
  std::map<ThreadId, Heads> read_but_not_acquired;  // waiting for an acquire fence
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    const auto come_after = [&](const Heads& heads) {
      after[i].insert(after[i].end(), heads.begin(), heads.end());
    };
    if (renews(e.kind))
      std::erase_if(sequences, [&](const auto& entry) {
        return entry.first >= e.address && entry.first < e.address + e.size;
      });
    if (e.kind == Kind::kFence) {
      if (acquires(e)) come_after(read_but_not_acquired[e.thread]);
      if (releases(e)) release_fence[e.thread] = i;
    }
    if (!is_atomic(e.kind)) continue;
    Heads& heads = sequences[e.address];
    if (e.kind != Kind::kAtomicStore) {
      if (acquires(e))
        come_after(heads);
      else
        read_but_not_acquired[e.thread].insert(heads.begin(), heads.end());
    }
    if (e.kind == Kind::kAtomicStore) heads.clear();
    if (e.kind != Kind::kAtomicLoad) {
      const auto fence = release_fence.find(e.thread);
      if (releases(e))
        heads.insert(i);
      else if (fence != release_fence.end())
        heads.insert(fence->second);
    }
  }
}

bool renewed_between(std::span<const Event> events, Address byte, std::size_t e, std::size_t f) {
  for (std::size_t i = e + 1; i < f; ++i)
    if (renews(events[i].kind) && events[i].address <= byte &&
        byte < events[i].address + events[i].size)
      return true;
  return false;
}

}  // namespace

HappensBeforeOracle::HappensBeforeOracle(std::span<const Event> events)
    : events_(events.begin(), events.end()),
      before_(events.size(), std::vector<char>(events.size(), 0)),
      before_use_(before_) {
  auto after = sync_order(events_);
  add_atomics(events_, after);
  std::map<ThreadId, std::size_t> last_event;
  for (std::size_t f = 0; f < events_.size(); ++f) {
    const auto previous = last_event.find(events_[f].thread);
    if (previous != last_event.end()) after[f].push_back(previous->second);
    last_event[events_[f].thread] = f;
    // Events before f are closed already: f comes after e, and after all that e comes after.
    for (std::size_t e : after[f]) {
      const bool by_lock = events_[f].kind == Kind::kAcquire && events_[e].kind != Kind::kFork &&
                           events_[e].thread != events_[f].thread;
      for (std::size_t d = 0; d < f; ++d) {
        if (d != e && !before_[d][e]) continue;
        before_[d][f] = 1;
        if (!by_lock) before_use_[d][f] = 1;
      }
    }
    for (std::size_t e = 0; e < f; ++e)
      if (!racing_bytes(e, f).empty()) races_.emplace(e, f);
  }
}

bool HappensBeforeOracle::use_happens_before(std::size_t e, std::size_t f) const {
  if (events_[e].kind != Kind::kNotify) return before_use_[e][f] != 0;
  // Only what the thread does later, or its end, hands on that the notification is done.
  const ThreadId notifier = events_[e].thread;
  for (std::size_t d = e + 1; d < f; ++d) {
    const bool joins =
        events_[d].kind == Kind::kJoin && events_[d].address == static_cast<Address>(notifier);
    if ((joins || events_[d].thread == notifier) && before_use_[d][f] != 0) return true;
  }
  return false;
}

std::vector<Address> HappensBeforeOracle::racing_bytes(std::size_t e, std::size_t f) const {
  const Event& a = events_[e];
  const Event& b = events_[f];
  std::vector<Address> bytes;
  const bool frees = is_block(b) && b.kind == Kind::kFree;
  if (a.thread == b.thread || !(accesses(a.kind) || is_block(a)) || !(accesses(b.kind) || frees))
    return bytes;
  if (!writes_bytes(a) && !writes_bytes(b)) return bytes;
  if (reads_or_writes_atomically(a.kind) && reads_or_writes_atomically(b.kind)) return bytes;
  if (use_happens_before(e, f)) return bytes;
  const Address end = std::min(a.address + size_of(a), b.address + size_of(b));
  for (Address byte = std::max(a.address, b.address); byte < end; ++byte)
    if (!renewed_between(events_, byte, e, f)) bytes.push_back(byte);
  return bytes;
}

}  // namespace isosan::test
