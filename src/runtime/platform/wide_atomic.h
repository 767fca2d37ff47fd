// Atomic operations of 1 to 16 bytes, sequentially consistent, without libatomic. 16 bytes: by the
// processor's own pair instructions.
#pragma once

#include <cstdint>

namespace isosan::rt::wide {

using Wide = unsigned __int128;

template <class T>
T load(const volatile T* p) {
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
template <class T>
bool compare_exchange(volatile T* p, T* expected, T desired) {
  return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}
template <class T>
void exchange(volatile T* p, T value) {
  __atomic_store_n(p, value, __ATOMIC_SEQ_CST);
}

// Returns what was there; stores `desired` if that was `expected`.
inline Wide compare_swap(volatile Wide* p, Wide expected, Wide desired) {
  const auto expected_low = static_cast<std::uint64_t>(expected);
  const auto expected_high = static_cast<std::uint64_t>(expected >> 64);
  const auto desired_low = static_cast<std::uint64_t>(desired);
  const auto desired_high = static_cast<std::uint64_t>(desired >> 64);
  std::uint64_t low;
  std::uint64_t high;
#if defined(__aarch64__)
  std::uint32_t failed;
  do {  // always stores: a pair load by itself is not one access
    asm volatile("ldaxp %0, %1, [%2]" : "=&r"(low), "=&r"(high) : "r"(p) : "memory");
    const bool equal = low == expected_low && high == expected_high;
    asm volatile("stlxp %w0, %1, %2, [%3]"
                 : "=&r"(failed)
                 : "r"(equal ? desired_low : low), "r"(equal ? desired_high : high), "r"(p)
                 : "memory");
  } while (failed != 0);
#else
  low = expected_low;
  high = expected_high;
  asm volatile("lock cmpxchg16b %2"
               : "+a"(low), "+d"(high), "+m"(*p)
               : "b"(desired_low), "c"(desired_high)
               : "memory", "cc");
#endif
  return static_cast<Wide>(high) << 64 | low;
}

template <>
inline Wide load<Wide>(const volatile Wide* p) {
  return compare_swap(const_cast<volatile Wide*>(p), 0, 0);
}
template <>
inline bool compare_exchange<Wide>(volatile Wide* p, Wide* expected, Wide desired) {
  const Wide found = compare_swap(p, *expected, desired);
  const bool equal = found == *expected;
  *expected = found;
  return equal;
}
template <>
inline void exchange<Wide>(volatile Wide* p, Wide value) {
  Wide seen = load(p);
  while (!compare_exchange(p, &seen, value)) {
  }
}

}  // namespace isosan::rt::wide
