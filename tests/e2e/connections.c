// What a thread does before it connects, or sends, comes before what another does after it has accepted, read, or found out
// that there is something to read. Without that, it is a race.
// RUN: %cc %s %steps -o %t
// RUN: for how in tcp unix; do for until in accept read poll epoll; do %isosan run --analysis fasttrack -- %t $how $until || exit 1; done; done
// RUN: for how in tcp unix; do %exits 66 %isosan run --analysis fasttrack -- %t $how nothing 2>&1 | FileCheck %s; done
// CHECK: data race
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "steps.h"

static union {
  struct sockaddr any;
  struct sockaddr_in in;
  struct sockaddr_un un;
} address;
static socklen_t length;
static int value, late;

static void* client(void* unused) {
  const int fd = socket(address.any.sa_family, SOCK_STREAM, 0);
  if (!late) value = 42;
  if (connect(fd, &address.any, length) != 0) return unused;
  if (late) await_step(1);
  if (late) value = 42;
  (void)!send(fd, "x", 1, 0);
  next_step();
  await_step(3);
  close(fd);
  return unused;
}

static int listening(const char* how) {
  address.any.sa_family = how[0] == 't' ? AF_INET : AF_UNIX;
  address.in.sin_addr.s_addr = how[0] == 't' ? htonl(INADDR_LOOPBACK) : 0;
  const int fd = socket(address.any.sa_family, SOCK_STREAM, 0);
  length = how[0] == 't' ? sizeof address.in : sizeof(sa_family_t);  // the kernel chooses a port, a name
  bind(fd, &address.any, length);
  length = sizeof address;
  getsockname(fd, &address.any, &length);
  listen(fd, 1);
  return fd;
}

static void await_message(int fd, const char* until) {
  char byte;
  struct pollfd one = {fd, POLLIN, 0};
  struct epoll_event event = {EPOLLIN, {0}};
  const int epoll = epoll_create1(0);
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
  next_step();
  if (strcmp(until, "read") == 0) (void)!read(fd, &byte, 1);
  if (strcmp(until, "poll") == 0) poll(&one, 1, -1);
  if (strcmp(until, "epoll") == 0) epoll_wait(epoll, &event, 1, -1);
  await_step(2);
}

int main(int count, char** arguments) {
  pthread_t thread;
  const int listener = listening(arguments[1]);
  late = strcmp(arguments[count - 1], "accept") != 0;
  pthread_create(&thread, 0, client, 0);
  const int fd = accept(listener, 0, 0);
  await_message(fd, arguments[count - 1]);
  const int got = value;
  next_step();
  pthread_join(thread, 0);
  return got != 42;
}
