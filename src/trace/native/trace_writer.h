// Writer of our format (trace_format.h, trace-format.md).
//
// Two ways in, one per file: linear events (write), or the logs of threads as they come from the
// runtime (write_units), which the reader then linearizes. Entries of the tables are written before
// the first chunk that refers to them.
//
// Law: whenever the process dies, the file has whole chunks and at most one that is cut;
// flush() makes everything handed over so far part of whole chunks. Logs of all threads are flushed
// together every kFlushUnits, so that a reader never has to buffer more than that.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/contract/log_format.h"
#include "trace/native/row_codec.h"
#include "trace/native/table_codec.h"
#include "trace/native/unit_codec.h"
#include "trace/order/place_resolver.h"
#include "trace/stream/event_writer.h"
#include "trace/stream/output_file.h"

struct ZSTD_CCtx_s;

namespace isosan {

class TraceWriter final : public EventWriter {
 public:
  static constexpr std::uint64_t kFlushUnits = std::uint64_t{1} << 18;

  explicit TraceWriter(const std::string& path);

  // The file gets its name now, not with the first chunk. Before that a file of this name stays.
  void replace_old_file() { file_.flush(); }

  void write(std::span<const Event> events, const Tables& tables) override;

  // Units of a thread's log that end with a whole record; pieces follow each other without gap.
  // Places are resolved into ids here; `tables` is what the resolver adds to.
  void write_units(ThreadId thread, std::uint64_t first_position,
                   std::span<const log::LogUnit> units, PlaceResolver& resolver,
                   const Tables& tables);

  void flush(const Tables& tables);
  void finish(const Tables& tables) override;

  std::uint64_t bytes_written() const { return file_.written(); }

 private:
  struct ThreadLog {
    std::uint64_t position = 0;            // behind the last unit in a chunk
    std::unique_ptr<UnitEncoder> pending;  // units that are in no chunk yet; null: none
  };

  void flush_events(const Tables& tables);
  void encode(ThreadLog& log, std::span<const log::LogUnit> units, PlaceResolver& resolver);
  void flush_units(std::uint32_t thread, const Tables& tables);
  void write_tables(const Tables& tables);
  std::string_view compress(std::string_view raw, int level);
  std::string_view compress_log(std::string_view raw);
  void write_chunk(tracefile::ChunkHeader header, std::string_view raw);

  OutputFile file_;
  struct FreeZstd {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, FreeZstd> zstd_;
  std::string compressed_;
  int chunks_not_tried_ = 0;  // so many of the next ones are stored without trying zstd
  TableEncoder table_encoder_;
  EventEncoder events_;
  std::uint64_t events_written_ = 0;  // in chunks
  std::uint64_t units_written_ = 0;
  std::vector<ThreadLog> threads_;
  std::vector<std::unique_ptr<UnitEncoder>> encoders_;  // not in use
  std::uint64_t units_since_flush_ = 0;
};

}  // namespace isosan
