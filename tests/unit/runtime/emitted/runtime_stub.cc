// In place of the runtime: the slow paths note that they were called. They keep all registers, as
// the real ones do, so this file is compiled by clang (preserve_most).
#include <cstdint>

struct SlowCall {
  std::uint64_t count = 0;
  const void* address = nullptr;
  std::uint64_t size = 0;
  bool writes = false;
};
extern "C" {
SlowCall isosan_slow_call;

#define SLOW(name, does_write)                                                               \
  __attribute__((preserve_most)) void name(void* address, std::uint64_t size, const void*) { \
    isosan_slow_call = {isosan_slow_call.count + 1, address, size, does_write};              \
  }
SLOW(__isosan_read, false)
SLOW(__isosan_write, true)
SLOW(__isosan_read_anew, false)
SLOW(__isosan_write_anew, true)
__attribute__((preserve_most)) void __isosan_poll() {}
__attribute__((preserve_most)) void __isosan_make_room() {}
void __isosan_module(void*, void*, const void*, const void*) {}

std::uint64_t isosan_slow_enters, isosan_slow_exits;
void __isosan_function_enter(const void*, const void*) { ++isosan_slow_enters; }
void __isosan_function_exit(const void*) { ++isosan_slow_exits; }
}
