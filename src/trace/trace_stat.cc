#include "trace/trace_stat.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/contract/log_format.h"

namespace isosan {

void TraceCounter::count(std::span<const Event> events) {
  for (const Event& e : events) count(e);
}

void TraceCounter::count(const Event& e) {
  const std::uint32_t thread = index(e.thread);
  if (thread >= open_.size()) {
    open_.resize(thread + 1);
    seen_.resize(thread + 1);
  }
  seen_[thread] = true;
  ++stat_.events;
  ++stat_.by_kind[static_cast<std::size_t>(e.kind)];
  const bool atomic_edge = (e.kind == Kind::kBegin || e.kind == Kind::kEnd) &&
                           e.detail == static_cast<std::uint8_t>(RegionKind::kAtomic);
  if (e.kind == Kind::kBegin) regions_.insert(e.size);
  if (atomic_edge && e.kind == Kind::kBegin && open_[thread]++ == 0) ++stat_.transactions;
  if (atomic_edge && e.kind == Kind::kEnd && open_[thread] > 0) --open_[thread];
  if (e.kind == Kind::kAcquire) locks_.insert(e.address);
  if (!is_access(e.kind)) return;
  if (open_[thread] == 0) ++stat_.unary_accesses;
  const Address last = (e.address + std::max<std::uint64_t>(e.size, 1) - 1) / 8;
  for (Address granule = e.address / 8; granule <= last; ++granule) locations_.insert(granule);
}

TraceStat TraceCounter::result(const TraceSource& source) const {
  TraceStat stat = stat_;
  stat.format = source.format();
  stat.bytes = source.progress().bytes_total;
  stat.threads = static_cast<std::uint64_t>(std::count(seen_.begin(), seen_.end(), true));
  stat.locations = locations_.size();
  stat.locks = locks_.size();
  stat.regions = regions_.size();
  stat.sites = source.tables().sites.size() - 1;
  stat.open_at_end = static_cast<std::uint64_t>(
      std::count_if(open_.begin(), open_.end(), [](std::uint32_t depth) { return depth > 0; }));
  stat.passed_over = source.passed_over();
  return stat;
}

TraceStat collect_stat(TraceSource& source) {
  TraceCounter counter;
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) counter.count(batch);
  return counter.result(source);
}

std::vector<std::string> stat_lines(const TraceStat& stat) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view name, std::uint64_t value) {
    lines.push_back(fmt::format("{}: {}", name, value));
  };
  lines.push_back(fmt::format("format: {}", name_of(stat.format)));
  if (stat.bytes > 0) add("bytes", stat.bytes);
  add("events", stat.events);
  add("threads", stat.threads);
  add("locations", stat.locations);
  add("locks", stat.locks);
  add("regions", stat.regions);
  add("sites", stat.sites);
  add("transactions", stat.transactions);
  add("transactions open at the end", stat.open_at_end);
  add("unary accesses", stat.unary_accesses);
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    if (stat.by_kind[kind] > 0) {
      add(fmt::format("{} events", trait::kRows[kind].name), stat.by_kind[kind]);
    }
  }
  if (stat.passed_over.count > 0) {
    lines.push_back(fmt::format("passed over: {}, the first: {}", stat.passed_over.count,
                                stat.passed_over.first));
  }
  return lines;
}

namespace {

std::string thread_text(std::uint64_t thread, const Tables& tables) {
  if (thread < tables.threads.size() && !tables.threads[thread].name.empty()) {
    return tables.threads[thread].name;
  }
  return fmt::format("T{}", thread);
}

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

}  // namespace

std::string dump_line(const Event& e, std::uint64_t ordinal, const Tables& tables) {
  std::string line =
      fmt::format("{} {} {}", ordinal, thread_text(index(e.thread), tables), name_of(e.kind));
  if (const std::string operand = operand_text(e, tables); !operand.empty()) line += " " + operand;
  if (const std::string place = place_text(e.site, tables); !place.empty()) line += " at " + place;
  return line;
}

}  // namespace isosan
