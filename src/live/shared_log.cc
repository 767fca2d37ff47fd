#include "live/shared_log.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "base/check.h"
#include "runtime/contract/log_walk.h"

namespace isosan {
namespace {

std::uint64_t page_aligned(std::uint64_t bytes) { return (bytes + 65535) & ~std::uint64_t{65535}; }

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

bool has_expedited_membarrier() {
  const long commands = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  return commands > 0 && (commands & MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0;
}

}  // namespace

SharedLog::SharedLog(const SharedLogOptions& options) {
  const std::uint64_t blocks = page_aligned(sizeof(log::LogHeader));
  const std::uint64_t modules =
      blocks + page_aligned(std::uint64_t{options.max_threads} * sizeof(log::ThreadBlock));
  const std::uint64_t flags =
      modules + page_aligned(std::uint64_t{options.max_modules} * sizeof(log::ModuleRecord));
  const std::uint64_t rings = flags + page_aligned(options.flags_bytes);
  const std::uint64_t schedule =
      rings + std::uint64_t{options.max_threads} * options.ring_units * sizeof(log::LogUnit);
  const std::uint64_t unordered = schedule + page_aligned(options.schedule_bytes);
  size_ = unordered + (options.unordered_granules ? page_aligned(sizeof(UnorderedGranules)) : 0);
  fd_ = ::memfd_create("isosan-log", MFD_CLOEXEC);
  if (fd_ < 0) fail("memfd_create for the log");
  if (::ftruncate(fd_, static_cast<off_t>(size_)) != 0) fail("sizing the log");
  void* data = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
  if (data == MAP_FAILED) fail("mapping the log");
  base_ = static_cast<std::byte*>(data);
  header_ = new (base_) log::LogHeader;
  header_->mode = options.mode;
  header_->strict = options.strict;
  header_->release_stores = log::kStoresStayInOrder || has_expedited_membarrier() ? 0 : 1;
  header_->reader_pid = static_cast<std::uint32_t>(::getpid());
  header_->locksets = options.locksets;
  header_->sync_edges_off = !options.sync_edges;
  header_->quiet_outside = options.quiet_outside;
  header_->units = options.units;
  header_->noise = options.noise;
  header_->noise_seed = options.noise_seed;
  header_->max_threads = options.max_threads;
  header_->ring_units = options.ring_units;
  header_->blocks_offset = blocks;
  header_->modules_offset = modules;
  header_->max_modules = options.max_modules;
  header_->flags_area_offset = flags;
  header_->flags_area_size = options.flags_bytes;
  header_->rings_offset = rings;
  header_->schedule_offset = options.schedule_bytes == 0 ? 0 : schedule;
  header_->unordered_offset = options.unordered_granules ? unordered : 0;
}

SharedLog::~SharedLog() {
  ::munmap(base_, size_);
  ::close(fd_);
}

const UnorderedGranules* SharedLog::unordered_granules() const {
  if (header_->unordered_offset == 0) return nullptr;
  return reinterpret_cast<const UnorderedGranules*>(base_ + header_->unordered_offset);
}

log::ThreadBlock& SharedLog::block(std::uint32_t i) const {
  return reinterpret_cast<log::ThreadBlock*>(base_ + header_->blocks_offset)[i];
}

log::LogUnit* SharedLog::ring(std::uint32_t i) const {
  return reinterpret_cast<log::LogUnit*>(base_ + header_->rings_offset) +
         std::size_t{i} * header_->ring_units;
}

log::ModuleRecord& SharedLog::module(std::uint32_t i) const {
  ISOSAN_CHECK(i < header_->max_modules);
  return reinterpret_cast<log::ModuleRecord*>(base_ + header_->modules_offset)[i];
}

std::span<std::uint8_t> SharedLog::flags(std::uint64_t offset, std::uint64_t size) const {
  if (offset > size_ || size_ - offset < size) return {};
  return {reinterpret_cast<std::uint8_t*>(base_ + offset), size};
}

void SharedLog::tell_regions(log::ModuleRecord& record,
                             std::span<const log::RegionRange> regions) const {
  const std::uint64_t used =
      header_->flags_area_used.fetch_add(regions.size_bytes() + alignof(log::RegionRange));
  const std::uint64_t begin =
      (used + alignof(log::RegionRange) - 1) & ~(alignof(log::RegionRange) - 1);
  if (begin + regions.size_bytes() > header_->flags_area_size) return;
  record.flags_offset = header_->flags_area_offset + begin;
  std::memcpy(base_ + record.flags_offset, regions.data(), regions.size_bytes());
  record.region_count = static_cast<std::uint32_t>(regions.size());
}

const std::vector<SharedLog::LiveThread>& SharedLog::snapshot() {
  // Threads take the lowest free block, and only the reader frees: a block never looked at is in
  // use from the day it is taken.
  while (high_water_ < header_->max_threads &&
         block(high_water_).state.load(std::memory_order_acquire) != log::ThreadState::kFree) {
    ++high_water_;
  }
  live_.clear();
  for (std::uint32_t i = 0; i < high_water_; ++i) {
    log::ThreadBlock& b = block(i);
    const log::ThreadState state = b.state.load(std::memory_order_acquire);
    if (state == log::ThreadState::kFree) continue;
    live_.push_back({.block = i,
                     .thread = b.thread,
                     .state = state,
                     .position = std::atomic_ref(b.position).load(std::memory_order_acquire),
                     .consumed = b.consumed.load(std::memory_order_relaxed)});
  }
  fence();
  return live_;
}

void SharedLog::fence() const {
  if (log::kStoresStayInOrder || header_->release_stores != 0) return;  // acquire loads did it
  ::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

SharedLog::Pieces SharedLog::units(std::uint32_t i, std::uint64_t from, std::uint64_t to) const {
  const std::uint64_t size = header_->ring_units;
  ISOSAN_CHECK(from <= to && to - from <= size);
  const std::uint64_t begin = from & (size - 1);
  const std::uint64_t until_wrap = size - begin;
  const std::uint64_t count = to - from;
  if (count <= until_wrap) return {{ring(i) + begin, count}, {}};
  return {{ring(i) + begin, until_wrap}, {ring(i), count - until_wrap}};
}

bool SharedLog::log_open_walks() {
  bool any = false;
  for (const LiveThread& thread : live_) {
    if (thread.state != log::ThreadState::kLive || block(thread.block).open_walks == 0) continue;
    log_open_walks_of(thread.block);
    any = true;
  }
  return any;
}

// A unit whose extension never came is written over.
void SharedLog::log_open_walks_of(std::uint32_t i) {
  log::ThreadBlock& b = block(i);
  std::uint64_t position = b.consumed.load(std::memory_order_relaxed);
  log::for_each_open_walk(b, [&](const log::Walk& walk) {
    log::LogUnit units[log::kWalkUnits];
    const std::uint64_t count = log::units_of(walk, units);
    for (std::uint64_t j = 0; j < count; ++j) {
      ring(i)[position++ & (header_->ring_units - 1)] = units[j];
    }
  });
  b.open_walks = 0;
  b.position = position;
}

void SharedLog::consume(std::uint32_t i, std::uint64_t to) {
  block(i).consumed.store(to, std::memory_order_release);
}

void SharedLog::free_block(std::uint32_t i) {
  log::ThreadBlock& b = block(i);
  std::atomic_ref(b.position).store(0, std::memory_order_relaxed);
  b.consumed.store(0, std::memory_order_relaxed);
  const std::uint64_t bytes = std::uint64_t{header_->ring_units} * sizeof(log::LogUnit);
  if (i >= 32) {  // keep the rings of the first threads warm, give the memory of the others back
    ::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                static_cast<off_t>(header_->rings_offset + std::uint64_t{i} * bytes),
                static_cast<off_t>(bytes));
  }
  b.state.store(log::ThreadState::kFree, std::memory_order_release);
}

}  // namespace isosan
