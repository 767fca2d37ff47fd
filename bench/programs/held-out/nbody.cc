// Bodies under gravity. Places and speeds are small vectors, passed and returned by value.
#include <cmath>

#include "../barrier.h"
#include "../common.h"

struct Vec3 {
  double x = 0, y = 0, z = 0;
  Vec3 plus(Vec3 o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec3 minus(Vec3 o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec3 times(double f) const { return {x * f, y * f, z * f}; }
  double dot(Vec3 o) const { return x * o.x + y * o.y + z * o.z; }
};

class Body {
 public:
  explicit Body(Random& random) : place_{random.unit(), random.unit(), random.unit()}, mass_(random.unit()) {}
  Vec3 pull_on(Vec3 point) const {
    const Vec3 way = place_.minus(point);
    const double square = way.dot(way) + 1e-3;
    return way.times(mass_ / (square * std::sqrt(square)));
  }
  void speed_up(Vec3 force) { speed_ = speed_.plus(force.times(1e-6)); }
  void move() { place_ = place_.plus(speed_); }
  Vec3 place() const { return place_; }
  double energy() const { return mass_ * speed_.dot(speed_); }

 private:
  Vec3 place_, speed_;
  double mass_;
};

class Galaxy {
 public:
  explicit Galaxy(int bodies) {
    Random random(5);
    for (int i = 0; i < bodies; ++i) bodies_.emplace_back(random);
  }
  Vec3 force_at(Vec3 point) const {
    Vec3 sum;
    for (const Body& body : bodies_) sum = sum.plus(body.pull_on(point));
    return sum;
  }
  void speed_up(Share share) {
    for (int i = share.begin; i < share.end; ++i) bodies_[i].speed_up(force_at(bodies_[i].place()));
  }
  void move(Share share) {
    for (int i = share.begin; i < share.end; ++i) bodies_[i].move();
  }
  double energy() const {
    double sum = 0;
    for (const Body& body : bodies_) sum += body.energy();
    return sum;
  }

 private:
  std::vector<Body> bodies_;
};

double run(int threads, int steps) {
  constexpr int kBodies = 400;
  Galaxy galaxy(kBodies);
  Barrier barrier(threads);
  in_parallel(threads, [&](int me) {
    const Share share(kBodies, me, threads);
    for (int i = 0; i < steps; ++i) {
      galaxy.speed_up(share);
      barrier.wait();
      galaxy.move(share);
      barrier.wait();
    }
  });
  return galaxy.energy();
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const double parallel = run(arguments.threads, 10 * arguments.scale);
  const double serial = arguments.scale == 1 ? run(1, 10) : parallel;
  return finish(parallel == serial, "nbody", parallel);
}
