// The reader of our format, as it gets its bytes from a file: headers, sizes, checksums, zstd.
#include "fuzz/fuzz.h"
#include "trace/open_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isosan;
  fuzz::read_both_ways([&](const TraceOptions& options) {
    return open_trace_bytes(fuzz::text(data, size), "in", {options.lenient, false});
  });
  return 0;
}
