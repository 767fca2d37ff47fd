// Channels: pipes, sockets and eventfds order threads. What is done before a write comes before what
// is done after the read of it. A read waits for other threads, as a semaphore does.
//
// Model: a channel is a synchronization object. A write publishes at it, a read observes it. Both
// ends of a pipe have one inode; those of a socketpair and of a connection are noted when it is
// made; an eventfd is known by its number. Other descriptors (files, terminals, devices) are none.
// Which write a read got is not known: it comes after all of them so far, which is too much order,
// never a false one. In the full mode (hunt, prediction) it only observes: a wait stands for exactly
// one post there.
// To find out that something can be read is as good as to read it. An epoll descriptor does not say
// which descriptor was ready: a write publishes at the last one that its channel was added to, too.
#pragma once

#include <poll.h>

#include <cstdint>

namespace isosan::rt {

struct Thread;

void before_write_to(Thread& t, int fd, std::uint64_t place);
void after_read_from(Thread& t, int fd, std::uint64_t place);

void added_to_epoll(int epoll, int fd);
void after_epoll(Thread& t, int epoll, std::uint64_t place);
void after_poll(Thread& t, const pollfd* fds, nfds_t n, std::uint64_t place);

// Sockets that are connected. The number of a connection is the same at both ends; so is that of the
// address that one end connects to and the other accepts at (sockets.cc).
void note_connection(int fd, std::uint64_t number);
void before_connect_to(Thread& t, std::uint64_t address, std::uint64_t place);
void after_accept_at(Thread& t, std::uint64_t address, std::uint64_t place);

}  // namespace isosan::rt
