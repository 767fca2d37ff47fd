// Calls that compilers expand inline where they are small: what they write is seen all the same.
//
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis fasttrack -- %t strcpy 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis fasttrack -- %t strcat 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis fasttrack -- %t strncpy 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis fasttrack -- %t sprintf 2>&1 | FileCheck %s
// RUN: not timeout 60 %isosan run --analysis fasttrack -- %t memcmp 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: data race
#include <cstdio>
#include <cstring>
#include <thread>

#include "steps.h"

char text[8];
int order;

void use_text(const char* how) {
  if (std::strcmp(how, "strcpy") == 0) strcpy(text, "sevench");
  if (std::strcmp(how, "strcat") == 0) strcat(text, "four");
  if (std::strcmp(how, "strncpy") == 0) strncpy(text, "two", 8);
  if (std::strcmp(how, "sprintf") == 0) sprintf(text, "seven.7");
  if (std::strcmp(how, "memcmp") == 0) order = memcmp(text, "\0even.7", 8);
}

int main(int, char** arguments) {
  std::thread writer([] {
    text[1] = 'x';
    text[7] = 0;
    next_step();
  });
  await_step(1);
  use_text(arguments[1]);
  writer.join();
}
