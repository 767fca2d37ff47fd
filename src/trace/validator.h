// Refuses ill-formed traces: a stage between a reader and the analyses.
//
// Ill-formed is: a release of a lock that the thread does not hold; an acquire of a lock that
// another thread holds (shared holders exclude exclusive ones only); an end without a begin; a fork
// of a thread that has run or was forked already; an event of a thread after a join of it; a trace
// without events. Freeing or allocating memory forgets the locks in it.
//
// Strict: the events before the first ill-formed one are handed out, then next() throws an
// InputError that says where, which thread and what. Lenient: the ill-formed event is left out and
// counted. Reads and writes cost one compare with the thread of the event before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/input_error.h"
#include "trace/trace_source.h"

namespace isosan {

class Validator final : public TraceSource {
 public:
  Validator(std::unique_ptr<TraceSource> source, const TraceOptions& options);

  std::span<const Event> next() override;
  const Tables& tables() const override { return source_->tables(); }
  std::string where(std::size_t i) const override;
  TraceFormat format() const override { return source_->format(); }
  ReadProgress progress() const override { return source_->progress(); }
  PassedOver passed_over() const override;

 private:
  enum class Life : std::uint8_t { kUnseen, kForked, kRunning, kJoined };
  struct ThreadState {
    Life life = Life::kUnseen;
    std::uint32_t open_regions = 0;
  };
  struct LockState {
    ThreadId owner{};
    std::uint32_t exclusive = 0;   // how often `owner` holds it
    std::vector<ThreadId> shared;  // one entry per shared acquire
  };

  // What is wrong with the event, if anything; otherwise takes note of it.
  std::optional<std::string> check(const Event& e);
  std::optional<std::string> check_thread(ThreadId thread);
  std::optional<std::string> check_acquire(const Event& e);
  std::optional<std::string> check_release(const Event& e);
  std::optional<std::string> check_fork(const Event& e);
  void forget_locks(Address address, std::uint64_t size);
  std::size_t first_ill_formed(std::span<const Event> batch, std::string& problem);
  std::span<const Event> without_ill_formed(std::span<const Event> batch, std::size_t first,
                                            const std::string& problem);
  std::string describe(std::size_t i, const Event& e, const std::string& problem) const;
  std::string name_of_thread(ThreadId thread) const;
  std::string name_of_lock(Address lock) const;
  ThreadState& state_of(ThreadId thread) {
    if (index(thread) >= threads_.size()) threads_.resize(index(thread) + 1);
    return threads_[index(thread)];
  }

  std::unique_ptr<TraceSource> source_;
  bool lenient_;
  std::vector<ThreadState> threads_;
  absl::flat_hash_map<Address, LockState> locks_;  // those that are held
  ThreadId current_{~std::uint32_t{0}};            // thread of the last event, known to be running
  bool any_ = false;
  std::vector<Event> kept_;           // lenient: the batch without what was left out
  std::vector<std::size_t> indices_;  // of kept_ in the source's batch
  bool filtered_ = false;             // the last batch handed out is kept_
  std::optional<InputError> error_;
  PassedOver passed_over_;
};

}  // namespace isosan
