#include "oracle/trace_builder.h"

#include <charconv>

#include "base/check.h"

namespace isosan::test {
namespace {

constexpr Address kFirstAddress = 0x1000;
constexpr Address kBytesPerName = 64;

template <class E>
std::uint8_t detail_of(E value) {
  return static_cast<std::uint8_t>(value);
}

std::uint64_t number_in(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  ISOSAN_CHECK(error == std::errc{} && end == digits.data() + digits.size());
  return value;
}

ThreadId thread_of(int t) { return ThreadId{static_cast<std::uint32_t>(t)}; }

}  // namespace

Address TraceBuilder::address_of(std::string_view name) {
  const auto found = addresses_.find(name);
  if (found != addresses_.end()) return found->second;
  const Address address = kFirstAddress + kBytesPerName * addresses_.size();
  addresses_.emplace(name, address);
  trace_.tables.symbols.push_back({address, kBytesPerName, std::string(name)});
  return address;
}

RegionId TraceBuilder::region_of(std::string_view name, RegionKind kind) {
  std::vector<Region>& regions = trace_.tables.regions;
  for (std::size_t i = 1; i < regions.size(); ++i)
    if (regions[i].name == name && regions[i].kind == kind)
      return RegionId{static_cast<std::uint32_t>(i)};
  regions.push_back({.kind = kind, .name = std::string(name)});
  return RegionId{static_cast<std::uint32_t>(regions.size() - 1)};
}

TraceBuilder::Range TraceBuilder::range_of(std::string_view operand) {
  std::uint64_t size = 8;
  if (const auto colon = operand.find(':'); colon != std::string_view::npos) {
    size = number_in(operand.substr(colon + 1));
    operand = operand.substr(0, colon);
  }
  std::uint64_t offset = 0;
  if (const auto plus = operand.find('+'); plus != std::string_view::npos) {
    offset = number_in(operand.substr(plus + 1));
    operand = operand.substr(0, plus);
  }
  ISOSAN_CHECK(offset + size <= kBytesPerName);
  return {address_of(operand) + offset, size};
}

TraceBuilder& TraceBuilder::add(Event e) {
  std::vector<Event>& open = open_regions_[e.thread];
  switch (e.kind) {
    case Kind::kAcquire:
      e.depth = held_[{e.thread, e.address}]++;
      break;
    case Kind::kRelease: {
      std::uint16_t& held = held_[{e.thread, e.address}];
      if (held > 0) --held;
      e.depth = held;
      break;
    }
    case Kind::kBegin:
      open.push_back(e);
      break;
    case Kind::kEnd:
      if (open.empty()) break;
      e.detail = open.back().detail;
      e.size = open.back().size;
      e.address = open.back().address;
      open.pop_back();
      break;
    default:
      break;
  }
  std::vector<Site>& sites = trace_.tables.sites;
  const std::size_t line = trace_.events.size() + 1;
  sites.push_back({.file = "trace", .line = static_cast<std::uint32_t>(line), .access = e.kind});
  e.site = SiteId{static_cast<std::uint32_t>(sites.size() - 1)};
  std::vector<Thread>& threads = trace_.tables.threads;
  while (threads.size() <= index(e.thread))
    threads.push_back({.name = "T" + std::to_string(threads.size())});
  trace_.events.push_back(e);
  return *this;
}

TraceBuilder& TraceBuilder::access(Kind kind, int t, std::string_view bytes, MemoryOrder order,
                                   bool compares) {
  const Range range = range_of(bytes);
  return add(
      {.kind = kind,
       .detail = static_cast<std::uint8_t>(detail_of(order) | (compares ? kCompareExchange : 0)),
       .thread = thread_of(t),
       .address = range.address,
       .size = range.size});
}

TraceBuilder& TraceBuilder::plain(Kind kind, int t) {
  return add({.kind = kind, .thread = thread_of(t)});
}

TraceBuilder& TraceBuilder::fence(int t, MemoryOrder order) {
  return add({.kind = Kind::kFence, .detail = detail_of(order), .thread = thread_of(t)});
}

TraceBuilder& TraceBuilder::acquire(int t, std::string_view lock, LockMode mode) {
  return add({.kind = Kind::kAcquire,
              .detail = detail_of(mode),
              .thread = thread_of(t),
              .address = address_of(lock)});
}

TraceBuilder& TraceBuilder::release(int t, std::string_view lock, LockMode mode, bool backs_off) {
  const std::uint8_t how = backs_off ? kBacksOff : 0;
  return add({.kind = Kind::kRelease,
              .detail = static_cast<std::uint8_t>(detail_of(mode) | how),
              .thread = thread_of(t),
              .address = address_of(lock)});
}

TraceBuilder& TraceBuilder::fork(int t, int child) {
  return add(
      {.kind = Kind::kFork, .thread = thread_of(t), .address = static_cast<std::uint64_t>(child)});
}

TraceBuilder& TraceBuilder::join(int t, int child) {
  return add(
      {.kind = Kind::kJoin, .thread = thread_of(t), .address = static_cast<std::uint64_t>(child)});
}

TraceBuilder& TraceBuilder::begin(int t, std::string_view region, RegionKind kind) {
  return add({.kind = Kind::kBegin,
              .detail = detail_of(kind),
              .thread = thread_of(t),
              .size = index(region_of(region, kind))});
}

TraceBuilder& TraceBuilder::end(int t) { return plain(Kind::kEnd, t); }

TraceBuilder& TraceBuilder::wait_end(int t, std::string_view condition, WaitOutcome outcome) {
  return add({.kind = Kind::kWaitEnd,
              .detail = detail_of(outcome),
              .thread = thread_of(t),
              .address = address_of(condition)});
}

TraceBuilder& TraceBuilder::notify(int t, std::string_view condition, NotifyScope scope) {
  return add({.kind = Kind::kNotify,
              .detail = detail_of(scope),
              .thread = thread_of(t),
              .address = address_of(condition)});
}

TraceBuilder& TraceBuilder::arrive(int t, std::string_view barrier, std::uint64_t generation) {
  return add({.kind = Kind::kBarrierArrive,
              .thread = thread_of(t),
              .address = address_of(barrier),
              .size = generation});
}

TraceBuilder& TraceBuilder::depart(int t, std::string_view barrier, std::uint64_t generation) {
  return add({.kind = Kind::kBarrierDepart,
              .thread = thread_of(t),
              .address = address_of(barrier),
              .size = generation});
}

TraceBuilder& TraceBuilder::sync(Kind kind, int t, std::string_view object) {
  return add({.kind = kind, .thread = thread_of(t), .address = address_of(object)});
}

TraceBuilder& TraceBuilder::allocate(int t, std::string_view bytes, MemoryOrigin origin) {
  const Range range = range_of(bytes);
  return add({.kind = Kind::kAllocate,
              .detail = detail_of(origin),
              .thread = thread_of(t),
              .address = range.address,
              .size = range.size});
}

TraceBuilder& TraceBuilder::free(int t, std::string_view bytes, MemoryOrigin origin) {
  const Range range = range_of(bytes);
  return add({.kind = Kind::kFree,
              .detail = detail_of(origin),
              .thread = thread_of(t),
              .address = range.address,
              .size = range.size});
}

TraceBuilder& TraceBuilder::handout(int t, std::string_view own_stack) {
  const Range range = range_of(own_stack);
  const auto edge = [&](Kind kind, Address address) {
    add({.kind = kind,
         .detail = detail_of(MemoryOrigin::kStack),
         .thread = thread_of(t),
         .address = address});
  };
  edge(Kind::kAllocate, range.address);
  edge(Kind::kFree, range.address + range.size);
  return *this;
}

TraceBuilder& TraceBuilder::no_more(int t) {
  return add(
      {.kind = Kind::kAllocate, .detail = detail_of(MemoryOrigin::kStack), .thread = thread_of(t)});
}

}  // namespace isosan::test
