#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "differential/intended.h"
#include "oracle/serializability_oracle.h"

namespace isosan::test {
namespace {

std::string shown(const Event& e) {
  return fmt::format("T{} {} {}+{} detail {} depth {}", index(e.thread), name_of(e.kind), e.address,
                     e.size, e.detail, e.depth);
}

bool same_operation(const Event& a, const Event& b) {
  if (a.kind != b.kind || a.thread != b.thread) return false;
  if (a.kind == Kind::kEnd) return true;  // by depth
  return a.address == b.address && a.size == b.size && a.detail == b.detail && a.depth == b.depth;
}

class Comparison {
 public:
  Comparison(const IntendedTrace& intended, const std::vector<RecordedEvent>& recorded)
      : intended_(intended),
        events_(intended.trace.events),
        recorded_(recorded),
        with_sync_(events_, true),
        before_(events_.size()),
        positions_(events_.size()) {
    std::map<ThreadId, std::size_t> last;
    for (std::size_t f = 0; f < events_.size(); ++f) {
      for (std::size_t e = 0; e < f; ++e) {
        if (depends(e, f)) come_after(f, e);
      }
      if (const auto own = last.find(events_[f].thread); own != last.end())
        come_after(f, own->second);
      last[events_[f].thread] = f;
    }
  }

  std::string error() {
    std::string error = match_threads();
    if (error.empty()) error = check_order();
    if (error.empty()) error = check_missing();
    return error;
  }

 private:
  std::string match_threads() {
    std::map<std::uint32_t, std::size_t>
        next;  // by thread: the first intended event not passed yet
    for (std::size_t r = 0; r < recorded_.size(); ++r) {
      const Event& e = recorded_[r].event;
      std::size_t& i = next[index(e.thread)];
      const std::size_t found = is_access(e.kind) ? find_access(recorded_[r], i) : find_other(e, i);
      if (found == events_.size()) {
        return fmt::format("recorded: {} (step {}); intended next: {}", shown(e), recorded_[r].step,
                           next_of(e.thread, i));
      }
      positions_[found].push_back(r);
      i = is_access(e.kind) ? found : found + 1;
    }
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!is_access(events_[i].kind) && positions_[i].empty()) {
        return fmt::format("not recorded: {} (step {})", shown(events_[i]), intended_.steps[i]);
      }
    }
    return {};
  }

  std::string next_of(ThreadId thread, std::size_t from) const {
    for (std::size_t i = from; i < events_.size(); ++i) {
      if (events_[i].thread == thread && !is_access(events_[i].kind))
        return fmt::format("{} (step {})", shown(events_[i]), intended_.steps[i]);
    }
    return "nothing but accesses";
  }

  // Further events of one access (a block told in pieces) may come: it is not passed.
  std::size_t find_access(const RecordedEvent& r, std::size_t from) const {
    for (std::size_t i = from; i < events_.size(); ++i) {
      const Event& e = events_[i];
      if (e.thread != r.event.thread) continue;
      if (!is_access(e.kind)) {
        if (positions_[i].empty()) return events_.size();
        continue;
      }
      if (intended_.steps[i] != r.step) continue;
      const bool inside =
          r.event.address >= e.address && r.event.address + r.event.size <= e.address + e.size;
      const bool same =
          e.kind == r.event.kind && inside && (is_plain_kind(e.kind) || e.detail == r.event.detail);
      return same ? i : events_.size();
    }
    return events_.size();
  }
  static bool is_plain_kind(Kind kind) { return kind == Kind::kRead || kind == Kind::kWrite; }

  std::size_t find_other(const Event& event, std::size_t from) const {
    for (std::size_t i = from; i < events_.size(); ++i) {
      if (events_[i].thread != event.thread || is_access(events_[i].kind)) continue;
      return same_operation(events_[i], event) ? i : events_.size();
    }
    return events_.size();
  }

  // By data or synchronization.
  bool depends(std::size_t e, std::size_t f) const {
    return with_sync_.depends(e, f, EdgeReason::kData) ||
           with_sync_.depends(e, f, EdgeReason::kSynchronization);
  }

  void come_after(std::size_t f, std::size_t e) {
    before_[f].insert(e);
    before_[f].insert(before_[e].begin(), before_[e].end());
  }
  bool comes_before(std::size_t e, std::size_t f) const { return before_[f].contains(e); }

  // A dependence on a transaction that the thread comes after already is nothing new.
  bool transaction_comes_before(std::size_t e, std::size_t f) const {
    for (std::size_t g = 0; g < f; ++g) {
      if (with_sync_.transaction_of(g) == with_sync_.transaction_of(e) && comes_before(g, f))
        return true;
    }
    return false;
  }

  // Of accesses told in pieces, those that have bytes in common.
  bool are_in_order(std::size_t e, std::size_t f) const {
    for (const std::size_t r : positions_[e]) {
      for (const std::size_t s : positions_[f]) {
        const Event& a = recorded_[r].event;
        const Event& b = recorded_[s].event;
        const bool apart = is_access(a.kind) && is_access(b.kind) &&
                           (a.address + a.size <= b.address || b.address + b.size <= a.address);
        if (r >= s && !apart) return false;
      }
    }
    return true;
  }

  std::string check_order() const {
    for (std::size_t e = 0; e < events_.size(); ++e) {
      for (std::size_t f = e + 1; f < events_.size(); ++f) {
        if (!depends(e, f) || are_in_order(e, f)) continue;
        return fmt::format("out of order: {} (step {}) is to come before {} (step {})",
                           shown(events_[e]), intended_.steps[e], shown(events_[f]),
                           intended_.steps[f]);
      }
    }
    return {};
  }

  bool recorded_byte(std::size_t i, std::uint64_t byte) const {
    return std::any_of(positions_[i].begin(), positions_[i].end(), [&](std::size_t r) {
      const Event& e = recorded_[r].event;
      return byte >= e.address && byte < e.address + e.size;
    });
  }

  bool touches(std::size_t i, std::uint64_t byte) const {
    return is_access(events_[i].kind) && byte >= events_[i].address &&
           byte < events_[i].address + events_[i].size;
  }

  std::string check_missing() const {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!is_access(events_[i].kind)) continue;
      for (std::uint64_t byte = events_[i].address; byte < events_[i].address + events_[i].size;
           ++byte) {
        if (recorded_byte(i, byte)) continue;
        if (reads(events_[i].kind) && !stands_for(i, byte, /*write=*/false)) return lost(i, byte);
        if (writes(events_[i].kind) && !stands_for(i, byte, /*write=*/true)) return lost(i, byte);
      }
    }
    return {};
  }

  std::string lost(std::size_t i, std::uint64_t byte) const {
    return fmt::format("lost: {} (step {}), byte {}", shown(events_[i]), intended_.steps[i], byte);
  }

  // Is there an earlier event that says the same? Going back from event i.
  bool stands_for(std::size_t i, std::uint64_t byte, bool write) const {
    for (std::size_t e = i; e-- > 0;) {
      if (events_[e].thread != events_[i].thread) {
        if (touches(e, byte) && (write || writes(events_[e].kind))) return false;
        continue;
      }
      if (touches(e, byte) && recorded_byte(e, byte) && (writes(events_[e].kind) || !write)) {
        return with_sync_.transaction_of(e) == with_sync_.transaction_of(i) || quiet_between(e, i);
      }
    }
    return false;
  }

  bool unary(std::size_t i) const {
    return with_sync_.transactions()[with_sync_.transaction_of(i)].region == kNoRegion;
  }

  bool same_granule(std::size_t e, std::size_t f) const {
    if (!is_access(events_[e].kind) || !is_access(events_[f].kind)) return false;
    const auto first = [&](std::size_t i) { return events_[i].address / 8; };
    const auto last = [&](std::size_t i) { return (events_[i].address + events_[i].size - 1) / 8; };
    return first(e) <= last(f) && first(f) <= last(e);
  }

  // Did the thread of `until` use a granule of `from` afterwards, up to `until`? Memory changes
  // hands by granules.
  bool taken_over(std::size_t from, std::size_t until) const {
    for (std::size_t g = from + 1; g <= until; ++g) {
      if (events_[g].thread == events_[until].thread && same_granule(from, g)) return true;
    }
    return false;
  }

  // A read of what another thread has read too since it was written: order is known of such memory
  // as a whole, and a dependence that it adds to code outside regions is not always told apart
  // (runtime.md).
  bool reads_shared(std::size_t at) const {
    if (events_[at].kind != Kind::kRead && events_[at].kind != Kind::kAtomicLoad) return false;
    for (std::size_t e = at; e-- > 0;) {
      if (!is_access(events_[e].kind)) continue;
      if (!same_granule(e, at)) continue;
      if (writes(events_[e].kind)) return false;
      if (events_[e].thread != events_[at].thread) return true;
    }
    return false;
  }

  bool quiet_between(std::size_t e, std::size_t i) const {
    if (!unary(e) || !unary(i)) return false;
    for (std::size_t at = e + 1; at <= i; ++at) {
      if (events_[at].thread != events_[i].thread) continue;
      if (!unary(at)) return false;
      if (reads_shared(at)) continue;
      if (at == i && events_[i].size > 16) continue;  // a block: granule by granule
      for (std::size_t from = 0; from < at; ++from) {
        if (events_[from].thread == events_[at].thread || !depends(from, at)) continue;
        if (!transaction_comes_before(from, e) && !taken_over(from, e)) return false;
      }
    }
    return true;
  }

  const IntendedTrace& intended_;
  const std::vector<Event>& events_;
  const std::vector<RecordedEvent>& recorded_;
  SerializabilityOracle with_sync_;
  std::vector<std::set<std::size_t>> before_;  // by intended event: those it comes after
  std::vector<std::vector<std::size_t>>
      positions_;  // by intended event: where it stands in the recording
};

}  // namespace

std::string difference(const IntendedTrace& intended, const std::vector<RecordedEvent>& recorded) {
  return Comparison(intended, recorded).error();
}

}  // namespace isosan::test
