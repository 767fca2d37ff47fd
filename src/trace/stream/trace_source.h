// A source of events from a file, with positions, progress and skipped input.
//
// Everything that reads traces is a TraceSource: the readers of the three formats, the Validator
// that stands on top of them, the stack that open_trace() (open_trace.h) returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "event/source.h"
#include "runtime/contract/unordered_granules.h"
#include "trace/stream/batch_outline.h"

namespace isosan {

enum class TraceFormat : std::uint8_t { kStd, kRapid, kTrace };

// Names of formats as printed, and the file name suffixes that choose them for writing.
struct TraceFormatName {
  TraceFormat format;
  std::string_view name;
  std::string_view suffix;
};
inline constexpr TraceFormatName kTraceFormats[] = {
    {TraceFormat::kStd, "STD text", ".std"},
    {TraceFormat::kRapid, "RapidBin", ".rapid"},
    {TraceFormat::kTrace, "IsoSan trace", ".trace"},
};
constexpr std::string_view name_of(TraceFormat format) {
  return kTraceFormats[static_cast<std::size_t>(format)].name;
}
std::optional<TraceFormat> format_of_suffix(std::string_view path);

struct TraceOptions {
  bool lenient = false;  // go on after what cannot be read or is ill-formed, and count it
  bool validate = true;  // refuse ill-formed traces (validator.h)
  bool walks = false;    // strided loops of logs are one event each (event.h)
  const UnorderedGranules* plain_only_at = nullptr;  // plain accesses of logs elsewhere: left out
};

// How many bytes have been read; total is 0 if it is not known (a pipe).
struct ReadProgress {
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_total = 0;
};

// What lenient reading passed over: lines, chunks and events; `first` is the error that strict
// reading would have thrown.
struct PassedOver {
  std::uint64_t count = 0;
  std::string first;

  void add(const std::string& error) {
    if (count++ == 0) first = error;
  }
};

class TraceSource : public EventSource {
 public:
  // "FILE:LINE" or "FILE: offset N" of the i-th event of the batch that next() handed out last.
  virtual std::string where(std::size_t i) const = 0;
  virtual TraceFormat format() const = 0;
  virtual ReadProgress progress() const = 0;
  virtual PassedOver passed_over() const = 0;
  // Of the batch that next() handed out last, if it has one.
  virtual const BatchOutline* outline() const { return nullptr; }
};

// A higher thread id in a file is damage: it would make tables by thread too large.
inline constexpr std::uint32_t kMaxThread = (1u << 20) - 1;

// Events per batch of all readers: 32 KB, so that a batch stays in the first-level cache.
inline constexpr std::size_t kBatchEvents = 1024;

}  // namespace isosan
