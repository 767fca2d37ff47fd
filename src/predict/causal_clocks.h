// Which operations of other threads must come before an operation.
//
// Model. A clock has a number for each thread: so many of its operations come first. The clock of a
// thread changes at operations that wait for others: the first one of a thread (its fork), a join,
// what follows a barrier, the acquire that ends a condition wait, a semaphore wait, a once that was
// seen, an observation. Locks and data give no order here: other schedules may change theirs
// (Penelope 4.2.1 keeps clocks for thread creation and barriers; the rest are orders "as the
// observed run shows them"). Clocks are transitive.
//
// Conditions: a wait that was notified waits for the last notify before it returned; a notify waits
// for the threads that were waiting. Semaphores: the k-th wait waits for the (k - v)-th post, v
// being the least initial value that explains the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/event.h"

namespace isosan::predict {

class CausalClocks {
 public:
  // For every event except accesses and lock operations; `n` operations of the event's thread came
  // before it. A Join's size is the number of operations of the thread joined.
  void take(const Event& event, std::uint32_t n);
  // An outermost acquire, as the operation n of its thread: it may end a condition wait.
  void acquired(std::uint32_t thread, std::uint32_t n);

  // By thread, how many operations must come before the n-th operation of `thread`; a thread
  // that is missing: 0.
  std::span<const std::uint32_t> demands(std::uint32_t thread, std::uint32_t n) const;
  std::uint32_t demand(std::uint32_t thread, std::uint32_t n, std::uint32_t other) const {
    const std::span<const std::uint32_t> all = demands(thread, n);
    return other < all.size() ? all[other] : 0;
  }
  // The first operation from n on at which more is demanded than before it; kNever: none.
  std::uint32_t next_change(std::uint32_t thread, std::uint32_t n) const;
  // The last operation before n at which it is; 0: none.
  std::uint32_t last_change(std::uint32_t thread, std::uint32_t n) const;

  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

 private:
  using Clock = std::vector<std::uint32_t>;  // by thread; missing: 0
  using SharedClock = std::shared_ptr<const Clock>;
  struct Change {
    std::uint32_t at;  // from this operation on
    SharedClock clock;
  };
  struct ThreadClock {
    std::vector<Change> changes;  // ascending
    SharedClock now;              // nullptr: nothing is demanded
    Address condition = 0;        // that it waits on; 0: none
    std::uint32_t wait_begin = 0;
    std::uint32_t woken_at = kNever;  // the acquire that ended the wait
  };
  struct Mark {  // a point of a thread, with all that comes before it
    std::uint32_t thread = 0;
    std::uint32_t count = 0;
    SharedClock clock;
  };
  struct Barrier {
    SharedClock joined;
  };
  struct Condition {
    std::vector<std::uint32_t> waiters;
    Mark last_notify;
    bool notified = false;
  };
  struct Semaphore {
    std::vector<Mark> posts;
    std::uint64_t waits = 0;
    std::uint64_t initial = 0;
  };

  static SharedClock joined(const SharedClock& a, const SharedClock& b);
  static SharedClock with(const SharedClock& clock, std::uint32_t thread, std::uint32_t count);
  SharedClock after(const Mark& mark) const { return with(mark.clock, mark.thread, mark.count); }
  Mark mark(std::uint32_t thread, std::uint32_t count) { return {thread, count, of(thread).now}; }
  void demand_from(std::uint32_t thread, std::uint32_t at, const SharedClock& clock);
  ThreadClock& of(std::uint32_t thread);

  void publish(SharedClock& all, std::uint32_t thread, std::uint32_t n);
  void wait_began(const Event& event, std::uint32_t n);
  void wait_ended(const Event& event, std::uint32_t n);
  void notified(const Event& event, std::uint32_t n);
  void semaphore_wait(const Event& event, std::uint32_t n);

  std::vector<ThreadClock> threads_;
  absl::flat_hash_map<std::pair<Address, std::uint64_t>, Barrier> barriers_;
  absl::flat_hash_map<Address, Condition> conditions_;
  absl::flat_hash_map<Address, Semaphore> semaphores_;
  absl::flat_hash_map<Address, SharedClock> published_;  // once, publish
};

}  // namespace isosan::predict
