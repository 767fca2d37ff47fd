#include "runtime/platform/jump.h"

#include <setjmp.h>

namespace isosan::rt {

#if defined(__aarch64__)

namespace {

constexpr int kStackPointerSlot = 13;
std::uint64_t key;  // glibc stores the stack pointer exclusive-or a secret of the process

}  // namespace

// A setjmp of our own: the stack pointer that it stores is known.
[[gnu::noinline]] void learn_jump_key() {
  jmp_buf here;
  if (_setjmp(here) != 0) return;
  std::uint64_t stack_pointer;
  asm volatile("mov %0, sp" : "=r"(stack_pointer));
  key = reinterpret_cast<const std::uint64_t*>(here)[kStackPointerSlot] ^ stack_pointer;
}

std::uint64_t jump_target(const void* jump_buffer) {
  return static_cast<const std::uint64_t*>(jump_buffer)[kStackPointerSlot] ^ key;
}

#else

namespace {

constexpr int kStackPointerSlot = 6;

}  // namespace

void learn_jump_key() {}

// Rotated by 17 after the exclusive-or with the guard in the thread's control block.
std::uint64_t jump_target(const void* jump_buffer) {
  std::uint64_t value = static_cast<const std::uint64_t*>(jump_buffer)[kStackPointerSlot];
  asm("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(value));
  return value;
}

#endif

}  // namespace isosan::rt
