// The reader's side of the shared-memory log (runtime/contract/log_format.h): makes the mapping,
// reads it safely.
//
// Law: snapshot() first, then units below the positions it returned may be read. snapshot() is the
// one place that knows how publication works (membarrier, or acquire loads where they are
// enough or the kernel has none).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/contract/log_format.h"
#include "runtime/contract/unordered_granules.h"

namespace isosan {

struct SharedLogOptions {
  log::Mode mode = log::Mode::kLogged;
  bool strict = false;
  bool sync_edges = true;
  bool quiet_outside = false;
  std::uint32_t noise = 0;  // as in the header
  std::uint64_t noise_seed = 0;
  std::uint32_t max_threads = 1024;     // live at one time
  std::uint32_t ring_units = 1u << 16;  // 1 MiB per thread
  std::uint32_t max_modules = 1024;
  std::uint64_t flags_bytes = 16u << 20;  // functions of all modules together
  std::uint64_t schedule_bytes = 0;       // replay and hunt: room for the schedule
  bool units = false;                     // calls are units of work, nothing else is asked for
  bool unordered_granules = false;        // to be told (runtime/contract/unordered_granules.h)
  bool locksets = false;                  // ... those that are shared without an order or a lock
};

class SharedLog {
 public:
  explicit SharedLog(const SharedLogOptions& options);  // throws std::system_error
  ~SharedLog();
  SharedLog(const SharedLog&) = delete;
  SharedLog& operator=(const SharedLog&) = delete;

  struct LiveThread {
    std::uint32_t block = 0;
    std::uint32_t thread = 0;
    log::ThreadState
        state{};  // as it was before the position was read: kEnded means the end is there
    std::uint64_t position = 0;  // units below it may be read
    std::uint64_t consumed = 0;
  };
  // Every block in use, with the positions up to which its ring may be read now.
  const std::vector<LiveThread>& snapshot();

  // The units [from, to) of a block's ring, in at most two pieces.
  struct Pieces {
    std::span<const log::LogUnit> first, second;
  };
  Pieces units(std::uint32_t block, std::uint64_t from, std::uint64_t to) const;

  // The program is gone and the rings are drained: what its threads had gathered (log_walk.h) and
  // not logged yet goes there. False: nothing.
  bool log_open_walks();

  void consume(std::uint32_t block, std::uint64_t to);
  void free_block(
      std::uint32_t block);  // drained after kEnded: the block and its memory may be reused

  int fd() const { return fd_; }
  log::LogHeader& header() const { return *header_; }
  const UnorderedGranules* unordered_granules() const;  // null: not asked for
  std::byte* base() const { return base_; }
  log::ModuleRecord& module(std::uint32_t i) const;
  std::span<std::uint8_t> flags(std::uint64_t offset, std::uint64_t size) const;
  // Into the flags area; where that has no room the runtime is told of none.
  void tell_regions(log::ModuleRecord& record, std::span<const log::RegionRange> regions) const;

 private:
  log::ThreadBlock& block(std::uint32_t i) const;
  log::LogUnit* ring(std::uint32_t i) const;
  void log_open_walks_of(std::uint32_t i);
  void fence() const;

  int fd_ = -1;
  std::size_t size_ = 0;
  std::byte* base_ = nullptr;
  log::LogHeader* header_ = nullptr;
  std::uint32_t high_water_ = 0;  // blocks that were ever in use are below it
  std::vector<LiveThread> live_;
};

}  // namespace isosan
