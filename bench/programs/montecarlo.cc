// Monte Carlo pricing: independent paths, results appended to one list under a lock.
// MONTECARLO_RESULTS_IN_PLACE: each path's result in a place of its own; the list does not depend on who comes first.
#include <cmath>
#include <mutex>

#include "common.h"

class Results {
 public:
  void add(double value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(value);
  }
  double mean() const {
    double sum = 0;
    for (const double v : values_) sum += v;
    return sum / static_cast<double>(values_.size());
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::mutex mutex_;
  std::vector<double> values_;
};

class Path {
 public:
  explicit Path(int length) : rates_(length) {}
  double simulate(std::uint64_t seed) {
    Random random(seed);
    double price = 100;
    for (double& rate : rates_) {
      rate = (random.unit() + random.unit() + random.unit() - 1.5) * 0.02;
      price *= 1 + rate;
    }
    return price + volatility();
  }

 private:
  double volatility() const {
    double sum = 0;
    for (const double rate : rates_) sum += rate * rate;
    return std::sqrt(sum / static_cast<double>(rates_.size()));
  }
  std::vector<double> rates_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int paths = 4000 * arguments.scale;
  Results results;
#ifdef MONTECARLO_RESULTS_IN_PLACE
  std::vector<double> prices(static_cast<std::size_t>(paths));
#endif
  in_parallel(arguments.threads, [&](int me) {
    Path path(1000);
    for (int i = me; i < paths; i += arguments.threads) {
#ifdef MONTECARLO_RESULTS_IN_PLACE
      prices[static_cast<std::size_t>(i)] = path.simulate(static_cast<std::uint64_t>(i));
#else
      results.add(path.simulate(static_cast<std::uint64_t>(i)));
#endif
    }
  });
#ifdef MONTECARLO_RESULTS_IN_PLACE
  for (const double price : prices) results.add(price);
#endif
  const double mean = results.mean();
  return finish(static_cast<int>(results.size()) == paths && mean > 95 && mean < 105, "montecarlo", mean);
}
