// The atomic operations of the __tsan_* ABI. The compilers replace the operation by the call, so it
// runs here, while its shadow words are held: the order of the log is the order of the operations.
#include "runtime/contract/fast_path.h"
#include "runtime/front/intercept/intercept.h"
#include "runtime/platform/wide_atomic.h"
#include "runtime/sync/atomic.h"

using namespace isosan::rt;
using isosan::Kind;

namespace isosan::rt {
namespace {

// Runs `operation` with the words held; it returns what kind of event it was, and may add marks
// (kind.h) to the order.
template <class T, class Operation>
[[gnu::always_inline]] inline void atomically(volatile T* p, bool writes, const int& order,
                                              int failed_order, std::uint64_t pc,
                                              Operation operation) {
  Thread* t = current();
  if (t == nullptr) {
    operation();
    return;
  }
  RuntimeScope scope(t);
  HeldWords held;
  hold_words(*t, held, address_of(p), sizeof(T), writes);
  const Kind kind = operation();
  finish_atomic(*t, held, kind,
                static_cast<std::uint8_t>(kind == Kind::kAtomicLoad ? failed_order : order), pc);
}

template <class T>
T load(const volatile T* p, int order, std::uint64_t pc) {
  T value;
  atomically(const_cast<volatile T*>(p), false, order, order, pc, [&] {
    value = wide::load(p);
    return Kind::kAtomicLoad;
  });
  return value;
}

template <class T>
void store(volatile T* p, T value, int order, std::uint64_t pc) {
  atomically(p, true, order, order, pc, [&] {
    wide::exchange(p, value);
    return Kind::kAtomicStore;
  });
}

// compute: the new value from the old one.
template <class T, class Compute>
T update(volatile T* p, int order, std::uint64_t pc, Compute compute) {
  T old;
  atomically(p, true, order, order, pc, [&] {
    old = wide::load(p);
    while (!wide::compare_exchange(p, &old, static_cast<T>(compute(old)))) {
    }
    if (compute(old) == old) order |= isosan::kUnchanged;
    return Kind::kAtomicRmw;
  });
  return old;
}

template <class T>
bool compare_exchange(volatile T* p, T* expected, T desired, int order, int failed_order,
                      std::uint64_t pc) {
  bool done;
  atomically(p, true, order | kCompareExchange, failed_order | kCompareExchange, pc, [&] {
    done = wide::compare_exchange(p, expected, desired);
    return done ? Kind::kAtomicRmw : Kind::kAtomicLoad;
  });
  return done;
}

template <class T>
bool is_one(T v) {
  return v == 1 || v == static_cast<T>(-1);
}

using a8 = std::uint8_t;
using a16 = std::uint16_t;
using a32 = std::uint32_t;
using a64 = std::uint64_t;
using a128 = wide::Wide;

}  // namespace
}  // namespace isosan::rt

#define UPDATE(bits, name, expression)                                                            \
  ISOSAN_EXPORT a##bits __tsan_atomic##bits##_##name(volatile a##bits* p, a##bits v, int order) { \
    return update(p, order, ISOSAN_CALLER,                                                        \
                  [v](a##bits old [[maybe_unused]]) { return expression; });                      \
  }
#define ADD(bits, name, sign)                                                                     \
  ISOSAN_EXPORT a##bits __tsan_atomic##bits##_##name(volatile a##bits* p, a##bits v, int order) { \
    return update(p, order | (is_one(v) ? isosan::kStep : 0), ISOSAN_CALLER,                      \
                  [v](a##bits old) { return old sign v; });                                       \
  }
#define ATOMICS(bits)                                                                         \
  ISOSAN_EXPORT a##bits __tsan_atomic##bits##_load(const volatile a##bits* p, int order) {    \
    return load(p, order, ISOSAN_CALLER);                                                     \
  }                                                                                           \
  ISOSAN_EXPORT void __tsan_atomic##bits##_store(volatile a##bits* p, a##bits v, int order) { \
    store(p, v, order, ISOSAN_CALLER);                                                        \
  }                                                                                           \
  UPDATE(bits, exchange, v)                                                                   \
  ADD(bits, fetch_add, +)                                                                     \
  ADD(bits, fetch_sub, -)                                                                     \
  UPDATE(bits, fetch_and, old& v)                                                             \
  UPDATE(bits, fetch_or, old | v)                                                             \
  UPDATE(bits, fetch_xor, old ^ v)                                                            \
  UPDATE(bits, fetch_nand, ~(old & v))                                                        \
  ISOSAN_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(                            \
      volatile a##bits* p, a##bits* expected, a##bits v, int order, int failed) {             \
    return compare_exchange(p, expected, v, order, failed, ISOSAN_CALLER);                    \
  }                                                                                           \
  ISOSAN_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(                              \
      volatile a##bits* p, a##bits* expected, a##bits v, int order, int failed) {             \
    return compare_exchange(p, expected, v, order, failed, ISOSAN_CALLER);                    \
  }                                                                                           \
  ISOSAN_EXPORT a##bits __tsan_atomic##bits##_compare_exchange_val(                           \
      volatile a##bits* p, a##bits expected, a##bits v, int order, int failed) {              \
    compare_exchange(p, &expected, v, order, failed, ISOSAN_CALLER);                          \
    return expected;                                                                          \
  }
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
ATOMICS(128)

ISOSAN_EXPORT void __tsan_atomic_thread_fence(int order) {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // order: program
  Thread* t = current();
  if (t == nullptr) return;
  RuntimeScope scope(t);
  log_fence(*t, static_cast<std::uint8_t>(order), ISOSAN_CALLER);
}
ISOSAN_EXPORT void __tsan_atomic_signal_fence(int) {
  std::atomic_signal_fence(std::memory_order_seq_cst);  // order: program
}
