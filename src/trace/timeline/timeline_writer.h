// Writer of the JSON trace events that Perfetto (ui.perfetto.dev) and chrome://tracing show: a track
// for each thread, calls and regions as slices, everything else as a short slice of its own.
//
// A trace has an order and no clock, so an event is one microsecond: its ordinal. Laws: slices of a
// thread nest, every begun one is ended, and an end without its begin is left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/stream/event_writer.h"
#include "trace/stream/output_file.h"

namespace isosan {

class TimelineWriter final : public EventWriter {
 public:
  explicit TimelineWriter(const std::string& path);

  void write(std::span<const Event> events, const Tables& tables) override;
  void finish(const Tables& tables) override;

 private:
  void write(const Event& e, const Tables& tables);
  void begin(const Event& e, const Tables& tables);
  void end(std::uint32_t thread);
  void entry(const std::string& text);

  OutputFile file_;
  std::uint64_t ordinal_ = 0;
  bool is_first_ = true;
  std::vector<std::uint64_t> open_;  // slices, by thread
};

}  // namespace isosan
