#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const int threads = argc > 1 ? atoi(argv[1]) : 2;
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
  for (int i = 0; i < 100; ++i) sum += i;
  printf("%d\n", sum);
  return sum != 4950;
}
