#include "trace/trace_writer.h"

#include <zstd.h>

#include <algorithm>

#include "base/check.h"
#include "trace/log_decoder.h"

namespace isosan {

using log::LogUnit;
using tracefile::ChunkHeader;
using tracefile::ChunkKind;

namespace {

// zstd's fast levels leave alone what does not repeat: packed rows are small already, and reading
// must not cost more than the analysis.
constexpr int kLevel = -3;

// Puts ids into a listed template instead of places of the target.
void resolve_place(UnitEncoder::Template& listed, PlaceResolver& resolver) {
  const LogUnit unit = unit_of(listed, 0);
  const std::uint64_t place = log::place_of(unit);
  const std::uint8_t code = log::code_of(unit);
  if (place == 0 || !log::is_event(code)) return;
  const Kind kind = log::kind_of(code);
  if (kind == Kind::kCall || kind == Kind::kReturn) {
    listed[1] = index(resolver.function_of(place));
  } else if (kind == Kind::kBegin || kind == Kind::kEnd) {
    const auto region = static_cast<RegionKind>(log::detail_of(unit) & ~log::kNamedBlock);
    listed[1] = index(resolver.region_of(place, region, 0).region);
  } else {
    listed[1] = index(resolver.site_of(place));
  }
}

// How many of `units` make a chunk: it ends with a whole record.
std::size_t chunk_length(std::span<const LogUnit> units) {
  std::size_t n = std::min<std::size_t>(units.size(), tracefile::kMaxCount);
  while (n > 1 && n < units.size() && continues_record(units[n])) --n;
  return n;
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path) : file_(path), zstd_(ZSTD_createCCtx()) {
  ISOSAN_CHECK(zstd_ != nullptr);
  const tracefile::FileHeader header;
  file_.write({reinterpret_cast<const char*>(&header), sizeof header});
  file_.flush();
}

void TraceWriter::FreeZstd::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

void TraceWriter::write(std::span<const Event> events, const Tables& tables) {
  for (const Event& e : events) {
    events_.add(template_of(e), e.address, index(e.thread));
    if (events_.full()) [[unlikely]]
      flush_events(tables);
  }
}

void TraceWriter::flush_events(const Tables& tables) {
  if (events_.size() == 0) return;
  write_tables(tables);
  ChunkHeader header{.kind = ChunkKind::kLinear,
                     .count = static_cast<std::uint32_t>(events_.size()),
                     .position = events_written_};
  events_written_ += events_.size();
  write_chunk(header, events_.take());
}

void TraceWriter::write_units(ThreadId thread, std::uint64_t first_position,
                              std::span<const LogUnit> units, PlaceResolver& resolver,
                              const Tables& tables) {
  resolver_ = &resolver;
  if (index(thread) >= threads_.size()) threads_.resize(index(thread) + 1);
  ThreadUnits& log = threads_[index(thread)];
  ISOSAN_CHECK(first_position == log.position + log.units.size());
  log.units.insert(log.units.end(), units.begin(), units.end());
  units_pending_ += units.size();
  if (log.units.size() >= tracefile::kMaxCount) flush_units(index(thread), tables);
  if (units_pending_ >= kFlushUnits) flush(tables);
}

void TraceWriter::flush_units(std::uint32_t thread, const Tables& tables) {
  ThreadUnits& log = threads_[thread];
  std::span<const LogUnit> rest = log.units;
  while (!rest.empty()) {
    const std::size_t count = chunk_length(rest);
    for (const LogUnit& unit : rest.first(count)) {
      const std::uint64_t value = value_of(unit);
      const bool is_place = is_call_with_site(unit) && value != 0;
      units_.add(template_of(unit), is_place ? index(resolver_->site_of(value)) : value, thread);
    }
    units_.rewrite_templates([&](auto& listed) { resolve_place(listed, *resolver_); });
    write_tables(tables);
    write_chunk({.kind = ChunkKind::kThread,
                 .thread = thread,
                 .count = static_cast<std::uint32_t>(count),
                 .position = log.position},
                units_.take());
    log.position += count;
    units_written_ += count;
    units_pending_ -= count;
    rest = rest.subspan(count);
  }
  log.units.clear();
}

void TraceWriter::flush(const Tables& tables) {
  flush_events(tables);
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) flush_units(thread, tables);
}

void TraceWriter::finish(const Tables& tables) {
  flush(tables);
  write_tables(tables);
  write_chunk({.kind = ChunkKind::kEnd, .position = events_written_ + units_written_}, {});
  file_.close();
}

void TraceWriter::write_tables(const Tables& tables) {
  for (const std::string& payload : table_encoder_.take_new(tables)) {
    write_chunk({.kind = ChunkKind::kTables}, payload);
  }
}

void TraceWriter::write_chunk(ChunkHeader header, std::string_view raw) {
  compressed_.resize(ZSTD_compressBound(raw.size()));
  const std::size_t stored = ZSTD_compressCCtx(zstd_.get(), compressed_.data(), compressed_.size(),
                                               raw.data(), raw.size(), kLevel);
  ISOSAN_CHECK(!ZSTD_isError(stored));
  header.raw_size = static_cast<std::uint32_t>(raw.size());
  header.stored_size = static_cast<std::uint32_t>(stored);
  header.checksum = checksum_of(header, {compressed_.data(), stored});
  file_.write({reinterpret_cast<const char*>(&header), sizeof header});
  file_.write({compressed_.data(), stored});
  file_.flush();
}

}  // namespace isosan
