// Reader of STD text, the format of RAPID: one event per line, `thread|op|loc`.
//
//   op   r(x) w(x) acq(l) rel(l) fork(t) join(t) begin... end...; req(l) and branch are read and
//        left out: they order nothing
//   names any characters but white space and '|', up to the last ')' of the field
//   loc  an integer, `file:line`, or any such name; may be absent
//
// Accepted because traces have them: indented lines (stack frames below an event) and blank ones
// are skipped; a line may end in "\r\n"; fork(3) by a thread called T<digits> means T3. Any other
// line is an error with its number.
//
// Threads, variables and locks are numbered by first appearance (implied.h). A begin makes a
// Region: named by its operand, or `region@LOC` where it has none.
//
// The fast path reads a line whose names are all known, without a branch for errors: a name
// that is not known (which a malformed line always contains) sends the line to the slow path,
// which reads it again with all checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.h"
#include "trace/stream/implied.h"
#include "trace/stream/input_file.h"
#include "trace/stream/name_table.h"
#include "trace/stream/trace_source.h"

namespace isosan {

class StdReader final : public TraceSource {
 public:
  StdReader(InputFile file, const TraceOptions& options);

  std::span<const Event> next() override;
  const Tables& tables() const override { return implied_.tables; }
  std::string where(std::size_t i) const override;
  TraceFormat format() const override { return TraceFormat::kStd; }
  ReadProgress progress() const override { return {file_.offset(), file_.size()}; }
  PassedOver passed_over() const override { return passed_over_; }

 private:
  struct Fields {
    std::string_view thread, op, loc;
  };
  // Events [first_event, ...) of the batch came from lines first_line, first_line + 1, ...
  struct LineRun {
    std::size_t first_event;
    std::uint64_t first_line;
  };

  const char* read_fast(const char* p);  // returns the end of the line; nullptr: use the slow path
  void read_slow(std::string_view line);
  bool fill();  // reads lines of the window until the batch is full; false at the end
  void unreadable(std::string_view line, std::string_view why);
  std::string unreadable_message(std::string_view line, std::string_view why) const;

  Fields split(std::string_view line);
  void read_operation(ThreadId thread, std::string_view op, std::string_view loc);
  ThreadId thread_of(std::string_view name);
  ThreadId other_thread(ThreadId self, std::string_view operand);
  std::uint32_t variable_of(std::string_view name);
  std::uint32_t lock_of(std::string_view name);
  SiteId site_of(std::string_view loc);
  RegionId region_of(std::string_view op, std::string_view loc, SiteId site);
  RegionId region_at(SiteId site, std::string_view loc);
  void emit_begin(ThreadId thread, RegionId region, SiteId site);
  void emit_end(ThreadId thread, SiteId site);
  void emit(Kind kind, ThreadId thread, Address address, std::uint64_t size, SiteId site,
            std::uint16_t depth = 0) {
    batch_[count_++] = {kind, 0, depth, thread, address, size, site, kEmptyStack};
  }

  InputFile file_;
  bool lenient_;
  Implied implied_;
  NameTable threads_, variables_, locks_, sites_, regions_;
  std::vector<RegionId>
      region_at_site_;  // by site: of a begin without operand; kNoRegion: none yet
  std::vector<Event> batch_;
  std::size_t count_ = 0;   // events in batch_
  std::uint64_t line_ = 0;  // number of the last line read, from 1
  std::vector<LineRun> runs_;
  std::optional<InputError> error_;  // thrown when the events before it were handed out
  PassedOver passed_over_;
};

}  // namespace isosan
