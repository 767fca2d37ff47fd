// Reader of our format (trace_format.h, trace-format.md).
//
// Chunks are read one after the other. Tables grow, linear events are handed out in file order,
// logs of threads go through the Linearizer. So memory is bounded by one chunk and by the events
// that wait for a marker.
//
// Strict: at the first damaged chunk, everything before it that can be linearized is handed out,
// then next() throws with the offset. The same holds for a file without an end chunk: it was not
// finished. Lenient: damaged bytes are skipped up to the next whole chunk.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.h"
#include "trace/native/birth_paths.h"
#include "trace/native/row_codec.h"
#include "trace/native/unit_codec.h"
#include "trace/order/linearizer.h"
#include "trace/order/place_resolver.h"
#include "trace/stream/input_file.h"
#include "trace/stream/trace_source.h"

struct ZSTD_DCtx_s;

namespace isosan {

class TraceReader final : public TraceSource {
 public:
  TraceReader(InputFile file, const TraceOptions& options);

  std::span<const Event> next() override;
  const Tables& tables() const override { return tables_; }
  std::string where(std::size_t i) const override;
  TraceFormat format() const override { return TraceFormat::kTrace; }
  ReadProgress progress() const override { return {file_.offset(), file_.size()}; }
  PassedOver passed_over() const override;
  const BatchOutline* outline() const override {
    return from_linear_ && !linear_has_rare_ ? &outline_ : nullptr;
  }
  bool keeps_walks() const override { return units_read_ > 0 && linearizer_.keeps_walks(); }

 private:
  // In our files a place is an id already.
  class Ids final : public PlaceResolver {
   public:
    explicit Ids(const Tables& tables) : tables_(tables) {}
    bool places_are_ids() const override { return true; }
    SiteId site_of(std::uint64_t place) override {
      return SiteId{static_cast<std::uint32_t>(place)};
    }
    FunctionId function_of(std::uint64_t place) override {
      return FunctionId{static_cast<std::uint32_t>(place)};
    }
    RegionPlace region_of(std::uint64_t place, RegionKind, std::uint64_t) override {
      return {RegionId{static_cast<std::uint32_t>(place)}, tables_.regions[place].site};
    }

   private:
    const Tables& tables_;
  };

  void read_file_header();
  bool read_chunk();  // false: there are no more
  const char* take_chunk(const tracefile::ChunkHeader& header, std::string_view payload);
  bool unpack(const tracefile::ChunkHeader& header, std::string_view payload);
  const char* take_linear(const tracefile::ChunkHeader& header);
  const char* take_log(const tracefile::ChunkHeader& header);
  const char* take_end(const tracefile::ChunkHeader& header);
  void damaged(const std::string& what);
  void find_next_chunk();
  std::span<const Event> linear_batch();
  bool drain();
  bool admit_thread(std::uint64_t thread);
  bool tables_are_whole();

  InputFile file_;
  bool lenient_;
  Tables tables_;
  std::size_t sites_checked_ = 0;  // of tables_.sites: inlining_ends()
  Ids ids_;
  Linearizer linearizer_;
  struct FreeZstd {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_DCtx_s, FreeZstd> zstd_;
  std::uint32_t version_ = 0;
  std::string_view raw_;  // the payload of the chunk read last: in unpacked_, or in file_'s window
  std::string unpacked_;

  EventDecoder linear_;               // of the current linear chunk
  std::vector<Event> linear_events_;  // its templates, as events
  bool linear_has_rare_ = false;
  BatchOutline outline_;         // of batch_
  std::size_t linear_next_ = 0;  // its first event not yet handed out
  UnitDecoder unit_decoder_;
  BirthPaths births_;

  std::vector<Event> batch_;        // linear events handed out
  std::vector<Event> drained_;      // events of per-thread logs handed out
  bool from_linear_ = false;        // which of the two came last
  std::size_t batch_first_ = 0;     // number of batch_'s first event in its chunk
  std::uint64_t chunk_offset_ = 0;  // of the chunk read last
  std::uint64_t events_read_ = 0;   // in linear chunks
  std::uint64_t units_read_ = 0;
  bool ended_ = false;  // no more chunks
  std::optional<InputError> error_;
  PassedOver passed_over_;
};

}  // namespace isosan
