// Random programs of units of work, interpreted by threads whose order is the same in every run; some have locks, some barriers that
// wait for nobody else. The live verdict is that of a full recording, which holds every access. The long numbers have no cycle but
// such that lead through two units of one thread.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: for program in $(seq 1 12) 5710 13139 15763 18876 26928 32373 34145 37931 40099 40305 41928 87540 '5 inside' '7 inside' '18876 inside' '40305 inside' \
// RUN:     '1 barriers' '2 barriers' '3 barriers' '1569 barriers' '1714 barriers' '2072 barriers'; do \
// RUN:   echo $program >> %t.live; echo $program >> %t.recorded; \
// RUN:   { timeout 60 %isosan run --analysis marathon -- %t $program 2>&1; test $? = 0 -o $? = 66; } | grep -oE 'units of work on [A-Za-z]+ are not' | sort -u >> %t.live; \
// RUN:   timeout 60 %isosan record -o %t.trace -- %t $program; \
// RUN:   { %isosan check --analysis marathon %t.trace; test $? = 0 -o $? = 66; } | grep -oE 'units of work on [A-Za-z]+ are not' | sort -u >> %t.recorded; \
// RUN: done
// RUN: diff %t.recorded %t.live
// RUN: grep -c 'are not' %t.live | FileCheck --check-prefix=SOME %s
// SOME: {{[1-9][0-9]}}
#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "steps.h"

constexpr std::uint32_t kThreads = 3, kFields = 5;
inline int steps(std::uint32_t seed) { return 20 + static_cast<int>(seed % 50); }

// What the step is: made of the seed alone, so that nothing is accessed to know it. A thread makes several steps in a row,
// more or fewer by the seed; so units are sometimes alone, and sometimes not.
enum class What { kRead, kWrite, kCall, kEnd };
struct Step {
  std::uint32_t thread;
  What what;
  std::uint32_t object, field;
  bool locks;  // around it; nobody else is in the way, since steps come one after the other
};
inline std::uint32_t random(std::uint32_t seed, std::uint32_t i) {
  std::uint64_t x = (seed * 1000003ull + i) * 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
  return static_cast<std::uint32_t>(x >> 32);
}
inline Step step_at(std::uint32_t seed, int step) {
  const auto i = static_cast<std::uint32_t>(step);
  const std::uint32_t in_a_row = 1 + seed % 7, x = random(seed, i);
  const std::uint32_t thread = random(seed + 7777, i / in_a_row) % kThreads;
  const What what = x % 8 < 3 ? What::kRead : x % 8 < 5 ? What::kWrite : x % 8 == 5 ? What::kCall : What::kEnd;
  const bool goes_on = what == What::kEnd && thread == 0 && (x >> 4) % 4 != 0;  // its units are longer
  return {thread, goes_on ? What::kRead : what, (x >> 8) % 3, (x >> 16) % kFields, (x >> 20) % 3 == 0};
}

template <class Object>
int interpret(Object& object, std::uint32_t me, std::uint32_t seed, int i, int depth);

pthread_mutex_t locks[3];
pthread_barrier_t barrier;
bool barriers;
[[gnu::noinline, clang::disable_sanitizer_instrumentation]] bool passes_barrier(std::uint32_t seed, int i) {
  return barriers && random(seed + 99, static_cast<std::uint32_t>(i)) % 6 == 0;
}
struct Fields {
  volatile int fields[kFields] = {};
};
#define CLASS(name)                                                                        \
  class name : public Fields {                                                             \
   public:                                                                                 \
    [[gnu::noinline]] int work(std::uint32_t me, std::uint32_t seed, int i, int depth) {   \
      return interpret(*this, me, seed, i, depth);                                         \
    }                                                                                      \
  };
CLASS(First)
CLASS(Second)
CLASS(Third)
First first;
Second second;
Third third;

inline int call(const Step& step, std::uint32_t me, std::uint32_t seed, int i, int depth) {
  if (step.object == 0) return first.work(me, seed, i, depth);
  if (step.object == 1) return second.work(me, seed, i, depth);
  return third.work(me, seed, i, depth);
}

// The thread's steps from i on until the unit ends; where it stopped.
template <class Object>
[[gnu::always_inline]] inline int interpret(Object& object, std::uint32_t me, std::uint32_t seed, int i, int depth) {
  for (; i < steps(seed); ++i) {
    const Step step = step_at(seed, i);
    if (step.thread != me) continue;
    yield_until_step(i);
    if (passes_barrier(seed, i)) pthread_barrier_wait(&barrier);
    if (step.locks) pthread_mutex_lock(&locks[step.object]);
    if (step.what == What::kRead) (void)object.fields[step.field];
    if (step.what == What::kWrite) object.fields[step.field] = 1;
    if (step.locks) pthread_mutex_unlock(&locks[step.object]);
    next_step();
    if (step.what == What::kEnd) return i + 1;
    if (step.what == What::kCall && depth < 2) i = call(step, me, seed, i + 1, depth + 1) - 1;
  }
  return i;
}

[[gnu::always_inline]] inline void interpret_all(std::uint32_t me, std::uint32_t seed) {
  for (int i = 0; i < steps(seed);) {
    const Step step = step_at(seed, i);
    i = step.thread == me ? call(step, me, seed, i, 0) : i + 1;
  }
}
[[gnu::noinline]] void as_one_unit(std::uint32_t me, std::uint32_t seed) { interpret_all(me, seed); }

int main(int count, char** arguments) {
  const auto seed = static_cast<std::uint32_t>(std::atoi(arguments[1]));
  const bool inside = count > 2 && std::strcmp(arguments[2], "inside") == 0;
  barriers = count > 2 && !inside;
  pthread_barrier_init(&barrier, nullptr, 1);
  std::fprintf(stderr, "seed %u\n", seed);
  const auto units = [=](std::uint32_t me) { interpret_all(me, seed); };  // what a thread starts with is no unit
  const auto one = [=](std::uint32_t me) { as_one_unit(me, seed); };
  const auto thread = [=](std::uint32_t me) { return inside ? std::thread(one, me) : std::thread(units, me); };
  std::thread threads[] = {thread(0), thread(1), thread(2)};
  for (std::thread& each : threads) each.join();
}
