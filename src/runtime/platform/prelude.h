// Included before everything in the runtime: what the compiler calls by itself (struct copies,
// zeroing) must not reach the interceptors of the same name.
#pragma once

#include <cstddef>

extern "C" {
void* memcpy(void*, const void*, std::size_t) __asm__("isosan_own_memcpy");
void* memmove(void*, const void*, std::size_t) __asm__("isosan_own_memmove");
void* memset(void*, int, std::size_t) __asm__("isosan_own_memset");
int memcmp(const void*, const void*, std::size_t) __asm__("isosan_own_memcmp");
}
