// OpenMP: loops (schedule(dynamic), schedule(guided)) and sections (libgomp) whose pieces go to
// whichever member of the team asks next. Each piece is an event of the thread that gets it. Not
// seen: schedule(runtime), loops that a team of one executes.
#include "runtime/front/intercept/openmp.h"
#include "runtime/ownership/memory.h"

namespace isosan::rt {
namespace {

struct Stack {
  std::uint64_t low = 0;
  std::uint64_t size = 0;
};
constinit thread_local Stack own_stack [[gnu::tls_model("initial-exec")]];

void find_stack() {
  pthread_attr_t attributes;
  if (own_stack.size != 0 || pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* low = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  own_stack = {address_of(low), size};
}

// Calls the real function, which says whether there is a piece left for this thread.
template <class Real>
auto hand_out(std::uint64_t place, Real real_one) {
  Thread* t = observed();
  decltype(real_one()) found{};
  bool is_shared = false;
  {
    InLibrary library(t);
    found = real_one();
    is_shared = t != nullptr && real.omp_get_num_threads() > 1;
    if (is_shared) find_stack();
  }
  if (is_shared) {
    RuntimeScope scope(t);
    work_handed_out(*t, own_stack.low, found ? own_stack.size : 0, place);
  }
  return found;
}

// libomp: the schedule of the loop that this thread is in. Its numbers for dynamic and guided;
// modifiers are in the high bits.
constexpr int kDynamic = 35, kGuided = 36, kModifiers = 3 << 29;
constinit thread_local bool asks_by_chance [[gnu::tls_model("initial-exec")]] = false;
void note_schedule(int schedule) {
  const int kind = schedule & ~kModifiers;
  asks_by_chance = kind == kDynamic || kind == kGuided;
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

#define HAND_OUT(result, name, parameters, call)                                \
  ISOSAN_EXPORT result name parameters {                                        \
    return hand_out(ISOSAN_CALLER, [&]() -> result { return real.name call; }); \
  }
#define LOOP(kind)                                                                                \
  HAND_OUT(bool, GOMP_loop_##kind##_start,                                                        \
           (long first, long last, long step, long chunk, long* from, long* to),                  \
           (first, last, step, chunk, from, to))                                                  \
  HAND_OUT(bool, GOMP_loop_##kind##_next, (long* from, long* to), (from, to))                     \
  HAND_OUT(bool, GOMP_loop_ull_##kind##_start,                                                    \
           (bool up, unsigned long long first, unsigned long long last, unsigned long long step,  \
            unsigned long long chunk, unsigned long long* from, unsigned long long* to),          \
           (up, first, last, step, chunk, from, to))                                              \
  HAND_OUT(bool, GOMP_loop_ull_##kind##_next, (unsigned long long* from, unsigned long long* to), \
           (from, to))
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)
HAND_OUT(unsigned, GOMP_sections_start, (unsigned count), (count))
HAND_OUT(unsigned, GOMP_sections_next, (), ())

#define DISPATCH(bits, Number, Step)                                                               \
  ISOSAN_EXPORT void __kmpc_dispatch_init_##bits(void* at, int thread, int schedule, Number first, \
                                                 Number last, Step step, Step chunk) {             \
    note_schedule(schedule);                                                                       \
    InLibrary library(observed());                                                                 \
    real.__kmpc_dispatch_init_##bits(at, thread, schedule, first, last, step, chunk);              \
  }                                                                                                \
  ISOSAN_EXPORT int __kmpc_dispatch_next_##bits(void* at, int thread, int* is_last, Number* from,  \
                                                Number* to, Step* step) {                          \
    const auto next = [&] {                                                                        \
      return real.__kmpc_dispatch_next_##bits(at, thread, is_last, from, to, step);                \
    };                                                                                             \
    return asks_by_chance ? hand_out(ISOSAN_CALLER, next) : next();                                \
  }
DISPATCH(4, int, int)
DISPATCH(4u, unsigned, int)
DISPATCH(8, std::int64_t, std::int64_t)
DISPATCH(8u, std::uint64_t, std::int64_t)
