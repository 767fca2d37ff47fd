// The reader of STD text.
#include "fuzz/fuzz.h"
#include "trace/std/std_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isosan;
  fuzz::read_both_ways([&](const TraceOptions& options) {
    return std::make_unique<StdReader>(InputFile("in", fuzz::text(data, size)), options);
  });
  return 0;
}
