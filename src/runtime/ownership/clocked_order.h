// How data orders threads in most modes: by the clock. A marker that is written for data raises the
// clock, as synchronization does. These are hooks of thread/mode.h.
#pragma once

#include "runtime/ownership/read_shared.h"

namespace isosan::rt::clocked {

bool take(Thread& t, std::uint64_t address, Word before, Word after, Need need);
void order_after_owner(Thread& t, std::uint64_t address, Word before, bool plain);
void order_after_readers(Thread& t, const Granules& granules, std::uint64_t counter);
bool order_after_writers(Thread& t, std::uint64_t address, Word before);
Word share(Thread& t, std::uint64_t address, Word before);

}  // namespace isosan::rt::clocked
