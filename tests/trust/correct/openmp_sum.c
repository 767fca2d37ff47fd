// OpenMP: a parallel loop with a reduction.
// flags: -fopenmp
// shuffles: none
#include <omp.h>

static int square(int i) { return i * i; }

int main(void) {
  omp_set_num_threads(2);
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += square(i);
  return sum != 328350;
}
