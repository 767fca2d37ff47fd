// A transaction with its vector clock, and references to it that turn dead when it is retired.
//
// Model: the clock C of a transaction T has, for each thread, the latest of its transactions that
// reaches T. `open_before` are the threads whose *open* transaction reaches T. A finished
// transaction that no open one reaches can never be part of a cycle: no edge can come into it or
// its predecessors any more. It is *retired* at once, and all references to it turn dead. A
// finished transaction without references cannot get another successor: it is retired as well.
// These are the two collection rules. Both are local, and neither depends on how the edges came
// about (program order included).
//
// Laws: open: C and open_before are exact. Finished and alive: exact after joining the clocks of
// the open transactions in open_before; each of those lists it among its `followers`, and hands
// over its clock when it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/thread_set.h"
#include "base/vector_clock.h"
#include "event/event.h"

namespace isosan::aerodrome {

class TransactionPool;

// Does not keep its transaction alive: an entry of a list that may be out of date.
struct Handle {
  struct Transaction* transaction = nullptr;
  std::uint32_t generation = 0;
};

struct Transaction {
  std::uint32_t generation = 0;  // incremented when it is retired: older handles are dead
  std::uint32_t references = 0;  // live Refs
  TransactionPool* pool = nullptr;

  Epoch name;         // thread and number
  bool open = false;  // of a region, and not ended
  bool grew = false;  // its clock grew while it had followers: they lack that
  RegionId region{};  // kNoRegion: unary
  Where begin;
  VectorClock clock;              // C_t of the paper, kept per transaction
  ThreadSet open_before;          // never its own thread
  std::vector<Handle> followers;  // while open: at least all live transactions that it reaches
  std::size_t compact_at = 0;     // length of `followers` at which dead ones are dropped

  Handle handle() { return {this, generation}; }
};

inline bool is_alive(const Handle& handle) {
  return handle.transaction != nullptr && handle.transaction->generation == handle.generation;
}

class TransactionPool {
 public:
  Transaction& make();
  void retire(Transaction& transaction);  // must not be open

  std::size_t live() const { return live_; }
  std::size_t live_peak() const { return live_peak_; }

 private:
  std::deque<Transaction> transactions_;  // a deque: addresses are stable
  std::vector<Transaction*> free_;
  std::size_t live_ = 0, live_peak_ = 0;
};

// A counted reference. Dead as soon as its transaction is retired.
class Ref {
 public:
  Ref() = default;
  explicit Ref(Transaction& transaction) : handle_(transaction.handle()) {
    ++transaction.references;
  }
  Ref(const Ref& other) : handle_(other.handle_) { retain(); }
  Ref(Ref&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Ref& operator=(const Ref& other) {
    const Handle old = std::exchange(handle_, other.handle_);
    retain();
    release(old);
    return *this;
  }
  Ref& operator=(Ref&& other) noexcept {
    release(std::exchange(handle_, std::exchange(other.handle_, {})));
    return *this;
  }
  ~Ref() { release(handle_); }

  bool alive() const { return is_alive(handle_); }
  bool is_none() const { return handle_.transaction == nullptr; }
  Transaction* get() const { return alive() ? handle_.transaction : nullptr; }
  // The same transaction, dead or alive.
  bool same_as(const Ref& other) const {
    return handle_.transaction == other.handle_.transaction &&
           handle_.generation == other.handle_.generation;
  }

 private:
  void retain() const {
    if (alive()) ++handle_.transaction->references;
  }
  static void release(const Handle& handle) {
    if (!is_alive(handle)) return;
    Transaction& transaction = *handle.transaction;
    if (--transaction.references == 0 && !transaction.open) transaction.pool->retire(transaction);
  }

  Handle handle_;
};

}  // namespace isosan::aerodrome
