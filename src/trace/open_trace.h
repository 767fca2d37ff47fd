// Opens a trace of any supported format.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "trace/stream/trace_source.h"

namespace isosan {

// The format is recognised by content, never by name: our own by its magic number, RapidBin by a
// zero byte in its header (which text never has), everything else is STD. Throws InputError if the
// file cannot be opened or is empty.
std::unique_ptr<TraceSource> open_trace(const std::string& path, const TraceOptions& options = {});

// The same for bytes in memory; `name` is what errors call it.
std::unique_ptr<TraceSource> open_trace_bytes(std::string_view bytes, const std::string& name,
                                              const TraceOptions& options = {});

}  // namespace isosan
