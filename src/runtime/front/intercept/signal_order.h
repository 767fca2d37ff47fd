// Signals order threads: what is done before a signal is sent, or its action is set, comes before its
// handler and before what is done after the wait for it. Which signal it was is not known: it comes
// after all of the same number so far, which is too much order, never a false one.
#pragma once

#include <cstdint>

namespace isosan::rt {

struct Thread;

void before_signal(int signal, std::uint64_t place);
void after_signal(Thread& t, int signal, std::uint64_t place);

}  // namespace isosan::rt
