#include "trace/order/log_decoder.h"

#include <utility>

#include "trace/stream/trace_source.h"

namespace isosan {

namespace {

// A walk up or down in small steps is treated as all bytes from the first to the last.
constexpr std::uint64_t kSmallStep = 512, kMostDense = std::uint64_t{1} << 40;
bool is_dense(const WalkSteps& steps) {
  return steps.stride + kSmallStep <= 2 * kSmallStep && steps.count <= kMostDense / kSmallStep;
}
std::uint64_t first_byte(std::uint64_t address, const WalkSteps& steps) {
  return static_cast<std::int64_t>(steps.stride) < 0 ? address + steps.stride * (steps.count - 1)
                                                     : address;
}
std::uint64_t length_of(const WalkSteps& steps) {
  const std::uint64_t step =
      static_cast<std::int64_t>(steps.stride) < 0 ? 0 - steps.stride : steps.stride;
  return step * (steps.count - 1) + steps.size;
}

}  // namespace

using log::Code;
using log::LogUnit;

namespace {
bool has_code(const LogUnit& unit, Code code) {
  return log::code_of(unit) == static_cast<std::uint8_t>(code);
}

constexpr std::uint64_t kMaxSize = log::kLow48;
}  // namespace

LogDecoder::Result LogDecoder::decode(ThreadId thread, ThreadState& state,
                                      std::span<const LogUnit> units, EventRoom& room) {
  const LogUnit& unit = units.front();
  if (!log::is_event(log::code_of(unit))) return {1, "no such unit"};
  const Kind kind = log::kind_of(log::code_of(unit));
  const std::uint64_t place = log::place_of(unit);
  const std::uint8_t detail = log::detail_of(unit);
  Event e{.kind = kind, .thread = thread, .address = log::address_of(unit), .context = state.stack};

  std::size_t length = 1;
  std::uint64_t extension = 0;
  if (log::has_extension(unit)) {
    if (units.size() < 2) return {};
    if (!has_code(units[1], Code::kExtension)) return {1, "a unit without its extension"};
    extension = units[1].word1;
    length = 2;
    if (extension > kMaxSize && is_access(kind)) return {length, "an impossible size"};
  }
  switch (payload_of(kind)) {
    case Payload::kAccess:
      e.site = site_of(place);
      e.size = detail != 0 ? detail : extension;
      e.detail = static_cast<std::uint8_t>(log::extra_of(unit));
      if (length == 1 && units.size() > 1 && has_code(units[1], Code::kExtension)) [[unlikely]] {
        const Result result = decode_range(e, units, state.range);
        if (leaves_out(state.range)) state.range = {};
        if (state.range.left > 0) add_pending_calls(thread, state, room);
        state.range.next.context = state.stack;
        return result;
      }
      break;
    case Payload::kOrder:
      e.site = site_of(place);
      e.detail = static_cast<std::uint8_t>(log::extra_of(unit));
      break;
    case Payload::kLock:
      e.site = site_of(place);
      e.detail = detail;
      e.depth = log::extra_of(unit);
      break;
    case Payload::kRegion: {
      e.detail = detail & static_cast<std::uint8_t>(~log::kNamedBlock);
      if (e.detail > static_cast<std::uint8_t>(RegionKind::kUnit)) {
        return {length, "no such region kind"};
      }
      const PlaceResolver::RegionPlace region =
          place == 0 ? PlaceResolver::RegionPlace{}
                     : resolver_.region_of(place, static_cast<RegionKind>(e.detail), extension);
      e.size = index(region.region);
      e.site = region.site;
      break;
    }
    case Payload::kFunction: {
      const FunctionId function = function_of(place);
      e.size = index(function);
      if (kind == Kind::kCall) {
        if (is_call_with_site(unit)) e.site = site_of(std::exchange(e.address, 0));
        if (defer_call(thread, state, {function, e.site, e.address}, room))
          return {length, nullptr};
        e.context = state.stack = tree_.call(state.stack, function, e.site);
      } else {
        if (drop_call(thread, state, room)) return {length, nullptr};
        e.context = state.stack;
        state.stack = tree_.leave(state.stack, function);
      }
      break;
    }
    case Payload::kThread:
      if (e.address > kMaxThread) return {1, "a thread that cannot be"};
      e.site = site_of(place);
      break;
    case Payload::kNothing:
    case Payload::kObject:
    case Payload::kOutcome:
    case Payload::kScope:
    case Payload::kGeneration:
    case Payload::kMemory:
      e.site = site_of(place);
      e.detail = detail;
      e.size = extension;
      break;
  }
  if (leaves_out(kind, e.address, e.size)) return {length, nullptr};
  if (!state.pending.empty()) {
    add_pending_calls(thread, state, room);
    e.context = state.stack;
  }
  *room.next++ = e;
  return {length, nullptr};
}

void LogDecoder::add_pending_calls(ThreadId thread, ThreadState& state, EventRoom& room) {
  for (const PendingCall& call : state.pending) {
    state.stack = tree_.call(state.stack, call.function, call.site);
    if (index(call.function) >= called_.size()) called_.resize(index(call.function) + 1);
    called_[index(call.function)] = true;
    *room.next++ = {.kind = Kind::kCall,
                    .thread = thread,
                    .address = call.object,
                    .size = index(call.function),
                    .site = call.site,
                    .context = state.stack};
  }
  state.pending.clear();
}

bool LogDecoder::defer_call(ThreadId thread, ThreadState& state, const PendingCall& call,
                            EventRoom& room) {
  if (plain_only_at_ == nullptr) return false;
  if (state.pending.size() == kMostPending) add_pending_calls(thread, state, room);
  state.pending.push_back(call);
  return true;
}

// For the return of a call without events.
bool LogDecoder::drop_call(ThreadId thread, ThreadState& state, EventRoom& room) {
  if (state.pending.empty()) return false;
  const std::uint32_t function = index(state.pending.back().function);
  if (function < called_.size() && called_[function]) {
    state.pending.pop_back();
    return true;
  }
  add_pending_calls(thread, state, room);
  return false;
}

// An access, its extension (number of elements), and the stride.
LogDecoder::Result LogDecoder::decode_range(Event first, std::span<const LogUnit> units,
                                            Range& range) const {
  if (units.size() < 3) return {};
  if (!has_code(units[2], Code::kRange)) return {2, "a unit without its range"};
  const std::uint64_t count = units[1].word1;
  const std::uint64_t stride = units[2].word1;
  if (count > kMaxElements) return {3, "a range with too many elements"};
  if (count == 0) return {3, nullptr};
  const bool ascending = stride == first.size;
  const bool descending = stride == std::uint64_t{0} - first.size;
  if (ascending || descending) {  // the elements adjoin: one access
    if (descending) first.address -= first.size * (count - 1);
    first.size *= count;
    range = {first, 1, 0};
  } else if (const WalkSteps steps{first.size, count, stride}; keeps_walks_ && fits_event(steps)) {
    make_walk(first, steps);
    range = {first, 1, 0};
  } else {
    range = {first, count, stride};
  }
  return {3, nullptr};
}

// Can the whole range be left out?
bool LogDecoder::leaves_out(Range range) const {
  if (range.left == 0 || !may_leave_out(range.next.kind)) return false;
  WalkSteps steps{range.next.size, range.left, range.stride};
  if (is_walk(range.next)) steps = steps_of(range.next);
  std::uint64_t address = range.next.address;
  if (is_dense(steps) && !plain_only_at_->touches(first_byte(address, steps), length_of(steps))) {
    return true;  // one lookup per page, not per element
  }
  for (std::uint64_t i = 0; i < steps.count; ++i, address += steps.stride) {
    if (!leaves_out(range.next.kind, address, steps.size)) return false;
  }
  return true;
}

void LogDecoder::expand(Range& range, EventRoom& room) {
  for (; range.left > 0 && room.left() > 0; --range.left) {
    *room.next++ = range.next;
    range.next.address = (range.next.address + range.stride) & log::kLow48;
  }
}

}  // namespace isosan
