// Channels: pipes, sockets and eventfds order threads. What is done before a write comes before what
// is done after the read of it. A read waits for other threads, as a semaphore does.
//
// Model: a channel is a synchronization object. A write publishes at it, a read observes it. Both
// ends of a pipe have one inode; those of a socketpair are noted when it is made; an eventfd is
// known by its number. Other descriptors (files, terminals, devices) are none. Which write a read
// got is not known: it comes after all of them so far, which is too much order, never a false one.
// In the full mode (hunt, prediction) it only observes: a wait stands for exactly one post there.
#pragma once

#include <cstdint>

namespace isosan::rt {

struct Thread;

void before_write_to(Thread& t, int fd, std::uint64_t place);
void after_read_from(Thread& t, int fd, std::uint64_t place);

}  // namespace isosan::rt
