#include "trace/create_trace.h"

#include "base/input_error.h"
#include "trace/native/trace_writer.h"
#include "trace/rapid/rapid_writer.h"
#include "trace/std/std_writer.h"

namespace isosan {

std::unique_ptr<EventWriter> create_trace(const std::string& path, TraceFormat format) {
  switch (format) {
    case TraceFormat::kStd:
      return std::make_unique<StdWriter>(path);
    case TraceFormat::kRapid:
      return std::make_unique<RapidWriter>(path);
    case TraceFormat::kTrace:
      return std::make_unique<TraceWriter>(path);
  }
  return nullptr;
}

std::uint64_t copy_events(EventSource& source, EventWriter& writer) {
  std::uint64_t events = 0;
  for (;;) {
    std::span<const Event> batch;
    try {
      batch = source.next();
    } catch (const InputError&) {
      if (events > 0) writer.finish(source.tables());
      throw;
    }
    if (batch.empty()) break;
    writer.write(batch, source.tables());
    events += batch.size();
  }
  writer.finish(source.tables());
  return events;
}

}  // namespace isosan
