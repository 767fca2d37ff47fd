// Molecular dynamics: forces between all pairs within a cut-off, each thread with its own force array, summed
// between barriers.
#include <cmath>

#include "barrier.h"
#include "common.h"

struct Vector {
  double x = 0, y = 0, z = 0;
  void add(const Vector& o, double f) { x += o.x * f, y += o.y * f, z += o.z * f; }
};

class Simulation {
 public:
  Simulation(int side, int threads) : threads_(threads), partial_(threads) {
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        for (int k = 0; k < side; ++k) position_.push_back({i * 1.1, j * 1.1, k * 1.1});
    velocity_.resize(position_.size());
    for (auto& forces : partial_) forces.resize(position_.size());
  }
  void forces_of(int particle, std::vector<Vector>& forces) {
    const Vector here = position_[particle];
    for (int other = particle + 1; other < count(); ++other) {
      const Vector d{here.x - position_[other].x, here.y - position_[other].y, here.z - position_[other].z};
      const double r2 = d.x * d.x + d.y * d.y + d.z * d.z;
      if (r2 > 6.25) continue;
      const double r6 = 1 / (r2 * r2 * r2), f = (48 * r6 * r6 - 24 * r6) / r2;
      forces[particle].add(d, f);
      forces[other].add(d, -f);
    }
  }
  void step(int me, Barrier& barrier) {
    auto& mine = partial_[me];
    for (Vector& force : mine) force = {};
    for (int i = me; i < count(); i += threads_) forces_of(i, mine);
    barrier.wait();
    const Share share(count(), me, threads_);
    for (int i = share.begin; i < share.end; ++i) move(i);
    barrier.wait();
  }
  void move(int i) {
    for (const auto& forces : partial_) velocity_[i].add(forces[i], 1e-4);
    position_[i].add(velocity_[i], 1e-3);
  }
  double energy() const {
    double total = 0;
    for (const Vector& v : velocity_) total += v.x * v.x + v.y * v.y + v.z * v.z;
    return total;
  }
  int count() const { return static_cast<int>(position_.size()); }

 private:
  int threads_;
  std::vector<Vector> position_, velocity_;
  std::vector<std::vector<Vector>> partial_;
};

double run(int threads, int steps) {
  Simulation simulation(10, threads);
  Barrier barrier(threads);
  in_parallel(threads, [&](int me) {
    for (int s = 0; s < steps; ++s) simulation.step(me, barrier);
  });
  return simulation.energy();
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const double parallel = run(arguments.threads, 20 * arguments.scale);
  const double serial = arguments.scale == 1 ? run(1, 20) : parallel;
  return finish(std::fabs(parallel - serial) < 1e-9 * (1 + serial), "moldyn", parallel);
}
