#include "runtime/calls/region_table.h"

#include <atomic>

#include "runtime/contract/trampolines.h"
#include "runtime/platform/check.h"
#include "runtime/platform/os.h"

namespace isosan::rt {
namespace {

struct Region {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // itself included
  bool is_trampoline = false;
  std::atomic<bool> is_one{true};
};
struct Module {
  Region* regions = nullptr;
  std::uint32_t count = 0;
  std::uint32_t first = 0;  // number of its first region
};

constexpr std::uint32_t kMaxModules = 256;
constexpr std::uint32_t kMaxRegions = 0xffff;  // 0 is none
Module modules[kMaxModules];
std::atomic<std::uint32_t> module_count{0};
Region* regions_by_number[kMaxRegions];

// What was found lately: the program counter, and below it the number of its region.
constexpr int kNumberBits = 16;
constexpr std::uint64_t kFoundEntries = 4096;
std::atomic<std::uint64_t> found[kFoundEntries];

std::uint32_t search(std::uint64_t pc) {
  const std::uint32_t n = module_count.load(std::memory_order_acquire);  // order: table
  for (std::uint32_t i = 0; i < n; ++i) {
    const Module& module = modules[i];
    std::uint32_t low = 0, high = module.count;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      module.regions[middle].begin <= pc ? low = middle + 1 : high = middle;
    }
    if (low > 0 && pc <= module.regions[low - 1].end) return module.first + low - 1;
  }
  return 0;
}

Region* region_at(std::uint64_t pc) {
  std::atomic<std::uint64_t>& entry = found[(pc >> 2 ^ pc >> 14) % kFoundEntries];
  const std::uint64_t kept = entry.load(std::memory_order_acquire);  // order: table
  if (kept >> kNumberBits == pc) return regions_by_number[kept % (kMaxRegions + 1)];
  const std::uint32_t number = search(pc);
  entry.store(pc << kNumberBits | number, std::memory_order_release);  // order: table
  return regions_by_number[number];
}

}  // namespace

void add_regions(std::uint64_t base, const log::RegionRange* ranges, std::uint32_t count) {
  const std::uint32_t n = module_count.load(std::memory_order_relaxed);
  const std::uint32_t first = n == 0 ? 1 : modules[n - 1].first + modules[n - 1].count;
  if (count == 0 || n == kMaxModules || count > kMaxRegions - first) return;
  for (std::uint32_t i = 1; i < count; ++i) ISOSAN_CHECK(ranges[i - 1].begin <= ranges[i].begin);
  auto* regions = static_cast<Region*>(map_pages(count * sizeof(Region)));
  for (std::uint32_t i = 0; i < count; ++i) {
    Region* region = new (&regions[i]) Region;
    region->begin = base + ranges[i].begin;
    region->end = base + (ranges[i].end & ~log::kTrampolineBit);
    region->is_trampoline = (ranges[i].end & log::kTrampolineBit) != 0;
    region->is_one.store(!region->is_trampoline, std::memory_order_relaxed);
    regions_by_number[first + i] = region;
  }
  modules[n] = {regions, count, first};
  module_count.store(n + 1, std::memory_order_release);  // order: table
}

bool is_region_at(std::uint64_t pc) {
  const Region* region = region_at(pc);
  return region != nullptr && region->is_one.load(std::memory_order_relaxed);
}

bool is_trampoline_at(std::uint64_t pc) {
  const Region* region = region_at(pc);
  return region != nullptr && region->is_trampoline;
}

bool remove_region_at(std::uint64_t pc) {
  Region* region = region_at(pc);
  if (region == nullptr || region->is_trampoline) return false;
  region->is_one.store(false, std::memory_order_relaxed);
  return true;
}

}  // namespace isosan::rt
