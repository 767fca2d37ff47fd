// The reader of our format behind its checksums: the input is a list of chunks with raw payloads,
// and what is around them is made right. Each chunk: kind (2 bits) and thread (6 bits), count,
// position, 2 bytes of payload size, the payload.
#include <zstd.h>

#include <algorithm>
#include <string>

#include "fuzz/fuzz.h"
#include "trace/native/trace_format.h"
#include "trace/native/trace_reader.h"

namespace isosan::fuzz {
namespace {

constexpr tracefile::ChunkKind kKinds[] = {tracefile::ChunkKind::kTables,
                                           tracefile::ChunkKind::kLinear,
                                           tracefile::ChunkKind::kLog, tracefile::ChunkKind::kEnd};

std::string as_file(std::string_view input) {
  const tracefile::FileHeader file_header;
  std::string file(reinterpret_cast<const char*>(&file_header), sizeof file_header);
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(input[i]); };
  while (input.size() >= 5) {
    const std::size_t wanted = byte(3) | byte(4) << 8;
    const std::string_view raw = input.substr(5, wanted);
    tracefile::ChunkHeader header{.kind = kKinds[byte(0) & 3],
                                  .thread = static_cast<std::uint32_t>(byte(0) >> 2),
                                  .count = byte(1),
                                  .position = byte(2),
                                  .raw_size = static_cast<std::uint32_t>(raw.size())};
    std::string stored(raw);
    if ((byte(0) & 0x80) == 0) {
      stored.resize(ZSTD_compressBound(raw.size()));
      stored.resize(ZSTD_compress(stored.data(), stored.size(), raw.data(), raw.size(), -5));
    }
    header.stored_size = static_cast<std::uint32_t>(stored.size());
    header.checksum = tracefile::checksum_of(header, stored);
    file.append(reinterpret_cast<const char*>(&header), sizeof header);
    file += stored;
    input.remove_prefix(5 + raw.size());
  }
  return file;
}

}  // namespace
}  // namespace isosan::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isosan;
  const std::string file = fuzz::as_file(fuzz::text(data, size));
  fuzz::read_both_ways([&](const TraceOptions& options) {
    return std::make_unique<TraceReader>(InputFile("in", file), options);
  });
  return 0;
}
