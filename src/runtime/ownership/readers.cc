#include "runtime/ownership/readers.h"

#include "runtime/platform/patience.h"

namespace isosan::rt {
namespace {

// Any read-shared word.
std::uint64_t last_shared_read(const Slot& slot) {
  for (Patience patience;; patience.wait()) {
    const std::uint32_t before = slot.incarnation.load(std::memory_order_acquire);  // order: slot
    log::ThreadBlock* block = slot.block.load(std::memory_order_relaxed);
    std::uint64_t epoch = slot.final_rdsh.load(std::memory_order_relaxed);
    if (block != nullptr) {
      const std::uint64_t live =
          std::atomic_ref<std::uint64_t>(block->last_rdsh).load(std::memory_order_relaxed);
      epoch = live > epoch ? live : epoch;
    }
    std::atomic_thread_fence(std::memory_order_acquire);  // order: slot
    if (before % 2 == 0 && slot.incarnation.load(std::memory_order_relaxed) == before) return epoch;
  }
}

// The same for these granules only. An entry of the filter is never older than the one it replaced.
// All entries are cleared together when the epochs in them wrap around.
std::uint64_t last_shared_read(const Slot& slot, const Granules& granules) {
  constexpr std::uint64_t kKept = ~std::uint64_t{0} >> kFilterEpochShift;
  std::uint64_t youngest = 0;
  for (std::uint64_t i = 0; i < granules.count; ++i) {
    const std::uint64_t entry =
        std::atomic_ref<std::uint64_t>(slot.filter[filter_index(granules.address + i * kGranule)])
            .load(std::memory_order_relaxed);
    youngest = entry > youngest ? entry : youngest;
  }
  youngest >>= kFilterEpochShift;
  std::atomic_thread_fence(std::memory_order_acquire);                   // order: slot
  const std::uint64_t now = slot.epoch.load(std::memory_order_acquire);  // order: epoch
  const std::uint64_t strode = slot.strode_rdsh.load(std::memory_order_relaxed);
  std::uint64_t last = (now & ~kKept) | youngest;
  last = strode > last ? strode : last;
  const std::uint64_t end = granules.address + granules.count * kGranule;
  for (std::uint64_t at = granules.address & ~(kWalkedPageBytes - 1); at < end;
       at += kWalkedPageBytes) {
    const std::uint64_t walked = walked_page(slot, at).load(std::memory_order_relaxed);
    last = walked > last ? walked : last;
  }
  return last;
}

}  // namespace

std::uint64_t last_read_by(const Thread& t, const Slot& slot, const Granules& granules,
                           std::uint64_t before) {
  std::uint64_t shared = last_shared_read(slot);
  constexpr std::uint64_t kMost = 512;  // granules that are worth to be looked up
  if (!covers(t, slot.index, shared) &&
      granules.count <= kMost) {  // the cheaper answer is not enough
    const std::uint64_t of_these = last_shared_read(slot, granules);
    shared = of_these < shared ? of_these : shared;
  }
  return before > shared ? before : shared;
}

bool comes_after_all_shared_reads(const Thread& t) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t last = i == t.slot->index ? 0 : last_shared_read(slot_at(i));
    if (!covers(t, i, last)) return false;
  }
  return true;
}

}  // namespace isosan::rt
