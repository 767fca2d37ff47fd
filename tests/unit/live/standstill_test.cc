#include "live/standstill.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace isosan {
namespace {

using std::chrono::milliseconds;

std::array<pthread_mutex_t, 2> locks = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};
pthread_barrier_t both_hold_one;
int said[2];   // a pipe: the child says that it has come so far
int asked[2];  // a pipe that nobody writes to

void say_ready() { [[maybe_unused]] const auto written = ::write(said[1], "x", 1); }

void* lock_both(void* argument) {
  const auto first = *static_cast<std::size_t*>(argument);
  ::pthread_mutex_lock(&locks[first]);
  ::pthread_barrier_wait(&both_hold_one);
  ::pthread_mutex_lock(&locks[1 - first]);
  return nullptr;
}

void* wait_for_input(void*) {
  char byte;
  [[maybe_unused]] const auto got = ::read(asked[0], &byte, 1);
  return nullptr;
}

// Two threads wait for each other's lock, and the third for their end.
void deadlock() {
  static std::size_t numbers[] = {0, 1};
  ::pthread_barrier_init(&both_hold_one, nullptr, 2);
  std::array<pthread_t, 2> threads;
  for (std::size_t i = 0; i < 2; ++i)
    ::pthread_create(&threads[i], nullptr, lock_both, &numbers[i]);
  say_ready();
  for (const pthread_t thread : threads) ::pthread_join(thread, nullptr);
}

void deadlock_beside_a_reader() {
  pthread_t reader;
  ::pthread_create(&reader, nullptr, wait_for_input, nullptr);
  deadlock();
}

void deadlock_with_a_handler() {
  ::signal(SIGALRM, [](int) {});
  deadlock();
}

void deadlock_with_a_handler_of_the_terminal() {
  ::signal(SIGINT, [](int) {});
  deadlock();
}

void wait_with_a_limit() {
  timespec end;
  ::clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 1000;
  ::pthread_mutex_lock(&locks[0]);
  say_ready();
  ::pthread_mutex_timedlock(&locks[0], &end);
}

// A process that runs the program; it ends with the test.
class Process {
 public:
  explicit Process(void (*program)()) {
    EXPECT_EQ(::pipe(said), 0);
    EXPECT_EQ(::pipe(asked), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      program();
      ::_exit(0);
    }
    char byte;
    EXPECT_EQ(::read(said[0], &byte, 1), 1);
  }
  ~Process() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    for (const int fd : {said[0], said[1], asked[0], asked[1]}) ::close(fd);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

void expect_reached(void (*program)()) {
  const Process process(program);
  Standstill standstill(process.pid(), milliseconds(0));
  while (!standstill.reached()) {
  }
}

// Sleep states that last for ever are there after a few looks; a thousand have all of them.
void expect_never_reached(void (*program)()) {
  const Process process(program);
  Standstill standstill(process.pid(), milliseconds(0));
  for (int look = 0; look < 1000; ++look) ASSERT_FALSE(standstill.reached());
}

TEST(Standstill, ThreadsThatWaitForEachOtherAreOne) { expect_reached(deadlock); }

TEST(Standstill, AHandlerOfTheTerminalWakesNobody) {
  expect_reached(deadlock_with_a_handler_of_the_terminal);
}

TEST(Standstill, AThreadThatWaitsForInputMayGoOn) {
  expect_never_reached(deadlock_beside_a_reader);
}

TEST(Standstill, AHandlerOfATimerMayWakeThem) { expect_never_reached(deadlock_with_a_handler); }

TEST(Standstill, AWaitWithALimitEnds) { expect_never_reached(wait_with_a_limit); }

TEST(Standstill, AProcessThatIsGoneIsNone) {
  pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  Standstill standstill(gone, milliseconds(0));
  for (int look = 0; look < 10; ++look) EXPECT_FALSE(standstill.reached());
}

}  // namespace
}  // namespace isosan
