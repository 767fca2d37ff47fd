// OpenMP with libgomp (GOMP_*) and libomp (__kmpc_*).
//
// Model: a parallel construct forks its team and joins it. Both libraries keep their threads from
// one construct to the next and wait by raw futex, so the runtime sees neither fork nor join in
// them. Here each member except the master (the thread that executes the construct) is a thread of
// the program: the master forks it before the real call, it starts in the library's thread (which
// is at a safe point meanwhile), and the master joins it after the real call. Barriers are barriers
// of the team. Locks and reductions: openmp_locks.cc. Not supported: tasks, cancellation, doacross,
// more than kMostArguments variables shared by address (libomp). Where one thread runs at a time
// (schedule.h) a team of more than one is refused.
#include "runtime/front/intercept/openmp.h"

#include <cstdarg>
#include <utility>

#include "runtime/platform/os.h"
#include "runtime/platform/pool.h"
#include "runtime/schedule/schedule.h"

namespace isosan::rt {
namespace {

constexpr unsigned kMostMembers = 256;
constexpr int kMostArguments = 128;

struct Member {
  Thread* thread = nullptr;
  Farewell farewell;
  bool ended = false;
};

struct Team {
  Thread* master = nullptr;  // the thread that executes the construct
  void (*body)(void*) = nullptr;
  void* data = nullptr;
  unsigned count = 0;  // members beside the master
  Member members[kMostMembers];
};

constinit thread_local Team* own_team [[gnu::tls_model("initial-exec")]] = nullptr;
constinit thread_local unsigned pushed_threads [[gnu::tls_model("initial-exec")]] = 0;

// The rest of the library's thread's work in this construct is the member's.
void run_as(Member& member, const Team& team) {
  log::ThreadBlock* outer = __isosan_self;
  auto* pool = reinterpret_cast<Thread*>(outer->runtime);  // null: not observed
  if (pool != nullptr) park(*pool);
  Thread& t = *member.thread;
  {
    RuntimeScope scope(&t);
    start_thread(t);
    log_thread_start(t, reinterpret_cast<std::uint64_t>(team.body));
  }
  team.body(team.data);
  ++t.in_runtime;  // for good: t is gone after end_thread
  poll(t);
  append_event(t.block, Kind::kThreadEnd, 0, 0);
  g_log.header->accesses_seen.fetch_add(t.accesses % 4096, std::memory_order_relaxed);
  member.farewell = say_farewell(t);
  end_thread(t);
  member.ended = true;
  if (pool != nullptr) unpark(*pool);
}

void run_part(void* argument) {
  Team& team = *static_cast<Team*>(argument);
  Team* outer = own_team;
  own_team = &team;
  const auto me = static_cast<unsigned>(real.omp_get_thread_num());
  if (me == 0) {
    unpark(*team.master);
    team.body(team.data);
    park(*team.master);
  } else if (me <= team.count) {
    run_as(team.members[me - 1], team);
  } else {
    team.body(team.data);  // more than were asked for: not seen
  }
  own_team = outer;
}

void fork_members(Thread& t, Team& team, unsigned threads, std::uint64_t place) {
  RuntimeScope scope(&t);
  if (threads == 0) threads = static_cast<unsigned>(real.omp_get_max_threads());
  while (team.count + 1 < threads && team.count < kMostMembers) {
    Thread* child = create_thread(&t);
    if (child == nullptr) break;
    log_fork(t, *child, place);
    team.members[team.count++].thread = child;
  }
}

// A member that the library had no thread for has done nothing.
void join_members(Thread& t, Team& team, std::uint64_t place) {
  RuntimeScope scope(&t);
  for (unsigned i = 0; i < team.count; ++i) {
    Member& member = team.members[i];
    if (!member.ended) {
      append_event(member.thread->block, Kind::kThreadEnd, 0, 0);
      abandon_thread(*member.thread);
    } else {
      log_join(t, member.farewell, place);
    }
  }
  forget_object(address_of(&team));
}

// Runs a construct: `construct(f, data)` is the real one with its body replaced.
template <class Construct>
auto in_team(void (*body)(void*), void* data, unsigned threads, std::uint64_t place,
             Construct construct) {
  Thread* t = observed();
  if (t == nullptr || real.omp_get_thread_num == nullptr) return construct(body, data);
  if (serialized(t)) {
    if (threads != 1 && (threads != 0 || real.omp_get_max_threads() > 1)) {
      refuse_threads(log::LeftBecause::kOpenMp);
    }
    return construct(body, data);
  }
  auto* team = new (pool_allocate(sizeof(Team))) Team;
  team->master = t;
  team->body = body;
  team->data = data;
  fork_members(*t, *team, threads, place);
  struct Rest {
    Thread& t;
    Team* team;
    std::uint64_t place;
    ~Rest() {
      join_members(t, *team, place);
      pool_free(team, sizeof(Team));
    }
  } rest{*t, team, place};
  InLibrary library(t);
  return construct(run_part, team);
}

// libomp hands the shared variables as so many pointers; too many of them do no harm.
struct Microtask {
  void (*body)(int*, int*, ...);
  void* arguments[kMostArguments] = {};

  // Calls `f` with each of them.
  template <class F>
  void hand_to(F f) const {
    [&]<std::size_t... kIndices>(std::index_sequence<kIndices...>) { f(arguments[kIndices]...); }
    (std::make_index_sequence<kMostArguments>());
  }
};
constinit thread_local int* own_numbers[2] [[gnu::tls_model("initial-exec")]] = {};

void run_microtask(void* argument) {
  const Microtask& task = *static_cast<Microtask*>(argument);
  task.hand_to([&](auto... shared) { task.body(own_numbers[0], own_numbers[1], shared...); });
}

void enter_microtask(int* thread, int* bound, void* team) {
  own_numbers[0] = thread;
  own_numbers[1] = bound;
  run_part(team);
}

template <class Real>
void at_barrier(std::uint64_t place, Real wait) {
  const Team* team = own_team;
  if (team == nullptr) return wait();
  std::uint64_t round = 0;
  if (observed() != nullptr) {
    const auto threads = static_cast<unsigned>(real.omp_get_num_threads());
    round = barrier_arrival(address_of(team), threads).round;
  }
  log_sync(Kind::kBarrierArrive, team, place, round);
  {
    InLibrary library(observed());
    wait();
  }
  log_sync(Kind::kBarrierDepart, team, place, round);
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;
using isosan::Kind;

#define PARALLEL(result, name, parameters, call)                               \
  ISOSAN_EXPORT result name parameters {                                       \
    return in_team(f, data, threads, ISOSAN_CALLER,                            \
                   [&](void (*g)(void*), void* d) { return real.name call; }); \
  }
#define LOOP(name)                                                                            \
  PARALLEL(void, name,                                                                        \
           (void (*f)(void*), void* data, unsigned threads, long first, long last, long step, \
            long chunk, unsigned flags),                                                      \
           (g, d, threads, first, last, step, chunk, flags))
#define RUNTIME_LOOP(name)                                                                    \
  PARALLEL(void, name,                                                                        \
           (void (*f)(void*), void* data, unsigned threads, long first, long last, long step, \
            unsigned flags),                                                                  \
           (g, d, threads, first, last, step, flags))
PARALLEL(void, GOMP_parallel, (void (*f)(void*), void* data, unsigned threads, unsigned flags),
         (g, d, threads, flags))
PARALLEL(unsigned, GOMP_parallel_reductions,
         (void (*f)(void*), void* data, unsigned threads, unsigned flags), (g, d, threads, flags))
PARALLEL(void, GOMP_parallel_sections,
         (void (*f)(void*), void* data, unsigned threads, unsigned count, unsigned flags),
         (g, d, threads, count, flags))
LOOP(GOMP_parallel_loop_static)
LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)
RUNTIME_LOOP(GOMP_parallel_loop_runtime)
RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

#define BARRIER(name)                               \
  ISOSAN_EXPORT void name() {                       \
    at_barrier(ISOSAN_CALLER, [] { real.name(); }); \
  }
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)
ISOSAN_EXPORT void __kmpc_barrier(void* at, int thread) {
  at_barrier(ISOSAN_CALLER, [&] { real.__kmpc_barrier(at, thread); });
}

ISOSAN_EXPORT void __kmpc_push_num_threads(void* at, int thread, int threads) {
  pushed_threads = static_cast<unsigned>(threads);
  real.__kmpc_push_num_threads(at, thread, threads);
}

ISOSAN_EXPORT void __kmpc_fork_call(void* at, int count, void (*f)(int*, int*, ...), ...) {
  if (count > kMostArguments)
    die("an OpenMP construct shares more variables than IsoSan can pass on");
  Microtask task{f};
  va_list rest;
  va_start(rest, f);
  for (int i = 0; i < count; ++i) task.arguments[i] = va_arg(rest, void*);
  va_end(rest);
  const unsigned threads = pushed_threads;
  pushed_threads = 0;
  in_team(run_microtask, &task, threads, ISOSAN_CALLER, [&](void (*g)(void*), void* team) {
    if (g == run_part) {
      real.__kmpc_fork_call(at, 1, reinterpret_cast<void (*)(int*, int*, ...)>(enter_microtask),
                            team);
    } else {
      task.hand_to([&](auto... shared) { real.__kmpc_fork_call(at, count, f, shared...); });
    }
  });
}
