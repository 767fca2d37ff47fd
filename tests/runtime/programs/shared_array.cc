// usage: shared_array ROUNDS. One thread writes an array; then both read all of it, one after the
// other, here and there and in no order that the tool sees. In each round again.
#include <pthread.h>

#include <cstdlib>

#include "step.h"

static constexpr unsigned kCells = 16384;
alignas(4096) static unsigned long cells[kCells];
static unsigned order[kCells];
static pthread_barrier_t barrier;
static int rounds;

[[gnu::noinline]] static void write_all(unsigned long value) {
  for (unsigned i = 0; i < kCells; ++i) cells[i] = value;
}

[[gnu::noinline]] static unsigned long read_all() {
  unsigned long total = 0;
  for (const unsigned at : order) total += cells[at];
  return total;
}

static unsigned long read_in_turn(int turn) {
  step_wait(turn);
  const unsigned long total = read_all();
  step_done();
  pthread_barrier_wait(&barrier);
  return total;
}

static void* read_first(void*) {
  for (int round = 0; round < rounds; ++round) {
    pthread_barrier_wait(&barrier);
    read_in_turn(2 * round);
  }
  return nullptr;
}

int main(int, char** argv) {
  rounds = atoi(argv[1]);
  for (unsigned i = 0; i < kCells; ++i) order[i] = i * 769 % kCells;
  pthread_barrier_init(&barrier, nullptr, 2);
  pthread_t other;
  pthread_create(&other, nullptr, read_first, nullptr);
  bool all = true;
  for (int round = 0; round < rounds; ++round) {
    const auto value = static_cast<unsigned long>(round);
    write_all(value);
    pthread_barrier_wait(&barrier);
    all &= read_in_turn(2 * round + 1) == value * kCells;
  }
  pthread_join(other, nullptr);
  return all ? 0 : 1;
}
