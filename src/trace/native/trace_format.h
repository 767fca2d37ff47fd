// The layout of our trace files, described in trace-format.md. Change kVersion with it.
//
// A file is a FileHeader and chunks, appended one after the other: a ChunkHeader and a payload that
// is compressed with zstd where that saves something. All numbers are little-endian.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "xxhash.h"

namespace isosan::tracefile {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::string_view kFileMagicText = "\x89ISOSAN\n";
inline constexpr std::uint64_t kFileMagic = 0x0a4e41534f534989;  // the same as a number
inline constexpr std::uint32_t kVersion = 3;
inline constexpr std::uint32_t kOldestVersion = 1;    // that can still be read: it has no selection
inline constexpr std::uint32_t kFirstWithStored = 3;  // payloads may be uncompressed

struct FileHeader {
  std::uint64_t magic = kFileMagic;
  std::uint32_t version = kVersion;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(FileHeader) == 16);

enum class ChunkKind : std::uint32_t {
  kTables = 1,  // entries of the tables (table_codec.h)
  kLinear = 2,  // events in linear order, of any threads (row_codec.h)
  kEnd = 4,     // the recorder has finished; no payload
  kLog = 5,     // units of one thread's log, with markers (unit_codec.h)
};

inline constexpr std::uint32_t kChunkMagic = 0xc7a7c4ec;

struct ChunkHeader {
  std::uint32_t magic = kChunkMagic;
  ChunkKind kind{};
  std::uint32_t thread = 0;       // kLog: whose log
  std::uint32_t count = 0;        // kLinear: events; kLog: units
  std::uint64_t position = 0;     // kLinear: ordinal of the first event; kLog: position of the
                                  // first unit; kEnd: events and units in the whole file
  std::uint32_t raw_size = 0;     // of the payload before compression
  std::uint32_t stored_size = 0;  // of the payload in the file; raw_size: it is uncompressed
  std::uint64_t checksum = 0;     // XXH3 of the payload, seeded with XXH3 of the fields above
};
static_assert(sizeof(ChunkHeader) == 40);
static_assert(offsetof(ChunkHeader, checksum) == 32);

inline std::uint64_t checksum_of(const ChunkHeader& header, std::string_view payload) {
  const std::uint64_t seed = XXH3_64bits(&header, offsetof(ChunkHeader, checksum));
  return XXH3_64bits_withSeed(payload.data(), payload.size(), seed);
}

inline constexpr std::uint32_t kMaxCount = 1u << 16;     // events or units in a chunk
inline constexpr std::uint32_t kMaxPayload = 16u << 20;  // bytes, raw or stored

}  // namespace isosan::tracefile
