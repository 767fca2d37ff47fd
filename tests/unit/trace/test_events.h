// Random events of every kind with tables that hold their ids; the same for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "event/tables.h"
#include "runtime/contract/log_format.h"
#include "trace/order/event_checks.h"

namespace isosan::testing {

inline Tables sample_tables() {
  Tables t;
  t.modules = {{"/bin/a", "c0ffee", 0x5000, true}, {"libb.so", "", 0, false}};
  t.functions.push_back({.name = "ns::C::f",
                         .linkage_name = "_ZN2ns1C1fEv",
                         .class_name = "ns::C",
                         .file = "c.cc",
                         .line = 7,
                         .accessibility = Accessibility::kPublic,
                         .external = true,
                         .synchronizes = true,
                         .annotations = 5,
                         .module = ModuleId{1},
                         .pc = 0x1234});
  t.functions.push_back({.name = "main", .thread_entry = true, .waits_or_notifies = true});
  for (std::uint32_t i = 1; i <= 5; ++i) {
    t.sites.push_back({.function = FunctionId{i % 3},
                       .file = "f" + std::to_string(i) + ".cc",
                       .line = i,
                       .column = 2 * i,
                       .access = Kind::kWrite,
                       .size = 4,
                       .class_name = "C",
                       .field = "x",
                       .field_offset = 8,
                       .inlined_at = SiteId{i == 2 ? 5u : 0u},  // one that comes later
                       .module = ModuleId{1},
                       .pc = std::uint64_t{1} << 40});
  }
  t.regions.push_back({RegionKind::kAtomic, "ns::C::f", FunctionId{1}, SiteId{1}});
  t.regions.push_back({RegionKind::kUnit, "u", FunctionId{2}, SiteId{2}});
  t.threads = {{"0", "main", {}}, {"0.0", "worker", ThreadId{0}}, {"0.0.0", "", ThreadId{1}}};
  t.contexts.push_back({ContextId{0}, FunctionId{1}, SiteId{3}});
  t.contexts.push_back({ContextId{1}, FunctionId{2}, SiteId{0}});
  t.symbols = {{0x1000, 8, "a"}, {0x2000, 64, "b"}};
  return t;
}

// An event that makes sense with sample_tables().
inline Event random_event(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return random() % n; };
  Event e;
  e.kind = static_cast<Kind>(below(kKindCount));
  e.detail = static_cast<std::uint8_t>(below(highest_detail(e.kind) + 1u));
  e.thread = ThreadId{static_cast<std::uint32_t>(below(3))};
  e.site = SiteId{static_cast<std::uint32_t>(below(6))};
  e.context = ContextId{static_cast<std::uint32_t>(below(3))};
  e.address = below(2) != 0 ? 0x1000 + below(64) : random() >> below(64);
  e.size = below(2) != 0 ? 8 : below(100);
  if (e.kind == Kind::kAcquire || e.kind == Kind::kRelease)
    e.depth = static_cast<std::uint16_t>(below(3));
  if (names_thread(e.kind)) e.address = below(3);
  if (e.kind == Kind::kBegin || e.kind == Kind::kEnd) e.size = below(3);
  if (e.kind == Kind::kCall || e.kind == Kind::kReturn) e.size = below(3);
  return e;
}

inline std::vector<Event> random_events(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Event> events;
  for (std::size_t i = 0; i < count; ++i) events.push_back(random_event(random));
  return events;
}

inline bool operator==(const Symbol& a, const Symbol& b) {
  return a.address == b.address && a.size == b.size && a.name == b.name;
}

// The units of an event, as the runtime would log it with ids for places.
inline std::vector<log::LogUnit> units_of(const Event& e) {
  std::uint64_t place = index(e.site);
  if (e.kind == Kind::kBegin || e.kind == Kind::kEnd || e.kind == Kind::kCall ||
      e.kind == Kind::kReturn) {
    place = e.size;
  }
  const bool access = is_access(e.kind);
  const bool small = access && e.size > 0 && e.size < 256;
  const bool order_in_extra = access || e.kind == Kind::kFence;
  const std::uint8_t detail =
      small ? static_cast<std::uint8_t>(e.size) : (order_in_extra ? std::uint8_t{0} : e.detail);
  const std::uint16_t extra = order_in_extra ? e.detail : e.depth;
  std::vector<log::LogUnit> units = {
      log::make_unit(log::code_of(e.kind), e.address, place, detail, extra)};
  if (log::has_extension(units[0])) {
    log::LogUnit extension = log::make_unit(static_cast<std::uint8_t>(log::Code::kExtension), 0, 0);
    extension.word1 = e.size;
    units.push_back(extension);
  }
  return units;
}

inline log::LogUnit marker(std::uint32_t thread, std::uint64_t position) {
  return log::make_unit(static_cast<std::uint8_t>(log::Code::kMarker), position, thread);
}

inline Event access(std::uint32_t thread, Address address, Kind kind = Kind::kRead) {
  return {
      .kind = kind, .thread = ThreadId{thread}, .address = address, .size = 8, .site = SiteId{1}};
}
inline log::LogUnit read_at(Address a) { return units_of(access(0, a)).front(); }
inline log::LogUnit number(log::Code code, std::uint64_t value) {
  log::LogUnit unit = log::make_unit(static_cast<std::uint8_t>(code), 0, 0);
  unit.word1 = value;
  return unit;
}

}  // namespace isosan::testing
