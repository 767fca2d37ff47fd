void clear(double* cells, int n) {
  for (int i = 0; i < n; ++i) cells[i] += 1;
}
