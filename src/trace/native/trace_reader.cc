#include "trace/native/trace_reader.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "trace/native/table_codec.h"
#include "trace/order/event_checks.h"

namespace isosan {

using log::LogUnit;
using tracefile::ChunkHeader;
using tracefile::ChunkKind;

namespace {

constexpr const char* kBadPayload = "the chunk's payload is damaged";
constexpr const char* kBadIds = "ids in the chunk lead nowhere";

bool is_plausible(const ChunkHeader& header) {
  return header.magic == tracefile::kChunkMagic && header.kind >= ChunkKind::kTables &&
         header.kind <= ChunkKind::kLog && header.count <= tracefile::kMaxCount &&
         header.raw_size <= tracefile::kMaxPayload && header.stored_size <= tracefile::kMaxPayload;
}

// Is it a valid unit of the log format, with ids that are in the tables?
bool makes_sense(const LogUnit& unit, const Tables& tables) {
  const std::uint8_t code = log::code_of(unit);
  if (second_word_is_value(code) || is_marker(code)) return true;
  if (!log::is_event(code)) return false;
  const Kind kind = log::kind_of(code);
  const std::uint64_t place = log::place_of(unit);
  if (kind == Kind::kCall || kind == Kind::kReturn) {
    return log::detail_of(unit) <= 1 && place < tables.functions.size();
  }
  const bool order_in_extra = is_access(kind) || kind == Kind::kFence;
  const bool region = kind == Kind::kBegin || kind == Kind::kEnd;
  const std::uint16_t detail = order_in_extra ? log::extra_of(unit) : log::detail_of(unit);
  if (!is_detail_of(kind, region ? detail & ~unsigned{log::kNamedBlock} : detail)) return false;
  if (region) return place < tables.regions.size();
  return place < tables.sites.size();
}

}  // namespace

TraceReader::TraceReader(InputFile file, const TraceOptions& options)
    : file_(std::move(file)),
      lenient_(options.lenient),
      ids_(tables_),
      linearizer_(ids_, tables_.contexts, file_.name(), options.lenient),
      zstd_(ZSTD_createDCtx()),
      batch_(kBatchEvents) {
  static_assert(EventDecoder::kPadding >= UnitDecoder::kPadding);
  static_assert(InputFile::kPadding >= EventDecoder::kPadding);
  if (options.walks) linearizer_.keep_walks();
  linearizer_.keep_plain_only_at(options.plain_only_at);
  ISOSAN_CHECK(zstd_ != nullptr);
  read_file_header();
}

void TraceReader::FreeZstd::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

void TraceReader::read_file_header() {
  tracefile::FileHeader header;
  const std::string_view start = file_.peek(sizeof header);
  if (start.size() < sizeof header) {
    throw InputError(fmt::format("{}: offset 0: the header is cut short", file_.name()));
  }
  std::memcpy(&header, start.data(), sizeof header);
  if (header.version < tracefile::kOldestVersion || header.version > tracefile::kVersion ||
      header.reserved != 0) {
    throw InputError(fmt::format("{}: offset 8: version {} of the format, only {} to {} are known",
                                 file_.name(), header.version, tracefile::kOldestVersion,
                                 tracefile::kVersion));
  }
  version_ = header.version;
  file_.skip(sizeof header);
}

std::string TraceReader::where(std::size_t i) const {
  return fmt::format("{}: offset {}{}", file_.name(), chunk_offset_,
                     from_linear_ ? fmt::format(", event {} of the chunk", batch_first_ + i) : "");
}

PassedOver TraceReader::passed_over() const {
  PassedOver all = passed_over_;
  if (all.count == 0) all.first = linearizer_.passed_over().first;
  all.count += linearizer_.passed_over().count;
  return all;
}

std::span<const Event> TraceReader::next() {
  for (;;) {
    if (linear_next_ < linear_.size()) return linear_batch();
    from_linear_ = false;
    if (drain()) return drained_;
    if (ended_) break;
    if (!read_chunk()) ended_ = true;
  }
  if (error_) throw InputError(*error_);
  return {};
}

std::span<const Event> TraceReader::linear_batch() {
  const std::size_t count = std::min(linear_.size() - linear_next_, kBatchEvents);
  const EventDecoder::Rows rows = linear_.rows();
  const Event* const templates = linear_events_.data();
  Event* out = batch_.data();
  outline_.positions.start(count);
  EdgesAndLocks::Filler positions(outline_.positions);
  const std::size_t first = linear_next_;
  for (std::size_t i = 0; i < count; ++i, ++out) {
    const EventDecoder::Record record = rows[first + i];
    const Event& listed = templates[record.template_number];
    positions.add(i, index(listed.thread));
    *out = listed;
    out->thread = ThreadId{record.thread};
    out->address = record.value;
  }
  positions.finish();
  from_linear_ = true;
  batch_first_ = linear_next_;
  linear_next_ += count;
  return {batch_.data(), count};
}

// True: drained_ has events of per-thread logs.
bool TraceReader::drain() {
  drained_.clear();
  do {
    linearizer_.drain(drained_, kBatchEvents);
  } while (drained_.empty() && ended_ && !error_ && !linearizer_.finish());
  for (const Event& e : drained_) {
    if (!names_thread(e.kind)) continue;
    admit_thread(e.address);
    if (e.kind == Kind::kFork) births_.note(e, tables_.threads);
  }
  return !drained_.empty();
}

// Every thread that events name is in the tables.
bool TraceReader::admit_thread(std::uint64_t thread) {
  if (thread > kMaxThread) return false;
  if (thread >= tables_.threads.size()) tables_.threads.resize(thread + 1);
  return true;
}

// Before events are handed out: have all entries come that the tables refer to?
bool TraceReader::tables_are_whole() {
  if (sites_checked_ == tables_.sites.size()) return true;
  if (!inlining_ends(tables_, sites_checked_)) return false;
  sites_checked_ = tables_.sites.size();
  return true;
}

bool TraceReader::read_chunk() {
  ChunkHeader header;
  const std::string_view start = file_.peek(sizeof header);
  if (start.empty()) {
    damaged("the trace ends here, but it was not finished: the recorder was stopped");
    return false;
  }
  const char* problem = "the chunk is cut short";
  if (start.size() >= sizeof header) {
    std::memcpy(&header, start.data(), sizeof header);
    problem = "here should be a chunk";
    if (is_plausible(header)) {
      const std::string_view chunk = file_.peek(sizeof header + header.stored_size);
      problem = "the chunk is cut short";
      if (chunk.size() >= sizeof header + header.stored_size) {
        const std::string_view payload = chunk.substr(sizeof header, header.stored_size);
        problem = take_chunk(header, payload);
        if (problem == nullptr) {
          file_.skip(sizeof header + header.stored_size);
          return header.kind != ChunkKind::kEnd;
        }
      }
    }
  }
  damaged(problem);
  if (!lenient_) return false;
  find_next_chunk();
  return true;
}

// Strict: the trace ends here.
void TraceReader::damaged(const std::string& what) {
  InputError error(fmt::format("{}: offset {}: {}", file_.name(), file_.offset(), what));
  if (lenient_) {
    passed_over_.add(error.what());
  } else {
    error_.emplace(std::move(error));
  }
}

// Skips to the next bytes that could be a chunk.
void TraceReader::find_next_chunk() {
  char magic[sizeof tracefile::kChunkMagic];
  std::memcpy(magic, &tracefile::kChunkMagic, sizeof magic);
  file_.skip(1);
  for (;;) {
    const std::string_view window = file_.peek(sizeof magic);
    if (window.size() < sizeof magic) return file_.skip(window.size());
    const std::size_t found = window.find(std::string_view(magic, sizeof magic));
    if (found != std::string_view::npos) return file_.skip(found);
    file_.skip(window.size() - (sizeof magic - 1));
  }
}

// Makes raw_ the payload before compression, followed by padding that decoders may load.
bool TraceReader::unpack(const ChunkHeader& header, std::string_view payload) {
  if (version_ >= tracefile::kFirstWithStored && header.stored_size == header.raw_size) {
    raw_ = payload;
    return true;
  }
  unpacked_.resize(header.raw_size + EventDecoder::kPadding);
  const std::size_t size = ZSTD_decompressDCtx(zstd_.get(), unpacked_.data(), header.raw_size,
                                               payload.data(), payload.size());
  raw_ = {unpacked_.data(), header.raw_size};
  return !ZSTD_isError(size) && size == header.raw_size;
}

// What is wrong with the chunk; nullptr: it was taken.
const char* TraceReader::take_chunk(const ChunkHeader& header, std::string_view payload) {
  if (header.checksum != tracefile::checksum_of(header, payload)) {
    return "the chunk's checksum is wrong";
  }
  if (!unpack(header, payload)) return kBadPayload;
  chunk_offset_ = file_.offset();
  switch (header.kind) {
    case ChunkKind::kTables:
      sites_checked_ = 0;
      return decode_tables(raw_, tables_) ? nullptr : "the chunk's tables are damaged";
    case ChunkKind::kLinear:
      return take_linear(header);
    case ChunkKind::kEnd:
      return take_end(header);
    case ChunkKind::kLog:
      return take_log(header);
  }
  return kBadPayload;
}

const char* TraceReader::take_linear(const ChunkHeader& header) {
  if (!lenient_ && header.position != events_read_) return "events are missing before this chunk";
  linear_next_ = 0;
  if (!linear_.open(raw_, header.count)) {
    linear_.close();
    return kBadPayload;
  }
  linear_events_.clear();
  linear_has_rare_ = false;
  bool sound = tables_are_whole();
  bool names_threads = false;
  for (const EventDecoder::Template& listed : linear_.templates()) {
    linear_events_.push_back(event_of(listed));
    sound &= makes_sense(linear_events_.back(), tables_);
    names_threads |= sound && names_thread(linear_events_.back().kind);
    const std::uint8_t meaning = sound ? meaning_of(linear_events_.back().kind) : 0;
    linear_events_.back().thread = ThreadId{meaning};
    linear_has_rare_ |= meaning == kRare;
  }
  outline_.threads = linear_.threads();
  for (const std::uint64_t thread : outline_.threads) sound = sound && admit_thread(thread);
  const EventDecoder::Rows rows = linear_.rows();
  for (std::size_t i = 0; sound && names_threads && i < linear_.size(); ++i) {
    const EventDecoder::Record record = rows[i];
    if (!names_thread(linear_events_[record.template_number].kind)) continue;
    sound = admit_thread(record.value);
  }
  if (!sound) {
    linear_.close();
    return kBadIds;
  }
  events_read_ += header.count;
  return nullptr;
}

const char* TraceReader::take_log(const ChunkHeader& header) {
  if (header.thread > kMaxThread || !tables_are_whole()) return kBadIds;
  const ThreadId thread{header.thread};
  const std::uint64_t expected = linearizer_.appended(thread);
  if (header.position < expected) return "the chunk repeats units";
  if (header.position > expected && !lenient_) return "units are missing before this chunk";
  if (header.position > log::kLow48) return kBadPayload;
  if (!unit_decoder_.decode(
          raw_, header.count, [&](const LogUnit& unit) { return makes_sense(unit, tables_); },
          [&](std::uint64_t id) { return id < tables_.sites.size(); })) {
    return kBadPayload;
  }
  admit_thread(header.thread);
  linearizer_.append(thread, header.position, unit_decoder_.units());
  units_read_ += header.count;
  return nullptr;
}

const char* TraceReader::take_end(const ChunkHeader& header) {
  if (!tables_are_whole()) return kBadIds;
  if (!lenient_ && header.position != events_read_ + units_read_) {
    return "the trace should have more events";
  }
  if (file_.peek(sizeof header + header.stored_size + 1).size() >
      sizeof header + header.stored_size) {
    return "there are bytes behind the end";
  }
  return nullptr;
}

}  // namespace isosan
