// Creates a trace file in a given format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "trace/stream/event_writer.h"
#include "trace/stream/trace_source.h"

namespace isosan {

std::unique_ptr<EventWriter> create_trace(const std::string& path, TraceFormat format);

// Writes all of `source` and returns the number of events. If `source`
// throws, the file is completed with the events before, if there are any, then the error is
// rethrown.
std::uint64_t copy_events(EventSource& source, EventWriter& writer);

}  // namespace isosan
