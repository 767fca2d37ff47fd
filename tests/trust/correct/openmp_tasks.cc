// OpenMP tasks that add to a total under std::mutex.
// flags: -fopenmp
// shuffles: none
#include <omp.h>

#include <mutex>

class Total {
 public:
  void add(int n) {
    std::lock_guard lock(mutex_);
    value_ += n;
    ++calls_;
  }
  int mean() const { return value_ / calls_; }

 private:
  std::mutex mutex_;
  int value_ = 0, calls_ = 0;
};

int main() {
  omp_set_num_threads(2);
  Total total;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; ++i) {
#pragma omp task shared(total)
    {
      total.add(5);
      total.add(5);
    }
  }
  return total.mean() != 5;
}
