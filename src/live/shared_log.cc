#include "live/shared_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

// Under `ulimit -v` the larger rings might leave the program no room.
std::uint32_t ring_units_of(const SharedLogOptions& options) {
  rlimit limit = {};
  const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return options.quiet && !limited ? options.quiet_ring_units : options.ring_units;
}

}  // namespace

SharedLog::SharedLog(const SharedLogOptions& options) {
  log::LogLayout& l = layout_;
  l.max_threads = options.max_threads;
  l.ring_units = ring_units_of(options);
  l.max_modules = options.max_modules;
  l.flags_area_size = options.flags_bytes;
  l.blocks_offset = page_aligned(sizeof(log::LogHeader));
  l.modules_offset =
      l.blocks_offset + page_aligned(std::uint64_t{l.max_threads} * sizeof(log::ThreadBlock));
  l.flags_area_offset =
      l.modules_offset + page_aligned(std::uint64_t{l.max_modules} * sizeof(log::ModuleRecord));
  l.rings_offset = l.flags_area_offset + page_aligned(l.flags_area_size);
  const std::uint64_t schedule =
      l.rings_offset + std::uint64_t{l.max_threads} * l.ring_units * sizeof(log::LogUnit);
  const std::uint64_t unordered = schedule + page_aligned(options.schedule_bytes);
  l.schedule_offset = options.schedule_bytes == 0 ? 0 : schedule;
  l.unordered_offset = options.unordered_granules ? unordered : 0;
  l.size = unordered + (options.unordered_granules ? page_aligned(sizeof(UnorderedGranules)) : 0);
  release_stores_ = !log::kStoresStayInOrder && !has_expedited_membarrier();
  blocks_.resize(l.max_threads);
  map();
  write_header(options);
}

void SharedLog::map() {
  fd_ = ::memfd_create("isosan-log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd_ < 0) fail("memfd_create for the log");
  if (::ftruncate(fd_, static_cast<off_t>(layout_.size)) != 0) fail("sizing the log");
  // A target that shrinks the file would end this process by SIGBUS.
  if (::fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail("sealing the log");
  void* data =
      ::mmap(nullptr, layout_.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
  if (data == MAP_FAILED) fail("mapping the log");
  base_ = static_cast<std::byte*>(data);
}

void SharedLog::write_header(const SharedLogOptions& options) {
  header_ = new (base_) log::LogHeader;
  header_->mode = options.mode;
  header_->strict = options.strict;
  header_->release_stores = release_stores_;
  header_->reader_pid = static_cast<std::uint32_t>(::getpid());
  header_->locksets = options.locksets;
  header_->sync_edges_off = !options.sync_edges;
  header_->unlogged_outside = options.unlogged_outside;
  header_->arrays_off = options.arrays_off;
  header_->vtable_pointers = options.vtable_pointers;
  header_->units = options.units;
  header_->quiet = quiet_ = options.quiet;
  header_->noise = options.noise;
  header_->noise_seed = options.noise_seed;
  header_->max_threads = layout_.max_threads;
  header_->ring_units = layout_.ring_units;
  header_->blocks_offset = layout_.blocks_offset;
  header_->modules_offset = layout_.modules_offset;
  header_->max_modules = layout_.max_modules;
  header_->flags_area_offset = layout_.flags_area_offset;
  header_->flags_area_size = layout_.flags_area_size;
  header_->rings_offset = layout_.rings_offset;
  header_->schedule_offset = layout_.schedule_offset;
  header_->unordered_offset = layout_.unordered_offset;
}

SharedLog::~SharedLog() {
  ::munmap(base_, layout_.size);
  ::close(fd_);
}

const UnorderedGranules* SharedLog::unordered_granules() const {
  if (layout_.unordered_offset == 0) return nullptr;
  return reinterpret_cast<const UnorderedGranules*>(base_ + layout_.unordered_offset);
}

log::ThreadBlock& SharedLog::block(std::uint32_t i) const {
  return reinterpret_cast<log::ThreadBlock*>(base_ + layout_.blocks_offset)[i];
}

log::LogUnit* SharedLog::ring(std::uint32_t i) const {
  return reinterpret_cast<log::LogUnit*>(base_ + layout_.rings_offset) +
         std::size_t{i} * layout_.ring_units;
}

const std::vector<SharedLog::LiveThread>& SharedLog::snapshot() {
  // Threads take the lowest free block, and only the reader frees blocks. So a block that was never
  // looked at is not free again once it is taken.
  while (high_water_ < layout_.max_threads &&
         block(high_water_).state.load(std::memory_order_acquire) != log::ThreadState::kFree) {
    ++high_water_;
  }
  live_.clear();
  for (std::uint32_t i = 0; i < high_water_; ++i) {
    const log::ThreadState state = block(i).state.load(std::memory_order_acquire);
    if (state == log::ThreadState::kFree) {
      if (blocks_[i].in_use) throw LogDamage(fmt::format("thread {} is gone", blocks_[i].thread));
      continue;
    }
    live_.push_back(look_at(i, state));
  }
  fence();
  return live_;
}

// Where transactions may be taken back, the part that stays. When the program has ended, that may be
// more than its threads had got round to make visible.
std::uint64_t SharedLog::position_of(log::ThreadBlock& shared) const {
  const bool all = !quiet_ || (ended_ && shared.keeps_back.load(std::memory_order_relaxed) == 0);
  return all ? std::atomic_ref(shared.position).load(std::memory_order_acquire)
             : shared.visible.load(std::memory_order_acquire);
}

void SharedLog::Transactions::add(log::ThreadBlock& block) {
  const auto now = [](std::uint64_t& counter) {
    return std::atomic_ref(counter).load(std::memory_order_relaxed);
  };
  begun += now(block.transactions);
  buffered += now(block.buffered);
  dropped += now(block.dropped);
  kept += now(block.kept);
  contended += now(block.contended);
}

SharedLog::Transactions SharedLog::transactions() const {
  Transactions all = transactions_;
  for (std::uint32_t i = 0; i < high_water_; ++i) {
    if (blocks_[i].in_use) all.add(block(i));
  }
  return all;
}

SharedLog::LiveThread SharedLog::look_at(std::uint32_t i, log::ThreadState state) {
  log::ThreadBlock& shared = block(i);
  const std::uint32_t thread = std::atomic_ref(shared.thread).load(std::memory_order_relaxed);
  const std::uint64_t position = position_of(shared);
  if (!blocks_[i].in_use) admit(i, thread);
  const Block& known = blocks_[i];
  if (thread != known.thread)
    throw LogDamage(fmt::format("thread {} has become {}", known.thread, thread));
  if (position < known.consumed || position - known.consumed > layout_.ring_units ||
      state > log::ThreadState::kEnded) {
    throw LogDamage(fmt::format("thread {} has logged {} units, of which {} are read", thread,
                                position, known.consumed));
  }
  return {.block = i,
          .thread = thread,
          .state = state,
          .position = position,
          .consumed = known.consumed};
}

// Ids are given in order, each to a block that is taken: those that were not seen yet are at most
// as many as there are blocks.
void SharedLog::admit(std::uint32_t i, std::uint32_t thread) {
  if (thread >= thread_count_ + layout_.max_threads)
    throw LogDamage(fmt::format("thread {} after {} others", thread, thread_count_));
  if (thread >= threads_seen_.size()) threads_seen_.resize(std::size_t{thread} + 1);
  if (threads_seen_[thread]) throw LogDamage(fmt::format("thread {} starts again", thread));
  threads_seen_[thread] = true;
  ++thread_count_;
  blocks_[i] = {.in_use = true, .thread = thread, .consumed = 0};
}

void SharedLog::fence() const {
  if (log::kStoresStayInOrder || release_stores_) return;  // acquire loads did it
  ::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

SharedLog::Pieces SharedLog::units(std::uint32_t i, std::uint64_t from, std::uint64_t to) const {
  const std::uint64_t size = layout_.ring_units;
  ISOSAN_CHECK(from <= to && to - from <= size);
  const std::uint64_t begin = from & (size - 1);
  const std::uint64_t until_wrap = size - begin;
  const std::uint64_t count = to - from;
  if (count <= until_wrap) return {{ring(i) + begin, count}, {}};
  return {{ring(i) + begin, until_wrap}, {ring(i), count - until_wrap}};
}

void SharedLog::abandon() {
  constexpr std::uint32_t kNoProcess = 0x7fffffff;  // no process has so high an id
  std::atomic_ref(header_->reader_pid).store(kNoProcess, std::memory_order_relaxed);
}

bool SharedLog::log_open_walks() {
  bool any = false;
  for (const LiveThread& thread : live_) {
    const log::ThreadBlock& shared = block(thread.block);
    if (thread.state != log::ThreadState::kLive || shared.open_walks == 0) continue;
    if (quiet_ && shared.keeps_back.load(std::memory_order_relaxed) != 0) continue;
    log_open_walks_of(thread.block);
    any = true;
  }
  return any;
}

// An incomplete unit, whose extension was never written, is overwritten.
void SharedLog::log_open_walks_of(std::uint32_t i) {
  log::ThreadBlock& b = block(i);
  std::uint64_t position = blocks_[i].consumed;
  log::for_each_open_walk(b, [&](const log::Walk& shared) {
    log::Walk walk;
    std::memcpy(static_cast<void*>(&walk), &shared, sizeof walk);
    log::LogUnit units[log::kWalkUnits];
    const std::uint64_t count = log::units_of(walk, units);
    for (std::uint64_t j = 0; j < count; ++j) {
      ring(i)[position++ & (layout_.ring_units - 1)] = units[j];
    }
  });
  b.open_walks = 0;
  b.position = position;
}

void SharedLog::consume(std::uint32_t i, std::uint64_t to) {
  blocks_[i].consumed = to;
  block(i).consumed.store(to, std::memory_order_release);
}

void SharedLog::free_block(std::uint32_t i) {
  log::ThreadBlock& b = block(i);
  blocks_[i] = {};
  transactions_.add(b);
  std::atomic_ref(b.position).store(0, std::memory_order_relaxed);
  b.visible.store(0, std::memory_order_relaxed);
  b.consumed.store(0, std::memory_order_relaxed);
  const std::uint64_t bytes = std::uint64_t{layout_.ring_units} * sizeof(log::LogUnit);
  if (i >= 32) {  // keep the rings of the first threads warm, give the memory of the others back
    ::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                static_cast<off_t>(layout_.rings_offset + std::uint64_t{i} * bytes),
                static_cast<off_t>(bytes));
  }
  b.state.store(log::ThreadState::kFree, std::memory_order_release);
}

}  // namespace isosan
