// What differs between the processors: system calls without libc, a pause, the program counter of
// an interrupted thread, the return address.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace isosan::rt {

#if defined(__aarch64__)

inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = f;
  asm volatile("svc 0"
               : "+r"(x0)
               : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
               : "memory", "cc");
  return x0;
}
inline void cpu_pause() { asm volatile("isb" ::: "memory"); }
// A thread that finds a lock taken tries again after more and more pauses, up to so many, before it
// blocks. Measured: a thread that stays away longer disturbs the holder less. The length of a pause
// differs by processor.
inline constexpr int kLastPausesForLock = 512;
inline std::uint64_t interrupted_pc(const ucontext_t* context) { return context->uc_mcontext.pc; }
// The third argument, of a function that was interrupted before its first instruction.
inline std::uint64_t interrupted_argument(const ucontext_t* context) {
  return context->uc_mcontext.regs[2];
}
// To be called first in a function without calls. (The builtin strips a signature that is not there
// yet, in place, and so needs a frame.)
[[gnu::always_inline]] inline std::uint64_t return_address_of_leaf() {
  std::uint64_t address;
  asm volatile("mov %0, x30" : "=r"(address));
  return address;
}

#elif defined(__x86_64__)

inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory", "cc");
  return result;
}
inline void cpu_pause() { asm volatile("pause" ::: "memory"); }
inline constexpr int kLastPausesForLock = 4096;
inline std::uint64_t interrupted_pc(const ucontext_t* context) {
  return static_cast<std::uint64_t>(context->uc_mcontext.gregs[16]);  // REG_RIP
}
inline std::uint64_t interrupted_argument(const ucontext_t* context) {
  return static_cast<std::uint64_t>(context->uc_mcontext.gregs[12]);  // REG_RDX
}
[[gnu::always_inline]] inline std::uint64_t return_address_of_leaf() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

#else
#error "IsoSan knows aarch64 and x86-64"
#endif

}  // namespace isosan::rt
