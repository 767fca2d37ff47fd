// A table of routes that all threads look up under a shared lock; once in 2000 times one is replaced.
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "../common.h"

struct Route {
  unsigned gateway = 0, check = 0;  // check is always 3 * gateway
};

class Routes {
 public:
  explicit Routes(unsigned count) : count_(count) {
    for (unsigned i = 0; i < count; ++i) routes_[i] = {i, 3 * i};
  }
  Route find(unsigned target) const {
    const std::shared_lock lock(mutex_);
    return routes_.at(target % count_);
  }
  void replace(unsigned target, unsigned gateway) {
    const std::unique_lock lock(mutex_);
    routes_[target % count_] = {gateway, 3 * gateway};
    ++version_;
  }
  int version() const {
    const std::shared_lock lock(mutex_);
    return version_;
  }

 private:
  const unsigned count_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<unsigned, Route> routes_;
  int version_ = 0;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  constexpr int kRare = 2000;
  const int rounds = 100 * arguments.scale;
  Routes routes(5000);
  std::vector<int> torn(static_cast<std::size_t>(arguments.threads) * 16);
  in_parallel(arguments.threads, [&](int me) {
    Random random(static_cast<std::uint64_t>(me));
    for (int round = 0; round < rounds; ++round) {
      for (int i = 0; i < kRare; ++i) {
        const Route route = routes.find(random.next());
        if (route.check != 3 * route.gateway) ++torn[static_cast<std::size_t>(me) * 16];
      }
      routes.replace(random.next(), random.next());
    }
  });
  int wrong = 0;
  for (const int count : torn) wrong += count;
  return finish(wrong == 0 && routes.version() == rounds * arguments.threads, "readmostly", routes.version());
}
