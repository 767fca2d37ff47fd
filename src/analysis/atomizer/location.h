// The state of one location (Fig. 13), 8 bytes: how far it is shared, among whom, under which
// locks.
//
//   fresh -> thread-local(t) -> thread-local (2)(u) -> read-shared -> shared-modified(A, W)
//
// The first access makes it thread-local; a second thread takes it over; a third one, or the first
// again, shares it: a write makes it shared-modified, and so does a read if the second owner has
// written (then it was written and read by several threads); otherwise a read makes it read-shared
// until somebody writes. In shared-modified the candidates start as the locks held at that access;
// a read that enters it leaves W at all locks.
#pragma once

#include <cstdint>

#include "analysis/atomizer/witness_table.h"
#include "event/ids.h"

namespace isosan::atomizer {

enum class Sharing : std::uint8_t {
  kFresh,
  kThreadLocal,
  kThreadLocal2,
  kReadShared,
  kSharedModified,
};

class Location {
 public:
  Sharing sharing() const { return static_cast<Sharing>(bits_ & 7); }

  bool owned_by(ThreadId thread) const { return payload() == index(thread); }
  bool owner_wrote() const { return (bits_ & kWrote) != 0; }
  void note_write() { bits_ |= kWrote; }
  void make_thread_local(Sharing sharing, ThreadId owner, bool wrote) {
    set(sharing, index(owner));
    if (wrote) note_write();
  }
  void make_read_shared() { set(Sharing::kReadShared, 0); }

  PairId candidates() const { return static_cast<PairId>(payload()); }
  void make_shared_modified(PairId candidates) {
    set(Sharing::kSharedModified, static_cast<std::uint32_t>(candidates));
  }

  WitnessId history() const { return history_; }
  void set_history(WitnessId history) { history_ = history; }

 private:
  static constexpr std::uint32_t kWrote = 8;
  std::uint32_t payload() const { return bits_ >> 4; }
  void set(Sharing sharing, std::uint32_t payload) {
    bits_ = static_cast<std::uint32_t>(sharing) | payload << 4;
  }

  std::uint32_t bits_ = 0;  // Sharing (3), the owner wrote (1), ThreadId or PairId (28)
  WitnessId history_ = kNoWitness;
};
static_assert(sizeof(Location) == 8);  // with ByteMap's 8: 16 bytes per shared location

}  // namespace isosan::atomizer
