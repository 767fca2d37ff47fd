// The reader's side of the shared-memory log (runtime/contract/log_format.h): makes the mapping,
// reads it safely.
//
// Law: snapshot() first, then units below the positions it returned may be read. snapshot() is the
// one place that knows how publication works (membarrier, or acquire loads where they are
// enough or the kernel has none).
//
// The target is not trusted: it may write anything anywhere in the mapping, at any time. The size
// of the mapping is sealed. Offsets, sizes, and how far each ring was read are kept here and never
// read back. What only the target knows (positions, thread ids, modules) is loaded once and checked
// before it is returned; impossible values throw LogDamage. Units are handed out as they are: a
// caller copies them first, then looks at the copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/input_error.h"
#include "runtime/contract/log_format.h"
#include "runtime/contract/log_layout.h"
#include "runtime/contract/unordered_granules.h"

namespace isosan {

struct SharedLogOptions {
  log::Mode mode = log::Mode::kLogged;
  bool strict = false;
  bool sync_edges = true;
  bool unlogged_outside = false;
  bool arrays_off = false;       // blocks of memory and strided loops are not logged
  bool vtable_pointers = false;  // accesses of them are logged
  std::uint32_t noise = 0;       // as in the header
  std::uint64_t noise_seed = 0;
  std::uint32_t max_threads = 1024;     // live at one time
  std::uint32_t ring_units = 1u << 16;  // 1 MiB per thread
  // Where transactions are taken back, a long one needs room. A shorter one uses the same memory
  // again and again.
  std::uint32_t quiet_ring_units = 1u << 17;
  std::uint32_t max_modules = 1024;
  std::uint64_t flags_bytes = 16u << 20;  // functions of all modules together
  std::uint64_t schedule_bytes = 0;       // replay and hunt: room for the schedule
  bool units = false;                     // calls are units of work, and only those are needed
  bool quiet = false;                     // transactions that can be in no cycle are left out
  bool unordered_granules = false;        // logged (runtime/contract/unordered_granules.h)
  bool locksets = false;                  // ... those that are shared without an order or a lock
};

// The target has overwritten its log with invalid data.
class LogDamage : public InputError {
 public:
  explicit LogDamage(const std::string& what)
      : InputError("the program has written over its log: " + what) {}
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
  // Every block in use, with the positions up to which its ring may be read now. Throws LogDamage.
  // A thread id comes in one block only, and not far beyond those seen so far.
  const std::vector<LiveThread>& snapshot();

  // The units [from, to) of a block's ring, in at most two pieces.
  struct Pieces {
    std::span<const log::LogUnit> first, second;
  };
  Pieces units(std::uint32_t block, std::uint64_t from, std::uint64_t to) const;
  // The program is gone: from the next snapshot on, all that its threads have logged may be read.
  void program_has_ended() { ended_ = true; }
  // Counters of all threads (ThreadBlock::transactions and the next).
  struct Transactions {
    std::uint64_t begun = 0, buffered = 0, dropped = 0, kept = 0, contended = 0;
    void add(log::ThreadBlock& block);
  };
  Transactions transactions() const;
  std::uint64_t threads_seen() const { return thread_count_; }
  // The isosan process stops reading: no thread of the target waits for it any more.
  void abandon();

  // The program has ended and the rings are drained. Appends to the rings what its threads had
  // gathered (log_walk.h) and not logged yet. False: nothing.
  bool log_open_walks();

  void consume(std::uint32_t block, std::uint64_t to);
  void free_block(
      std::uint32_t block);  // drained after kEnded: the block and its memory may be reused

  int fd() const { return fd_; }
  log::LogHeader& header() const { return *header_; }
  const UnorderedGranules* unordered_granules() const;  // null: not logged
  std::byte* base() const { return base_; }
  const log::LogLayout& layout() const { return layout_; }
  std::uint32_t modules_announced() const;  // at most as many as there is room for; or LogDamage
  log::ModuleRecord module(std::uint32_t i) const;  // a copy; its path_length is right
  // Into the flags area, where the record of module `i` says; what lies beyond is left out.
  void send_flags(std::uint32_t i, std::span<const std::uint8_t> flags) const;
  // Into the flags area; if that has no room, the runtime gets none.
  void send_regions(std::uint32_t i, std::span<const log::RegionRange> regions) const;
  void modules_are_answered(std::uint32_t count) const;  // waiting threads go on

 private:
  log::ThreadBlock& block(std::uint32_t i) const;
  log::LogUnit* ring(std::uint32_t i) const;
  void map();
  void write_header(const SharedLogOptions& options);
  log::ModuleRecord& shared_module(std::uint32_t i) const;
  void log_open_walks_of(std::uint32_t i);
  LiveThread look_at(std::uint32_t i, log::ThreadState state);
  void admit(std::uint32_t i, std::uint32_t thread);
  void fence() const;
  std::uint64_t position_of(log::ThreadBlock& block) const;

  // The reader's own state of a block.
  struct Block {
    bool in_use = false;
    std::uint32_t thread = 0;
    std::uint64_t consumed = 0;
  };

  int fd_ = -1;
  log::LogLayout layout_;
  bool release_stores_ = false;
  bool quiet_ = false;
  bool ended_ = false;
  Transactions transactions_;  // of threads that have ended
  std::byte* base_ = nullptr;
  log::LogHeader* header_ = nullptr;
  std::vector<Block> blocks_;
  std::vector<bool> threads_seen_;  // by id
  std::uint64_t thread_count_ = 0;  // of threads seen
  std::uint32_t high_water_ = 0;    // blocks that were ever in use are below it
  std::vector<LiveThread> live_;
};

}  // namespace isosan
