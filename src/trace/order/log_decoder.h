// Decodes LogUnits into Events: the only decoder of the units of log_format.h.
//
// Model: a record is a unit with the extension and range units that belong to it; they are always
// handed over together. A record is an event, a strided range of accesses (one event where the
// elements adjoin or walks are kept, otherwise as many as it has elements), or something that only
// concerns the linearizer. The decoder keeps the thread's stack, so that each event carries its
// calling context: a Call and its Return both carry the stack that includes the function.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "event/event.h"
#include "runtime/contract/log_format.h"
#include "runtime/contract/unordered_granules.h"
#include "trace/order/context_tree.h"
#include "trace/order/place_resolver.h"

namespace isosan {

// The units that continue a record; every other unit begins one.
constexpr bool continues_record(const log::LogUnit& unit) {
  const auto code = static_cast<log::Code>(log::code_of(unit));
  return code == log::Code::kExtension || code == log::Code::kRange;
}
// A call of the __tsan_* front: its address is the place of the call.
constexpr bool is_call_with_site(const log::LogUnit& unit) {
  return log::code_of(unit) == log::code_of(Kind::kCall) && log::detail_of(unit) == 1;
}
constexpr bool is_marker(std::uint8_t code) {
  return code == static_cast<std::uint8_t>(log::Code::kMarker) ||
         code == static_cast<std::uint8_t>(log::Code::kOrderMarker);
}

// Where decoded events go.
struct EventRoom {
  Event* next;
  Event* end;

  std::size_t left() const { return static_cast<std::size_t>(end - next); }
};

class LogDecoder {
 public:
  // More elements than this in one range is damage.
  static constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 32;

  static constexpr std::size_t kMostPending = 64;  // calls

  // A strided range not yet handed out: `left` events, the first of them `next`.
  struct Range {
    Event next;
    std::uint64_t left = 0;
    std::uint64_t stride = 0;  // modulo 2^64
  };
  // A call without events so far (keep_plain_only_at).
  struct PendingCall {
    FunctionId function{};
    SiteId site{};
    std::uint64_t object = 0;
  };
  struct ThreadState {
    ContextId stack{};
    Range range;
    std::vector<PendingCall> pending;
  };
  struct Result {
    std::size_t units = 0;         // length of the record; 0: it is not whole yet
    const char* damage = nullptr;  // what is wrong with it
  };

  LogDecoder(PlaceResolver& resolver, std::vector<Context>& contexts)
      : resolver_(resolver), places_are_ids_(resolver.places_are_ids()), tree_(contexts) {}

  // From now on a range is one event (a walk, event.h).
  void keep_walks() { keeps_walks_ = true; }
  bool keeps_walks() const { return keeps_walks_; }
  // From now on plain accesses to other granules are no events; nor are calls in which nothing else
  // happens, but for the first of each function.
  void keep_plain_only_at(const UnorderedGranules* granules) { plain_only_at_ = granules; }
  // Calls that may have to come before one event.
  std::size_t most_pending() const { return plain_only_at_ == nullptr ? 0 : kMostPending; }
  // Is there room for one event, with the calls that lead to it?
  static bool has_room(const ThreadState& state, const EventRoom& room) {
    return room.left() > state.pending.size();
  }

  // Adds the event of the record that `units` begins with (has_room() holds), or puts a range
  // into `state`, from where the caller expands it (it may be large). Markers and event indices are
  // no events: the caller takes care of them before.
  Result decode(ThreadId thread, ThreadState& state, std::span<const log::LogUnit> units,
                EventRoom& room);

  // The fast path: the events of accesses of known size that `units` begins with; returns the
  // number of their units.
  std::size_t decode_accesses(ThreadId thread, ThreadState& state,
                              std::span<const log::LogUnit> units, EventRoom& room) {
    std::size_t n = 0;
    for (; n < units.size() && has_room(state, room); ++n) {
      const log::LogUnit& unit = units[n];
      if (!is_simple_access(unit)) break;
      if (n + 1 < units.size() && continues_record(units[n + 1])) break;
      if (leaves_out(log::kind_of(log::code_of(unit)), log::address_of(unit), log::detail_of(unit)))
        continue;
      if (!state.pending.empty()) add_pending_calls(thread, state, room);
      *room.next++ = {log::kind_of(log::code_of(unit)),
                      static_cast<std::uint8_t>(log::extra_of(unit)),
                      0,
                      thread,
                      log::address_of(unit),
                      log::detail_of(unit),
                      site_of(log::place_of(unit)),
                      state.stack};
    }
    return n;
  }

  static void expand(Range& range, EventRoom& room);

 private:
  bool may_leave_out(Kind kind) const {
    return plain_only_at_ != nullptr && (kind == Kind::kRead || kind == Kind::kWrite);
  }
  bool leaves_out(Kind kind, std::uint64_t address, std::uint64_t size) const {
    return may_leave_out(kind) && !plain_only_at_->touches(address, size);
  }
  bool leaves_out(Range range) const;
  void add_pending_calls(ThreadId thread, ThreadState& state, EventRoom& room);
  // True: it was left out.
  bool defer_call(ThreadId thread, ThreadState& state, const PendingCall& call, EventRoom& room);
  bool drop_call(ThreadId thread, ThreadState& state, EventRoom& room);
  static bool is_simple_access(const log::LogUnit& unit) {
    static_assert(log::code_of(Kind::kRead) == 1 && log::code_of(Kind::kAtomicRmw) == 5);
    const bool is_access = log::code_of(unit) - 1u < 5u;
    return is_access && log::detail_of(unit) != 0;
  }

  template <class Value>
  struct CacheEntry {
    std::uint64_t place = 0;
    Value value{};
  };
  static constexpr std::size_t kCacheSize = 2048;
  static std::size_t slot_of(std::uint64_t place) {
    return static_cast<std::size_t>((place * 0x9e3779b97f4a7c15u) >> (64 - 11));
  }
  static_assert(kCacheSize == 1 << 11);

  SiteId site_of(std::uint64_t place) {
    if (places_are_ids_) return SiteId{static_cast<std::uint32_t>(place)};
    CacheEntry<SiteId>& entry = sites_[slot_of(place)];
    if (entry.place != place) [[unlikely]]
      entry = {place, resolver_.site_of(place)};
    return entry.value;
  }
  FunctionId function_of(std::uint64_t place) {
    if (places_are_ids_) return FunctionId{static_cast<std::uint32_t>(place)};
    CacheEntry<FunctionId>& entry = functions_[slot_of(place)];
    if (entry.place != place) [[unlikely]]
      entry = {place, resolver_.function_of(place)};
    return entry.value;
  }

  Result decode_range(Event first, std::span<const log::LogUnit> units, Range& range) const;

  PlaceResolver& resolver_;
  const bool places_are_ids_;
  bool keeps_walks_ = false;
  const UnorderedGranules* plain_only_at_ = nullptr;
  std::vector<bool> called_;  // by function: a call of it was an event
  ContextTree tree_;
  std::array<CacheEntry<SiteId>, kCacheSize> sites_{};
  std::array<CacheEntry<FunctionId>, kCacheSize> functions_{};
};

}  // namespace isosan
