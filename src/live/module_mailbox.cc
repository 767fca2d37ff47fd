// The part of SharedLog that answers modules (runtime/contract/log_format.h, ModuleRecord).
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>

#include "base/check.h"
#include "fmt/format.h"
#include "live/shared_log.h"

namespace isosan {

std::uint32_t SharedLog::modules_announced() const {
  const std::uint32_t count = header_->modules_announced.load(std::memory_order_acquire);
  if (count > layout_.max_modules) throw LogDamage(fmt::format("{} modules", count));
  return count;
}

log::ModuleRecord& SharedLog::shared_module(std::uint32_t i) const {
  ISOSAN_CHECK(i < layout_.max_modules);
  return reinterpret_cast<log::ModuleRecord*>(base_ + layout_.modules_offset)[i];
}

log::ModuleRecord SharedLog::module(std::uint32_t i) const {
  log::ModuleRecord record;
  std::memcpy(&record, &shared_module(i), sizeof record);
  record.path_length = std::min<std::uint32_t>(record.path_length, sizeof record.path);
  return record;
}

void SharedLog::send_flags(std::uint32_t i, std::span<const std::uint8_t> flags) const {
  if (flags.empty()) return;
  const std::uint64_t offset = module(i).flags_offset;
  const std::uint64_t end = layout_.flags_area_offset + layout_.flags_area_size;
  if (offset < layout_.flags_area_offset || offset > end) return;
  std::memcpy(base_ + offset, flags.data(), std::min<std::uint64_t>(flags.size(), end - offset));
}

void SharedLog::send_regions(std::uint32_t i, std::span<const log::RegionRange> regions) const {
  if (regions.empty()) return;
  constexpr std::uint64_t kAlignment = alignof(log::RegionRange);
  const std::uint64_t bytes = regions.size_bytes();
  const std::uint64_t used = header_->flags_area_used.fetch_add(bytes + kAlignment);
  if (used > layout_.flags_area_size) return;
  const std::uint64_t begin = (used + kAlignment - 1) & ~(kAlignment - 1);
  if (begin > layout_.flags_area_size || layout_.flags_area_size - begin < bytes) return;
  const std::uint64_t offset = layout_.flags_area_offset + begin;
  std::memcpy(base_ + offset, regions.data(), bytes);
  log::ModuleRecord& record = shared_module(i);
  record.flags_offset = offset;
  record.region_count = static_cast<std::uint32_t>(regions.size());
}

void SharedLog::modules_are_answered(std::uint32_t count) const {
  header_->modules_answered.store(count, std::memory_order_release);
  ::syscall(SYS_futex, &header_->modules_answered, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace isosan
