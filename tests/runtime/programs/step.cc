#include "step.h"

#include <unistd.h>

#include <atomic>

namespace {
std::atomic<int> done{0};
}

extern "C" void step_wait(int number) {
  while (done.load(std::memory_order_acquire) < number) usleep(0);
}
extern "C" void step_done() { done.fetch_add(1, std::memory_order_acq_rel); }

extern "C" void step_spin(int number) {
  while (done.load(std::memory_order_acquire) < number) {
  }
}
