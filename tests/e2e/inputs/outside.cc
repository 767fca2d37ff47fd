// Threads that wait for descriptors; correct in every schedule.
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>

int shared;
volatile int work[8];

// The main thread works, then writes what the other one reads.
void pipes(bool by_libc) {
  int ends[2];
  if (pipe(ends) != 0) return;
  std::thread reader([&] {
    char byte = 0;
    const long n = by_libc ? read(ends[0], &byte, 1) : syscall(SYS_read, ends[0], &byte, 1);
    shared = shared + static_cast<int>(n);
  });
  for (int i = 0; i < 1000; ++i) work[i % 8] = i;
  const char byte = 1;
  if (write(ends[1], &byte, 1) != 1) return;
  reader.join();
  std::printf("read %d\n", shared);
}

// Two threads hand a token round, by epoll, poll, send and recv; then a child process is waited
// for.
void tokens() {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
  const int event = eventfd(0, 0), poller = epoll_create1(0);
  epoll_event wanted{EPOLLIN, {}};
  epoll_ctl(poller, EPOLL_CTL_ADD, event, &wanted);
  std::thread one([&] {
    for (int i = 0; i < 5; ++i) {
      epoll_event got{};
      std::uint64_t count = 0;
      if (epoll_wait(poller, &got, 1, -1) != 1 || read(event, &count, 8) != 8) return;
      shared = shared + 1;
      if (send(pair[0], &count, 1, 0) != 1) return;
    }
  });
  std::thread other([&] {
    for (int i = 0; i < 5; ++i) {
      const std::uint64_t count = 1;
      if (write(event, &count, 8) != 8) return;
      pollfd wanted_token{pair[1], POLLIN, 0};
      char token;
      if (poll(&wanted_token, 1, -1) != 1 || recv(pair[1], &token, 1, 0) != 1) return;
    }
  });
  one.join();
  other.join();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  std::printf("tokens %d\n", shared);
}

// A handler ends the wait. The child knows by /proc that its parent waits.
sem_t posted;
void waits_for_handler() {
  sem_init(&posted, 0, 0);
  signal(SIGUSR1, [](int) { sem_post(&posted); });
  const pid_t child = fork();
  if (child == 0) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/syscall", getppid());
    for (long number = -1; number != SYS_futex;) {
      std::FILE* file = std::fopen(path, "r");
      if (file == nullptr || std::fscanf(file, "%ld", &number) != 1) number = -1;
      if (file != nullptr) std::fclose(file);
    }
    kill(getppid(), SIGUSR1);
    _exit(0);
  }
  while (sem_wait(&posted) != 0) {
  }
  std::puts("posted");
}

int main(int, char** argv) {
  if (std::strcmp(argv[1], "pipes") == 0) pipes(true);
  if (std::strcmp(argv[1], "raw") == 0) pipes(false);
  if (std::strcmp(argv[1], "tokens") == 0) tokens();
  if (std::strcmp(argv[1], "handler") == 0) waits_for_handler();
}
