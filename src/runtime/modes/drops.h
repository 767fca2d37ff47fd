// Which transactions are dropped: they have ended, and no transaction that is open or kept comes
// before them. They are in no cycle, now or later, because edges of the transaction graph point only
// into the transaction that acts.
//
// Each slot has one Drops. It publishes two epochs: all its transactions in epochs up to
// dropped_until are dropped, and all those in epochs before open_since have ended. A thread that is
// outside of transactions and has nothing kept is *clear*: then both are kAllEpochs. The others are
// decided when somebody asks (resolve): has it ended, and are all that it depends on dropped?
//
// Where a list is full the answer is "not dropped". Then more is logged, and nothing is wrong.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/platform/check.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {

inline constexpr std::uint64_t kAllEpochs = ~std::uint64_t{0};

struct TransactionDependence {
  std::uint64_t own_epoch = 0;  // the first one of the transaction that depends on it
  std::uint64_t epoch = 0;
  std::uint32_t slot = 0;
};
inline constexpr std::uint32_t kMostDependences = 16;

class Drops {
 public:
  std::uint64_t dropped_until() const {
    return dropped_until_.load(std::memory_order_acquire);  // order: drop
  }
  std::uint64_t open_since() const {
    return open_since_.load(std::memory_order_acquire);  // order: drop
  }

  // All below need the slot's lock.
  // The thread is clear.
  void clear() {
    count_ = 0;
    lost_ = false;
    set_open_since(kAllEpochs);
    set_dropped_until(kAllEpochs);
  }
  // A transaction begins, or something is kept from here on. What was clear is dropped before it.
  void open(std::uint64_t epoch) {
    if (dropped_until() == kAllEpochs) set_dropped_until(epoch - 1);
    ISOSAN_DEBUG_CHECK(dropped_until() < epoch);
    set_open_since(epoch);
  }
  // All transactions have ended: the thread goes on elsewhere, or not at all.
  void end_all() { set_open_since(kAllEpochs); }
  // The open transaction depends on this one, in whichever of its epochs that shows: all its epochs
  // are dropped together.
  void add(std::uint32_t slot, std::uint64_t epoch);
  // Those of transactions up to this epoch. False: some are not known.
  bool copy(std::uint64_t epoch, TransactionDependence (&to)[kMostDependences],
            std::uint32_t& count) const;
  void raise(std::uint64_t epoch);

 private:
  void set_dropped_until(std::uint64_t epoch) {
    dropped_until_.store(epoch, std::memory_order_release);  // order: drop
  }
  void set_open_since(std::uint64_t epoch) {
    open_since_.store(epoch, std::memory_order_release);  // order: drop
  }

  std::atomic<std::uint64_t> dropped_until_{0};
  std::atomic<std::uint64_t> open_since_{0};
  TransactionDependence unresolved_[kMostDependences];
  std::uint32_t count_ = 0;
  bool lost_ = false;  // the list was full: until the thread is clear, nothing more is resolved
};

// A full list takes the dependence into one on the same slot: that transaction is then kept for as
// long as the younger one.
inline void Drops::add(std::uint32_t slot, std::uint64_t epoch) {
  const TransactionDependence dependence{open_since(), epoch, slot};
  for (std::uint32_t i = 0; i < count_; ++i) {
    TransactionDependence& known = unresolved_[i];
    const bool same = known.slot == dependence.slot && known.own_epoch == dependence.own_epoch;
    if (!same && (count_ < kMostDependences || known.slot != dependence.slot)) continue;
    if (known.epoch < dependence.epoch) known.epoch = dependence.epoch;
    return;
  }
  if (count_ < kMostDependences) {
    unresolved_[count_++] = dependence;
  } else {
    lost_ = true;
  }
}

inline bool Drops::copy(std::uint64_t epoch, TransactionDependence (&to)[kMostDependences],
                        std::uint32_t& count) const {
  count = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (unresolved_[i].own_epoch <= epoch) to[count++] = unresolved_[i];
  }
  return !lost_;
}

inline void Drops::raise(std::uint64_t epoch) {
  ISOSAN_CHECK(epoch < open_since() || open_since() == kAllEpochs);  // what is open is not dropped
  if (dropped_until() < epoch) set_dropped_until(epoch);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (unresolved_[i].own_epoch > dropped_until()) unresolved_[kept++] = unresolved_[i];
  }
  count_ = kept;
}

// Is the transaction of this slot and epoch dropped? Collects what it depends on, in several steps,
// until there is nothing more. If all of that has ended, all of it is dropped: also transactions
// that are in a cycle with each other, which cannot be in a further one.
//
// `Slots` gives lock(slot) and drops(slot). before_raise() is called where a transaction that was
// kept becomes a dropped one.
template <class Slots>
class Resolver {
 public:
  explicit Resolver(Slots slots) : slots_(slots) {}

  bool is_dropped(std::uint32_t slot, std::uint64_t epoch) {
    if (slots_.drops(slot).dropped_until() >= epoch) return true;
    found_[0] = {epoch, slot, false};
    count_ = 1;
    for (std::uint32_t i = 0; i < count_;) {
      if (found_[i].looked_at) {
        ++i;
      } else if (!look_at(found_[i])) {
        return false;
      } else {
        i = 0;  // one that was looked at may have got a later epoch
      }
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      SpinGuard guard(slots_.lock(found_[i].slot));
      slots_.before_raise();
      slots_.drops(found_[i].slot).raise(found_[i].epoch);
    }
    return true;
  }

 private:
  struct Found {  // all transactions of a slot up to an epoch
    std::uint64_t epoch = 0;
    std::uint32_t slot = 0;
    bool looked_at = false;
  };

  // False: it is open, or there is too much.
  bool look_at(Found& found) {
    found.looked_at = true;
    if (slots_.drops(found.slot).open_since() <= found.epoch) return false;
    TransactionDependence before[kMostDependences];
    std::uint32_t count = 0;
    {
      SpinGuard guard(slots_.lock(found.slot));
      if (!slots_.drops(found.slot).copy(found.epoch, before, count)) return false;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (slots_.drops(before[i].slot).dropped_until() >= before[i].epoch) continue;
      if (!add(before[i].slot, before[i].epoch)) return false;
    }
    return true;
  }

  bool add(std::uint32_t slot, std::uint64_t epoch) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (found_[i].slot != slot) continue;
      if (found_[i].epoch < epoch) found_[i] = {epoch, slot, false};
      return true;
    }
    if (count_ == kMostDependences) return false;
    found_[count_++] = {epoch, slot, false};
    return true;
  }

  Slots slots_;
  Found found_[kMostDependences];
  std::uint32_t count_ = 0;
};

}  // namespace isosan::rt
