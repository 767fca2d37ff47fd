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

}  // namespace isosan
