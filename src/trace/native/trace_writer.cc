#include "trace/native/trace_writer.h"

#include <zstd.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace isosan {

using log::LogUnit;
using tracefile::ChunkHeader;
using tracefile::ChunkKind;

namespace {

// zstd's fast levels do not compress data without repetitions. That is enough here: packed rows are
// small already, and reading must not cost more than the analysis.
constexpr int kLevel = -3;
// The recorder of logs shares the processor with the program; loops repeat so regularly that zstd
// finds them at this level, too.
constexpr int kLogLevel = -10;
// If zstd does not halve a chunk, only every so many following chunks are tried.
constexpr int kRetryAfter = 8;

// The unit with an id instead of a place of the target; `next` is the unit behind it, or null.
LogUnit with_id(const LogUnit& unit, const LogUnit* next, PlaceResolver& resolver) {
  const std::uint64_t place = log::place_of(unit);
  const std::uint8_t code = log::code_of(unit);
  if (place == 0 || !log::is_event(code)) return unit;
  const auto with = [&](std::uint32_t id) {
    return log::make_unit(code, 0, id, log::detail_of(unit), log::extra_of(unit));
  };
  const Kind kind = log::kind_of(code);
  if (kind == Kind::kCall || kind == Kind::kReturn) {
    return with(index(resolver.function_of(place)));
  }
  if (kind == Kind::kBegin || kind == Kind::kEnd) {
    const auto region = static_cast<RegionKind>(log::detail_of(unit) & ~log::kNamedBlock);
    const std::uint64_t name = log::has_extension(unit) && next != nullptr ? next->word1 : 0;
    return with(index(resolver.region_of(place, region, name).region));
  }
  return with(index(resolver.site_of(place)));
}

// How many of `units` go into a chunk that has room for so many: it ends with a whole record.
std::size_t chunk_length(std::span<const LogUnit> units, std::size_t room) {
  std::size_t n = std::min(units.size(), room);
  while (n > 0 && n < units.size() && continues_record(units[n])) --n;
  return n;
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path) : file_(path), zstd_(ZSTD_createCCtx()) {
  ISOSAN_CHECK(zstd_ != nullptr);
  const tracefile::FileHeader header;
  file_.write({reinterpret_cast<const char*>(&header), sizeof header});
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
  if (index(thread) >= threads_.size()) threads_.resize(index(thread) + 1);
  ThreadLog& log = threads_[index(thread)];
  ISOSAN_CHECK(first_position == log.position + (log.pending ? log.pending->size() : 0));
  while (!units.empty()) {
    const std::size_t pending = log.pending ? log.pending->size() : 0;
    const std::size_t count = chunk_length(units, tracefile::kMaxCount - pending);
    ISOSAN_CHECK(count > 0 || pending > 0);
    encode(log, units.first(count), resolver);
    units = units.subspan(count);
    if (!units.empty()) flush_units(index(thread), tables);
  }
  if (units_since_flush_ >= kFlushUnits) flush(tables);
}

void TraceWriter::encode(ThreadLog& log, std::span<const LogUnit> units, PlaceResolver& resolver) {
  if (!log.pending && encoders_.empty()) encoders_.push_back(std::make_unique<UnitEncoder>());
  if (!log.pending) {
    log.pending = std::move(encoders_.back());
    encoders_.pop_back();
  }
  log.pending->add(
      units,
      [&](const LogUnit& unit, const LogUnit* next) { return with_id(unit, next, resolver); },
      [&](std::uint64_t place) { return place == 0 ? 0 : index(resolver.site_of(place)); });
  units_since_flush_ += units.size();
}

void TraceWriter::flush_units(std::uint32_t thread, const Tables& tables) {
  ThreadLog& log = threads_[thread];
  if (!log.pending) return;
  const std::size_t count = log.pending->size();
  write_tables(tables);
  write_chunk({.kind = ChunkKind::kLog,
               .thread = thread,
               .count = static_cast<std::uint32_t>(count),
               .position = log.position},
              log.pending->bytes());
  log.position += count;
  units_written_ += count;
  log.pending->clear();
  encoders_.push_back(std::move(log.pending));
}

void TraceWriter::flush(const Tables& tables) {
  flush_events(tables);
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) flush_units(thread, tables);
  units_since_flush_ = 0;
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

// Packed rows of a program without much pattern are as short as zstd would make them. Then they are
// stored uncompressed, and the reader saves the decompression.
std::string_view TraceWriter::compress(std::string_view raw, int level) {
  compressed_.resize(ZSTD_compressBound(raw.size()));
  const std::size_t size = ZSTD_compressCCtx(zstd_.get(), compressed_.data(), compressed_.size(),
                                             raw.data(), raw.size(), level);
  ISOSAN_CHECK(!ZSTD_isError(size));
  return size > raw.size() - raw.size() / 8 ? raw : std::string_view(compressed_.data(), size);
}

std::string_view TraceWriter::compress_log(std::string_view raw) {
  if (chunks_not_tried_ > 0) {
    --chunks_not_tried_;
    return raw;
  }
  const std::string_view stored = compress(raw, kLogLevel);
  if (stored.size() > raw.size() / 2) chunks_not_tried_ = kRetryAfter - 1;
  return stored;
}

void TraceWriter::write_chunk(ChunkHeader header, std::string_view raw) {
  const std::string_view stored =
      header.kind == ChunkKind::kLog ? compress_log(raw) : compress(raw, kLevel);
  header.raw_size = static_cast<std::uint32_t>(raw.size());
  header.stored_size = static_cast<std::uint32_t>(stored.size());
  header.checksum = checksum_of(header, stored);
  file_.write({reinterpret_cast<const char*>(&header), sizeof header});
  file_.write(stored);
  file_.flush();
}

}  // namespace isosan
