// Where a longjmp leads: the stack pointer in a jmp_buf, which glibc keeps mangled.
#pragma once

#include <cstdint>

namespace isosan::rt {

void learn_jump_key();  // at start-up
std::uint64_t jump_target(const void* jump_buffer);

}  // namespace isosan::rt
