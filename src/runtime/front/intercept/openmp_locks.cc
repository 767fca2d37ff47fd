// OpenMP: critical sections and locks are locks. Combining the parts of a reduction is publish and
// observe: the parts commute, so their order is taken to make no difference (singletrack.md).
#include "runtime/front/intercept/openmp.h"

namespace isosan::rt {
namespace {

void acquired(const void* lock, std::uint64_t place) {
  if (Thread* t = observed()) {
    RuntimeScope scope(t);
    lock_acquired(*t, address_of(lock), LockMode::kExclusive, place);
  }
}

void releasing(const void* lock, std::uint64_t place) {
  if (Thread* t = observed()) {
    RuntimeScope scope(t);
    lock_releasing(*t, address_of(lock), place);
  }
}

char critical_section, reduction;  // the ones without a name

// libomp calls it from inside __kmpc_reduce, on other members' parts.
using Combine = void (*)(void*, void*);
constinit thread_local Combine own_combine [[gnu::tls_model("initial-exec")]] = nullptr;
constinit thread_local void* own_reduction [[gnu::tls_model("initial-exec")]] = nullptr;
constinit thread_local Thread* own_thread [[gnu::tls_model("initial-exec")]] = nullptr;
void combine(void* left, void* right) {
  Thread* t = own_thread;
  if (t != nullptr) unpark(*t);
  log_sync(Kind::kObserve, own_reduction, 0);
  own_combine(left, right);
  log_sync(Kind::kPublish, own_reduction, 0);
  if (t != nullptr) park(*t);
}

template <class Real>
int reduce(Combine f, void* lock, std::uint64_t place, Real real_reduce) {
  own_combine = f;
  own_reduction = lock;
  own_thread = observed();
  log_sync(Kind::kPublish, lock, place);
  int method;
  {
    InLibrary library(own_thread);
    method = real_reduce(combine);
  }
  log_sync(Kind::kObserve, lock, place);
  return method;
}

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;
using isosan::Kind;

#define ENTER(name, parameters, call, lock) \
  ISOSAN_EXPORT void name parameters {      \
    {                                       \
      InLibrary library(observed());        \
      real.name call;                       \
    }                                       \
    acquired(lock, ISOSAN_CALLER);          \
  }
#define LEAVE(name, parameters, call, lock) \
  ISOSAN_EXPORT void name parameters {      \
    releasing(lock, ISOSAN_CALLER);         \
    InLibrary library(observed());          \
    real.name call;                         \
  }
ENTER(GOMP_critical_start, (), (), &critical_section)
LEAVE(GOMP_critical_end, (), (), &critical_section)
ENTER(GOMP_critical_name_start, (void** lock), (lock), lock)
LEAVE(GOMP_critical_name_end, (void** lock), (lock), lock)
ENTER(omp_set_lock, (void* lock), (lock), lock)
LEAVE(omp_unset_lock, (void* lock), (lock), lock)
ENTER(__kmpc_critical, (void* at, int thread, void* lock), (at, thread, lock), lock)
ENTER(__kmpc_critical_with_hint, (void* at, int thread, void* lock, unsigned hint),
      (at, thread, lock, hint), lock)
LEAVE(__kmpc_end_critical, (void* at, int thread, void* lock), (at, thread, lock), lock)
ISOSAN_EXPORT int omp_test_lock(void* lock) {
  int got;
  {
    InLibrary library(observed());
    got = real.omp_test_lock(lock);
  }
  if (got != 0) {
    acquired(lock, ISOSAN_CALLER);
  } else if (Thread* t = observed()) {
    RuntimeScope scope(t);
    lock_tried_in_vain(*t, address_of(lock), ISOSAN_CALLER);
  }
  return got;
}

// gcc: the parts of a reduction that no atomic instruction combines.
ISOSAN_EXPORT void GOMP_atomic_start() {
  {
    InLibrary library(observed());
    real.GOMP_atomic_start();
  }
  log_sync(Kind::kObserve, &reduction, ISOSAN_CALLER);
}
ISOSAN_EXPORT void GOMP_atomic_end() {
  log_sync(Kind::kPublish, &reduction, ISOSAN_CALLER);
  InLibrary library(observed());
  real.GOMP_atomic_end();
}

ISOSAN_EXPORT int __kmpc_reduce(void* at, int thread, int count, std::size_t size, void* data,
                                void (*f)(void*, void*), void* lock) {
  return reduce(f, lock, ISOSAN_CALLER, [&](auto* g) {
    return real.__kmpc_reduce(at, thread, count, size, data, g, lock);
  });
}
ISOSAN_EXPORT int __kmpc_reduce_nowait(void* at, int thread, int count, std::size_t size,
                                       void* data, void (*f)(void*, void*), void* lock) {
  return reduce(f, lock, ISOSAN_CALLER, [&](auto* g) {
    return real.__kmpc_reduce_nowait(at, thread, count, size, data, g, lock);
  });
}
ISOSAN_EXPORT void __kmpc_end_reduce(void* at, int thread, void* lock) {
  log_sync(Kind::kPublish, lock, ISOSAN_CALLER);
  {
    InLibrary library(observed());
    real.__kmpc_end_reduce(at, thread, lock);  // a barrier
  }
  log_sync(Kind::kObserve, lock, ISOSAN_CALLER);
}
ISOSAN_EXPORT void __kmpc_end_reduce_nowait(void* at, int thread, void* lock) {
  log_sync(Kind::kPublish, lock, ISOSAN_CALLER);
  InLibrary library(observed());
  real.__kmpc_end_reduce_nowait(at, thread, lock);
}
