// Writes over the log of its own process, at places that a seed chooses. Compiled without instrumentation.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

#include "runtime/contract/log_layout.h"

namespace {

using namespace isosan;

char* mapping_of_log() {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return nullptr;
  char line[4096];
  unsigned long begin = 0;
  while (begin == 0 && std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::strstr(line, "memfd:isosan-log") != nullptr) std::sscanf(line, "%lx", &begin);
  }
  std::fclose(maps);
  return reinterpret_cast<char*>(begin);
}

}  // namespace

extern "C" void scribble_by_seed(unsigned seed) {
  char* base = mapping_of_log();
  if (base == nullptr) return;
  log::LogHeader header;
  std::memcpy(static_cast<void*>(&header), base, sizeof header);
  // Where a part begins, and how much of it is written over.
  const struct {
    std::uint64_t begin, size;
  } parts[] = {{0, sizeof header},
               {header.blocks_offset, 4 * sizeof(log::ThreadBlock)},
               {header.modules_offset, sizeof(log::ModuleRecord)},
               {header.rings_offset, std::uint64_t{header.ring_units} * sizeof(log::LogUnit)}};
  std::mt19937 random(seed);
  for (int i = static_cast<int>(random() % 64); i >= 0; --i) {
    const auto& part = parts[random() % 4];
    char* at = base + part.begin + random() % part.size;
    for (unsigned n = random() % 16; n > 0; --n) *at++ = static_cast<char>(random());
  }
}
