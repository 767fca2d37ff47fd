// Where linear events are written to: one interface for the three formats.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "event/source.h"
#include "trace/stream/trace_source.h"

namespace isosan {

class EventWriter {
 public:
  virtual ~EventWriter() = default;

  // Appends events; `tables` has all the ids in them. Throws InputError where the format cannot
  // express an event, or the file cannot be written.
  virtual void write(std::span<const Event> events, const Tables& tables) = 0;

  // Completes the file. Without it the file is one that a killed recorder left.
  virtual void finish(const Tables& tables) = 0;
};

std::unique_ptr<EventWriter> create_trace(const std::string& path, TraceFormat format);

// Writes all of `source`, as far as it can be read; gives the number of events. Where `source`
// throws, the file is completed with what came before, then the error goes on.
std::uint64_t copy_events(EventSource& source, EventWriter& writer);

}  // namespace isosan
