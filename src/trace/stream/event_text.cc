#include "trace/stream/event_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace isosan {

std::string thread_text(std::uint64_t thread, const Tables& tables) {
  if (thread < tables.threads.size() && !tables.threads[thread].name.empty()) {
    return tables.threads[thread].name;
  }
  return fmt::format("T{}", thread);
}

namespace {

std::string address_text(Address address, const Tables& tables) {
  const auto& symbols = tables.symbols;
  const auto after =
      std::upper_bound(symbols.begin(), symbols.end(), address,
                       [](Address a, const Symbol& symbol) { return a < symbol.address; });
  if (after == symbols.begin()) return fmt::format("{:#x}", address);
  const Symbol& symbol = *std::prev(after);
  const std::uint64_t offset = address - symbol.address;
  if (offset == 0) return symbol.name;
  return offset < symbol.size ? fmt::format("{}+{}", symbol.name, offset)
                              : fmt::format("{:#x}", address);
}

std::string order_text(std::uint8_t detail) {
  constexpr std::string_view kNames[] = {"relaxed", "consume", "acquire",
                                         "release", "acq-rel", "seq-cst"};
  const auto order = static_cast<std::size_t>(order_in(detail));
  return fmt::format("{}{}{}{}{}", kNames[order],
                     detail & kCompareExchange ? " compare-exchange" : "",
                     detail & kUnchanged ? " unchanged" : "", detail & kStep ? " step" : "",
                     detail & kValueUsed ? " value-used" : "");
}

}  // namespace

std::string operand_text(const Event& e, const Tables& tables) {
  const auto object = [&] {
    return e.address == 0 ? "" : " on " + address_text(e.address, tables);
  };
  switch (payload_of(e.kind)) {
    case Payload::kNothing:
      return "";
    case Payload::kAccess:
      return fmt::format("{} {} bytes{}{}", address_text(e.address, tables), e.size,
                         is_atomic(e.kind) ? " " : "",
                         is_atomic(e.kind) ? order_text(e.detail) : "");
    case Payload::kOrder:
      return order_text(e.detail);
    case Payload::kLock:
      return fmt::format("{}{}{}{}", address_text(e.address, tables),
                         mode_in(e.detail) == LockMode::kShared ? " shared" : "",
                         e.depth > 0 ? fmt::format(" depth {}", e.depth) : "",
                         e.detail & kBacksOff ? " backs off" : "");
    case Payload::kThread:
      return thread_text(e.address, tables);
    case Payload::kRegion: {
      constexpr std::string_view kKinds[] = {"", " deterministic", " unit"};
      return fmt::format("{}{}{}",
                         e.size < tables.regions.size() ? tables.regions[e.size].name : "?",
                         e.detail < std::size(kKinds) ? kKinds[e.detail] : "?", object());
    }
    case Payload::kFunction:
      return fmt::format(
          "{}{}", e.size < tables.functions.size() ? tables.functions[e.size].name : "?", object());
    case Payload::kGeneration:
      return fmt::format("{} generation {}", address_text(e.address, tables), e.size);
    case Payload::kOutcome:
      return address_text(e.address, tables) +
             (e.detail == static_cast<std::uint8_t>(WaitOutcome::kTimedOut) ? " timed-out" : "");
    case Payload::kScope:
      return address_text(e.address, tables) +
             (e.detail == static_cast<std::uint8_t>(NotifyScope::kAll) ? " all" : "");
    case Payload::kMemory:
      return fmt::format("{:#x} {} bytes", e.address, e.size);
    case Payload::kObject:
      return address_text(e.address, tables);
  }
  return "";
}

std::string place_text(SiteId site, const Tables& tables) {
  if (site == kNoSite || index(site) >= tables.sites.size()) return "";
  const Site& s = tables.sites[index(site)];
  return s.file.empty() ? fmt::format("{}", s.line) : fmt::format("{}:{}", s.file, s.line);
}

std::string dump_line(const Event& e, std::uint64_t ordinal, const Tables& tables) {
  std::string line =
      fmt::format("{} {} {}", ordinal, thread_text(index(e.thread), tables), name_of(e.kind));
  if (const std::string operand = operand_text(e, tables); !operand.empty()) line += " " + operand;
  if (const std::string place = place_text(e.site, tables); !place.empty()) line += " at " + place;
  return line;
}

}  // namespace isosan
