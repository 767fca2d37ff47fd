// Is a process deadlocked: does each of its threads wait for another one of it, for ever?
//
// Model: a thread waits for another one of its process if it sleeps in futex() without a time
// limit, on a word that only this process uses, or on the word that the kernel clears when a thread
// of this process ends (pthread_join). If every thread does, none will ever run again, unless a
// signal handler wakes it. So a process that catches signals of timers or of users is never called
// deadlocked here; one that catches those of a terminal or of its own faults may be.
//
// Law: no false alarm. Threads are looked at one after the other, so one look proves nothing. Between
// two looks with the same threads, each asleep in both and not switched to meanwhile, there was a
// moment at which all of them slept.
//
// Not seen: deadlocks of some of the threads, of several processes, or by anything but futex().
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>

namespace isosan {

class Standstill {
 public:
  explicit Standstill(pid_t process,
                      std::chrono::milliseconds between_looks = std::chrono::milliseconds(200))
      : process_(process), between_looks_(between_looks) {}

  // Looks at the process now and then, however often it is called. True: it was deadlocked at
  // several looks.
  bool reached();

 private:
  // Of each thread, how often it went to sleep. Empty: not every one of them waits for another.
  using Sleepers = std::map<pid_t, std::uint64_t>;
  Sleepers look() const;

  pid_t process_;
  std::chrono::milliseconds between_looks_;
  Sleepers before_;
  int equal_looks_ = 0;
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace isosan
