#include "predict/locations.h"

#include <algorithm>

#include "base/check.h"

namespace isosan::predict {

SlotIndex Locations::slot_of(std::uint64_t granule) {
  const std::uint64_t number = granule / kPageGranules;
  auto& [cached_number, page] = cache_[number % kCacheSize];
  if (page == nullptr || cached_number != number) {
    std::unique_ptr<Page>& owned = pages_[number];
    if (!owned) {
      owned = std::make_unique<Page>();
      owned->fill(kNone);
    }
    cached_number = number;
    page = owned.get();
  }
  SlotIndex& slot = (*page)[granule % kPageGranules];
  if (slot == kNone) {
    slot = static_cast<SlotIndex>(slots_.size());
    ISOSAN_CHECK(slots_.size() < kNone);
    slots_.push_back({.granule = granule});
  }
  return slot;
}

void Locations::renew(Address address, std::uint64_t size) {
  if (size == 0) return;
  const std::uint64_t last = (address + size - 1) / kGranule;
  for (std::uint64_t granule = address / kGranule; granule <= last;) {
    const std::uint64_t page_last = granule / kPageGranules * kPageGranules + kPageGranules - 1;
    const std::uint64_t stop = std::min(page_last, last);
    if (const auto found = pages_.find(granule / kPageGranules); found != pages_.end()) {
      Page& page = *found->second;
      std::fill(page.begin() + static_cast<std::ptrdiff_t>(granule % kPageGranules),
                page.begin() + static_cast<std::ptrdiff_t>(stop % kPageGranules) + 1, kNone);
    }
    granule = stop + 1;
  }
}

}  // namespace isosan::predict
