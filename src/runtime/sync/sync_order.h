// What threads leave at a synchronization object, and the order it gives. Private to sync.cc.
//
// Law of shared locks. W changes only while the lock is held exclusively, and the version changes
// with it. So a thread that holds the lock shared, and has observed the W of this version before,
// comes after everything that it has to, and does not lock the object. A thread that releases the
// lock does not lock the object either, if it has released it before in this version with the clock
// that it has now: only its own epoch and position are new. They are in a cell that no other thread
// writes.
#pragma once

#include "runtime/sync/sync_objects.h"

namespace isosan::rt {

// The thread comes after this. True: a marker was written.
bool come_after(Thread& t, const Contribution& left, bool moves_clock);

// With the object locked. True: a marker was written.
bool observe_w(Thread& t, const SyncObject& object, bool moves_clock);
bool observe_r(Thread& t, const SyncObject& object, bool moves_clock);
// The thread's next event stands behind the last operation of the object in the log; and that event
// is the last one.
void stand_behind_last(Thread& t, const SyncObject& object);
void become_last(const Thread& t, SyncObject& object);
void set_w(const Thread& t, SyncObject& object);
void join_r(Thread& t, SyncObject& object);

// Of a lock that this thread holds shared, without locking the object. has_observed_w: is there
// nothing left to observe? The other: is the thread in R with this clock? Then its entry gets the
// current epoch.
bool has_observed_w(Thread& t, std::uint64_t lock);
bool join_r_again(Thread& t, std::uint64_t lock);
// Called after observe_w: records that observing again would do nothing.
void remember_observed_w(Thread& t, SyncObject& object);

}  // namespace isosan::rt
