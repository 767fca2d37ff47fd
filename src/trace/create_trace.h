// A trace file to be written, in the format asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "trace/stream/event_writer.h"
#include "trace/stream/trace_source.h"

namespace isosan {

std::unique_ptr<EventWriter> create_trace(const std::string& path, TraceFormat format);

// Writes all of `source`, as far as it can be read; gives the number of events. Where `source`
// throws, the file is completed with what came before, then the error goes on.
std::uint64_t copy_events(EventSource& source, EventWriter& writer);

}  // namespace isosan
