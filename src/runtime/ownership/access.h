// Accesses that the inline check does not settle.
//
// Guarantee. If two accesses conflict, their order in the log (program order and markers) is the
// order in which they happened: for code without races and for atomics always; for races in strict
// mode. Outside strict mode one window is left: the plain store of the inline own-older-epoch path
// against a thread that takes the word at the same moment.
#pragma once

#include <cstdint>

#include "runtime/thread/thread.h"

namespace isosan::rt {

// One access of up to a few bytes; logs it if it is news. A safe point.
enum class Logged : std::uint8_t {
  kAlone,
  kInWalk,  // with others of the same instruction, if walks are wanted (log/walks.h)
};
void slow_read(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place,
               Logged logged = Logged::kAlone);
void slow_write(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place,
                Logged logged = Logged::kAlone);
// A whole block (ranges.cc), claimed granule by granule, logged in runs of neighbours that are
// news.
void read_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place);
void write_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place);
// `count` elements of `size` bytes, `stride` bytes apart: what a loop is about to access.
void read_strided(Thread& t, std::uint64_t first, std::uint64_t count, std::int64_t stride,
                  std::uint64_t size, std::uint64_t place);
void write_strided(Thread& t, std::uint64_t first, std::uint64_t count, std::int64_t stride,
                   std::uint64_t size, std::uint64_t place);

// Read and then written, each element: the same as both, at the cost of one.
void update_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t read_place,
                  std::uint64_t write_place);
void update_strided(Thread& t, std::uint64_t first, std::uint64_t count, std::int64_t stride,
                    std::uint64_t size, std::uint64_t read_place, std::uint64_t write_place);

// Free: like a write of the whole block, but no event. The words are then the thread's own.
void take_block(Thread& t, std::uint64_t address, std::uint64_t size);

}  // namespace isosan::rt
