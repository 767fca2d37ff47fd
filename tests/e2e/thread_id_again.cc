// A thread that is born while another one is being joined may get its pthread_t. It is not taken for the one that was joined: it is
// joined in its turn, and what it did comes before what follows.
// RUN: g++ -shared -fPIC %S/inputs/join_hook.cc -o %t.so
// RUN: %cxx %s %t.so -o %t
// RUN: %isosan record -o %t.trace -- %t | FileCheck %s
// RUN: %isosan trace stat %t.trace | FileCheck --check-prefix=STAT %s
// RUN: %isosan check --analysis fasttrack %t.trace
// CHECK: the same id, 1
// STAT: join events: 3
#include <pthread.h>

#include <cstdio>

extern "C" void keep_next_join();
extern "C" void wait_until_joined();
extern "C" void let_join_go_on();

namespace {
int value = 0;
pthread_t second;

void* end(void*) { return nullptr; }
void* add(void*) {
  ++value;
  return nullptr;
}
void* start_second(void*) {
  wait_until_joined();
  pthread_create(&second, nullptr, add, nullptr);
  let_join_go_on();
  return nullptr;
}
}  // namespace

int main() {
  pthread_t first, helper;
  pthread_create(&helper, nullptr, start_second, nullptr);
  pthread_create(&first, nullptr, end, nullptr);
  keep_next_join();
  pthread_join(first, nullptr);
  pthread_join(helper, nullptr);
  const bool same = pthread_equal(first, second) != 0;
  pthread_join(second, nullptr);
  std::printf("%s id, %d\n", same ? "the same" : "another", value);
}
