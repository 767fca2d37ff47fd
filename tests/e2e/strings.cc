// libc, and the runtime, read and write strings and blocks on the program's behalf: every pair below is a region that looks twice, and a
// thread that writes in between.
// RUN: %cxx -fno-builtin %s %steps -o %t
// RUN: not %isosan run --atomic look_twice -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: WARNING: IsoSan: atomicity violation (region look_twice)
// CHECK: SUMMARY: IsoSan: 26 findings
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <thread>

#include "steps.h"

extern "C" {
uint16_t __sanitizer_unaligned_load16(const void*);
uint32_t __sanitizer_unaligned_load32(const void*);
void __sanitizer_unaligned_store16(void*, uint16_t);
void __sanitizer_unaligned_store64(void*, uint64_t);
}

struct Case {
  void (*read)(const char* s);
  void (*write)(char* s);
};

volatile long sink;
const char* const word = "isolation";
FILE* const nowhere = fopen("/dev/null", "r+");

int in_order(const void* a, const void* b) {
  return *static_cast<const char*>(a) < *static_cast<const char*>(b);
}
void print(char* to, const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  vsnprintf(to, 32, format, rest);
  va_end(rest);
}

const Case cases[] = {
    {[](const char* s) { sink = strlen(s); }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = strnlen(s, 16); }, [](char* s) { stpcpy(s, word); }},
    {[](const char* s) { sink = strcmp(s, word); }, [](char* s) { strncpy(s, word, 16); }},
    {[](const char* s) { sink = strcmp(word, s); }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = strncmp(s, word, 5); }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = strcasecmp(s, "ISOLATION"); }, [](char* s) { memset(s, 'x', 20); }},
    {[](const char* s) { sink = strncasecmp(s, "ISO", 3); }, [](char* s) { memcpy(s, word, 10); }},
    {[](const char* s) { sink = memcmp(s, word, 4); }, [](char* s) { memmove(s, word, 10); }},
    {[](const char* s) { sink = bcmp(s, word, 4); }, [](char* s) { sprintf(s, "%d", 1000); }},
    {[](const char* s) { sink = memchr(s, 'z', 32) != nullptr; }, [](char* s) { snprintf(s, 9, "%s", word); }},
    {[](const char* s) { sink = memrchr(s, 'z', 32) != nullptr; }, [](char* s) { print(s, "%d", 7); }},
    {[](const char* s) { sink = strchr(s, 'z') != nullptr; }, [](char* s) { mempcpy(s, word, 9); }},
    {[](const char* s) { sink = strchrnul(s, 'z') != nullptr; }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = strrchr(s, 'z') != nullptr; }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = strpbrk(s, "xyz") != nullptr; }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = strstr(s, "zz") != nullptr; }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = strspn(s, "abcde"); }, [](char* s) { strcat(s, word); }},
    {[](const char* s) { sink = strcspn(s, "xyz"); }, [](char* s) { strncat(s, word, 3); }},
    {[](const char* s) { free(strdup(s)); }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { free(strndup(s, 4)); }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = fwrite(s, 1, 8, nowhere); }, [](char* s) { sink = fread(s, 1, 8, fopen("/dev/zero", "r")); }},
    {[](const char* s) { sink = fputs(s, nowhere); }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = puts(s); }, [](char* s) { strcpy(s, word); }},
    {[](const char* s) { sink = __sanitizer_unaligned_load32(s + 1); }, [](char* s) { __sanitizer_unaligned_store16(s + 3, 7); }},
    {[](const char* s) { sink = __sanitizer_unaligned_load16(s + 1); }, [](char* s) { __sanitizer_unaligned_store64(s + 2, 7); }},
    {[](const char* s) { sink = strlen(s); }, [](char* s) { qsort(s, 5, 1, in_order); }},
};
constexpr int kCases = sizeof cases / sizeof cases[0];

char text[kCases][64];

template <int number>
[[gnu::noinline]] void look_twice() {
  cases[number].read(text[number]);
  next_step();
  await_step(2 * number + 2);
  cases[number].read(text[number]);
}

template <int... numbers>
void look_at_all(std::integer_sequence<int, numbers...>) {
  (look_twice<numbers>(), ...);
}

int main() {
  for (auto& one : text) strcpy(one, "abcde");
  std::thread writer([] {
    for (int i = 0; i < kCases; ++i) {
      await_step(2 * i + 1);
      cases[i].write(text[i]);
      next_step();
    }
  });
  look_at_all(std::make_integer_sequence<int, kCases>());
  writer.join();
}
