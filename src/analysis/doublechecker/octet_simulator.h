// Octet, driven by a linear trace: which transactions an access or a synchronization comes after,
// imprecisely (Fig. 4). For traces without the runtime's markers.
//
// Model: an Octet state (octet.h) per 8-byte granule and per synchronization object; acquire-like
// operations are reads, release-like ones writes (section 3.2.2). The dependences that a transition
// needs are collected in sources(). The caller adds the edges and then passes the event's
// transaction to set_transaction().
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/doublechecker/dependence_graph.h"
#include "analysis/doublechecker/octet.h"
#include "base/byte_map.h"
#include "event/ids.h"

namespace isosan::icd {

class OctetSimulator {
 public:
  void access(ThreadId thread, Address address, std::uint64_t size, bool write);
  void synchronize(ThreadId thread, Address object, bool write);
  // The bytes are new objects. A granule that is covered only in part keeps its state: imprecise,
  // and sound.
  void renew(Address address, std::uint64_t size);

  void come_after(TxId tx) { sources_.push_back(tx); }

  // The transactions that the current event comes after.
  const std::vector<TxId>& sources() const { return sources_; }
  // The current event belongs to `tx`, its thread's latest transaction.
  void set_transaction(ThreadId thread, TxId tx);
  void set_current(ThreadId thread, TxId tx) { of(thread).current = tx; }
  TxId current(ThreadId thread) { return of(thread).current; }

 private:
  struct ThreadState {
    TxId current = kNoTx;          // currTX: the open one, or else the last one
    TxId last_rdex = kNoTx;        // T.lastRdEx
    std::uint64_t rdsh_known = 0;  // T.rdShCnt
  };
  ThreadState& of(ThreadId thread) {
    while (index(thread) >= threads_.size()) threads_.emplace_back();
    return threads_[index(thread)];
  }
  void transition(octet::State& state, bool write, ThreadId thread, ThreadState& mine);

  std::deque<ThreadState> threads_;                     // by ThreadId
  ByteMap<octet::State> granules_;                      // always asked for whole granules
  absl::flat_hash_map<Address, octet::State> objects_;  // synchronization objects

  // What the transitions of the current event ask for; emptied by set_transaction().
  std::vector<TxId> sources_;
  bool becomes_rdex_ = false;
  bool becomes_rdsh_ = false;

  TxId last_rdsh_ = kNoTx;        // gLastRdSh
  std::uint64_t rdsh_count_ = 0;  // gRdShCnt
};

}  // namespace isosan::icd
