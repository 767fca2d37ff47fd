// Unordered granules (singletrack): which memory changes hands between threads without
// synchronization that is the same in every schedule, or that singletrack checks.
//
// A granule that one thread takes from another, one of the two to write, is put into a table that
// the isosan process reads (contract/unordered_granules.h), unless the thread comes after the other
// by synchronization. Clocks are moved only by locks, fork, join, barriers and once; not by data,
// conditions, semaphores or atomics. The analysis looks at every granule in the table, so the table
// is kept small: for words that are only read, the last writer is kept beside the shadow
// (shadow/granule_tags.h), and so is the thread that read them before they were read-shared.
// Law: a granule that is in the table by mistake costs time; a missing one would hide a race.
#pragma once

#include "runtime/contract/unordered_granules.h"
#include "runtime/ownership/words.h"

namespace isosan::rt {

Mode unordered_mode(UnorderedGranules& table);

// What locksets need, too: modes/locksets.cc.
namespace unordered {

// What the mode keeps of a thread. Modes that build on this one begin theirs with it.
struct PerThread {
  // Per slot: the last epoch that this thread comes after by a marker for data.
  std::uint64_t* data_seen = nullptr;
};
inline PerThread& of(const Thread& t) { return *static_cast<PerThread*>(t.of_mode); }
void begin(PerThread& state, Thread& t, const Thread* parent);
void end(PerThread& state);

extern UnorderedGranules* g_table;

void take_order_of_data(Thread& t, Slot& other);
bool comes_after_tag(const Thread& t, Word tag);                   // of granule_tags.h
bool comes_after_readers(const Thread& t, std::uint64_t address);  // of a read-shared word
// Of a read-shared word, or one exclusive to another.
bool comes_after_writer(const Thread& t, std::uint64_t address, Word before);
void keep_writer(std::uint64_t address, Word before);
void order_after_writer(Thread& t, std::uint64_t address);
Word share(Thread& t, std::uint64_t address, Word before);
std::uint64_t read_together(Thread& t, std::uint64_t address, std::uint64_t count);
void add_all();

}  // namespace unordered
}  // namespace isosan::rt
