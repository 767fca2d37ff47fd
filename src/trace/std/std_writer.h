// Writer of STD text (std_reader.h).
//
// Written: reads, writes, exclusive locks, fork, join, atomic regions. Left out, because they
// order nothing (semantics.md): thread start and end, call and return; stacks are lost.
// Everything else, and accesses that overlap in part, is an error that says so.
#pragma once

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "trace/stream/event_writer.h"
#include "trace/stream/output_file.h"
#include "trace/stream/trace_source.h"
#include "trace/stream/variable_names.h"

namespace isosan {

class StdWriter final : public EventWriter {
 public:
  explicit StdWriter(const std::string& path) : file_(path) {}

  void write(std::span<const Event> events, const Tables& tables) override;
  void finish(const Tables& tables) override;

 private:
  void write(const Event& e, const Tables& tables);
  const std::string& thread_name(ThreadId thread, const Tables& tables);
  const std::string& loc(SiteId site, const Tables& tables);

  OutputFile file_;
  std::string line_;
  std::uint64_t ordinal_ = 0;
  VariableNames variables_, locks_;
  std::vector<std::string> threads_;
  absl::flat_hash_set<std::string> used_thread_names_;
  std::vector<std::string> locs_;
};

// Is the event left out of formats without thread starts, calls and tries that fail?
constexpr bool orders_nothing(const Event& e) {
  const bool gave_up =
      e.kind == Kind::kWaitEnd && e.detail == static_cast<std::uint8_t>(WaitOutcome::kTimedOut);
  return e.kind == Kind::kThreadStart || e.kind == Kind::kThreadEnd || e.kind == Kind::kCall ||
         e.kind == Kind::kReturn || gave_up;
}

// The error for an event that `format` cannot express.
[[noreturn]] void cannot_express(TraceFormat format, const std::string& file, std::uint64_t ordinal,
                                 const Event& e, const std::string& why);

}  // namespace isosan
