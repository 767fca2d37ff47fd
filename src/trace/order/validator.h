// Rejects ill-formed traces: a stage between a reader and the analyses.
//
// Ill-formed is: a release of a lock that nobody holds (one that another thread holds is free
// then: glibc's default mutex is used like that); an acquire of a lock that
// another thread holds (shared holders exclude exclusive ones only); an end without a begin; a fork
// of a thread that has run or was forked already; an event of a thread after a join of it; a trace
// without events. Freeing or allocating memory forgets the locks in it. Locks of a quiet recording
// are not checked, and it may be empty (event/quiet_selection.h).
//
// Strict: the events before the first ill-formed one are handed out, then next() throws an
// InputError that says where, which thread and what. Lenient: the ill-formed event is left out and
// counted. A read or a write costs a check of its thread's state, or nothing where the source knows
// which events matter (batch_outline.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/input_error.h"
#include "trace/stream/trace_source.h"

namespace isosan {

class Validator final : public TraceSource {
 public:
  Validator(std::unique_ptr<TraceSource> source, const TraceOptions& options);

  std::span<const Event> next() override;
  const Tables& tables() const override { return source_->tables(); }
  bool keeps_walks() const override { return source_->keeps_walks(); }
  std::string where(std::size_t i) const override;
  TraceFormat format() const override { return source_->format(); }
  ReadProgress progress() const override { return source_->progress(); }
  PassedOver passed_over() const override;

 private:
  enum class Problem : std::uint8_t {
    kNone,
    kHeldByAnother,
    kNotHeld,
    kEndWithoutBegin,
    kForkedBefore,
    kHasRunBefore,
    kJoinedBefore,
  };
  enum class Life : std::uint8_t { kUnseen, kForked, kRunning, kJoined };
  struct ThreadState {
    Life life = Life::kUnseen;
    std::int32_t open_regions = 0;
  };
  struct LockState {
    Address address = kNoLock;
    ThreadId owner{};
    std::uint32_t exclusive = 0;  // how often `owner` holds it
    std::uint32_t shared = 0;     // how often it is held shared; by whom: shared_holders_
    bool listed = false;          // in listed_
  };
  static constexpr Address kNoLock = ~Address{0};

  // What is wrong with the event, if anything; otherwise updates the state.
  Problem check(const Event& e);
  Problem check_rare(const Event& e);
  Problem check_fork(const Event& e);
  Problem check_lock(const Event& e);
  Problem acquire_beside_shared(const Event& e, LockState& lock);
  Problem release_beside_shared(const Event& e, LockState& lock);
  bool starts_or_runs(ThreadId thread);
  void forget_locks(Address address, std::uint64_t size);
  void list(LockState& lock);

  std::size_t first_ill_formed(std::span<const Event> batch, Problem& problem);
  bool all_run(std::span<const std::uint64_t> threads) const;
  std::size_t settle(std::span<const Event> batch, const EdgesAndLocks& positions,
                     Problem& problem);
  std::span<const Event> without_ill_formed(std::span<const Event> batch);
  std::string describe(std::size_t i, const Event& e, Problem problem) const;
  std::string text_of(Problem problem, const Event& e) const;
  std::string name_of_thread(ThreadId thread) const;
  std::string name_of_lock(Address lock) const;

  ThreadState& state_of(ThreadId thread) {
    if (index(thread) >= threads_.size()) threads_.resize(index(thread) + 1);
    return threads_[index(thread)];
  }
  LockState& lock_at(Address address) {
    const std::size_t mask = locks_.size() - 1;
    for (std::size_t i = (address * 0x9e3779b97f4a7c15u) >> lock_shift_;; i = (i + 1) & mask) {
      if (locks_[i].address == address) [[likely]]
        return locks_[i];
      if (locks_[i].address == kNoLock) return add_lock(address, i);
    }
  }
  LockState& add_lock(Address address, std::size_t slot);

  static constexpr int kFirstLockBits = 8;

  std::unique_ptr<TraceSource> source_;
  bool lenient_;
  std::vector<ThreadState> threads_;
  // Locks by address: an open-addressed table, at most a quarter full.
  std::vector<LockState> locks_ = std::vector<LockState>(std::size_t{1} << kFirstLockBits);
  int lock_shift_ = 64 - kFirstLockBits;
  std::size_t lock_count_ = 0;
  absl::flat_hash_map<Address, std::vector<ThreadId>> shared_holders_;  // one per shared acquire
  std::vector<Address> listed_;    // every held lock, and some released ones
  EdgesAndLocks edges_and_locks_;  // first_ill_formed
  ThreadId holder_{};              // with kHeldByAnother: that thread
  bool any_ = false;
  bool is_quiet_ = false;             // the recording
  std::vector<Event> kept_;           // lenient: the batch without what was left out
  std::vector<std::size_t> indices_;  // of kept_ in the source's batch
  std::optional<InputError> error_;
  PassedOver passed_over_;
};

}  // namespace isosan
