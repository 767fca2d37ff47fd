// Travelling salesman by branch and bound: a shared work list and a shared best tour under locks; the bound is also
// read without the lock, as in the original (benign: an old bound only costs work).
#include <algorithm>
#include <atomic>
#include <climits>
#include <mutex>

#include "common.h"

constexpr int kMaxCities = 13;

class Map {
 public:
  explicit Map(int n) : n_(n) {
    Random random(42);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) distance_[i][j] = distance_[j][i] = 10 + static_cast<int>(random.next() % 90);
  }
  int distance(int a, int b) const { return distance_[a][b]; }
  int size() const { return n_; }

 private:
  int n_;
  int distance_[kMaxCities][kMaxCities] = {};
};

struct Tour {
  int cities[kMaxCities] = {};
  int length = 1;
  int cost = 0;
  unsigned visited = 1;
};

class Best {
 public:
  bool hopeless(int cost) const { return cost >= cost_.load(std::memory_order_relaxed); }
  void offer(int cost) {
    const std::lock_guard lock(mutex_);
    if (cost < cost_.load(std::memory_order_relaxed)) cost_.store(cost, std::memory_order_relaxed);
  }
  int cost() const { return cost_; }

 private:
  std::mutex mutex_;
  std::atomic<int> cost_{INT_MAX};
};

class WorkList {
 public:
  void push(const Tour& tour) {
    const std::lock_guard lock(mutex_);
    tours_.push_back(tour);
  }
  bool pop(Tour& tour) {
    const std::lock_guard lock(mutex_);
    if (tours_.empty()) return false;
    tour = tours_.back();
    tours_.pop_back();
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<Tour> tours_;
};

void extend(const Map& map, Best& best, Tour& tour) {
  if (best.hopeless(tour.cost)) return;
  const int last = tour.cities[tour.length - 1];
  if (tour.length == map.size()) return best.offer(tour.cost + map.distance(last, 0));
  for (int city = 1; city < map.size(); ++city) {
    if (tour.visited >> city & 1) continue;
    tour.cities[tour.length++] = city;
    tour.visited |= 1u << city;
    tour.cost += map.distance(last, city);
    extend(map, best, tour);
    tour.cost -= map.distance(last, city);
    tour.visited &= ~(1u << city);
    --tour.length;
  }
}

int solve(int cities, int threads) {
  const Map map(cities);
  Best best;
  WorkList work;
  for (int a = 1; a < cities; ++a)
    for (int b = 1; b < cities; ++b) {
      if (a == b) continue;
      Tour tour;
      tour.cities[1] = a, tour.cities[2] = b, tour.length = 3;
      tour.visited |= 1u << a | 1u << b;
      tour.cost = map.distance(0, a) + map.distance(a, b);
      work.push(tour);
    }
  in_parallel(threads, [&](int) {
    Tour tour;
    while (work.pop(tour)) extend(map, best, tour);
  });
  return best.cost();
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int cities = std::min(kMaxCities, 10 + arguments.scale);
  const int parallel = solve(cities, arguments.threads);
  const int serial = arguments.scale == 1 ? solve(cities, 1) : parallel;
  return finish(parallel == serial, "tsp", parallel);
}
