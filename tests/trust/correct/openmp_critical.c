// OpenMP: a critical section, an atomic update and a barrier in a parallel block.
// flags: -fopenmp
// shuffles: none
#include <omp.h>

static int count, hits, cells[2];

static void add(void) {
#pragma omp critical
  ++count;
}

static void hit(void) {
#pragma omp atomic
  ++hits;
}

int main(void) {
  omp_set_num_threads(2);
  int wrong = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 100; ++i) add(), hit();
    cells[omp_get_thread_num()] = 1;
#pragma omp barrier
    if (cells[0] + cells[1] != omp_get_num_threads()) {
#pragma omp atomic write
      wrong = 1;
    }
  }
  return wrong || count != hits;
}
