// Guards before functions of libc (guards.S), and a call on another stack.
#pragma once

#include <signal.h>
#include <ucontext.h>

#include <cstdint>

// Code that is part of a guard. No check is outstanding there: a guard runs at a call.
#define ISOSAN_IN_GUARD [[gnu::section("isosan_guards"), gnu::noinline]]

extern "C" {
extern const char __start_isosan_guards[];
extern const char __stop_isosan_guards[];
// function(signal, info, context), with the stack below `top`.
void isosan_call_on_stack(void* function, long signal, siginfo_t* info, ucontext_t* context,
                          void* top);
}

namespace isosan::rt {

inline bool is_in_guard(std::uint64_t pc) {
  return pc >= reinterpret_cast<std::uint64_t>(__start_isosan_guards) &&
         pc < reinterpret_cast<std::uint64_t>(__stop_isosan_guards);
}

}  // namespace isosan::rt
