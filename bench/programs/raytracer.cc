// A ray tracer: rows dealt to threads, a shared scene that is only read, a checksum over all pixels.
// RAYTRACER_CHECKSUM_RACE: the checksum as in the original, unguarded (the bug of the paper's benchmark).
// RAYTRACER_CHECKSUM_REDUCED: a sum for each thread, added up behind the join; no lock that somebody is first to.
#include <cmath>
#include <mutex>

#include "common.h"

struct Vec {
  double x, y, z;
  Vec operator+(const Vec& o) const { return {x + o.x, y + o.y, z + o.z}; }
  Vec operator-(const Vec& o) const { return {x - o.x, y - o.y, z - o.z}; }
  Vec operator*(double f) const { return {x * f, y * f, z * f}; }
  double dot(const Vec& o) const { return x * o.x + y * o.y + z * o.z; }
  Vec unit() const { return *this * (1 / std::sqrt(dot(*this))); }
};

struct Sphere {
  Vec centre;
  double radius, shade;
};

class Scene {
 public:
  Scene() {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k)
          spheres_.push_back({{i * 2.0 - 3, j * 2.0 - 3, k * 2.0 + 6}, 0.8, 0.2 + 0.05 * (i + j + k)});
  }
  const Sphere* nearest(const Vec& from, const Vec& direction, double& distance) const {
    const Sphere* hit = nullptr;
    for (const Sphere& sphere : spheres_) {
      const Vec to = sphere.centre - from;
      const double along = to.dot(direction);
      const double d2 = to.dot(to) - along * along, r2 = sphere.radius * sphere.radius;
      if (along < 0 || d2 > r2) continue;
      const double t = along - std::sqrt(r2 - d2);
      if (t > 1e-6 && t < distance) distance = t, hit = &sphere;
    }
    return hit;
  }
  double trace(const Vec& from, const Vec& direction, int depth) const {
    double distance = 1e30;
    const Sphere* hit = nearest(from, direction, distance);
    if (hit == nullptr) return 0.1;
    const Vec point = from + direction * distance;
    const Vec normal = (point - hit->centre).unit();
    double light = hit->shade * std::fmax(0, normal.dot(Vec{0.5, 0.7, -0.5}));
    if (depth > 0) light += 0.4 * trace(point, direction - normal * (2 * normal.dot(direction)), depth - 1);
    return light;
  }

 private:
  std::vector<Sphere> spheres_;
};

class Checksum {
 public:
  void add(std::int64_t value) {
#ifndef RAYTRACER_CHECKSUM_RACE
    const std::lock_guard lock(mutex_);
#endif
    total_ += value;
  }
  std::int64_t total() const { return total_; }

 private:
  std::mutex mutex_;
  std::int64_t total_ = 0;
};

std::int64_t render(int size, int threads) {
  const Scene scene;
  Checksum checksum;
#ifdef RAYTRACER_CHECKSUM_REDUCED
  std::vector<std::int64_t> parts(static_cast<std::size_t>(threads));
#endif
  in_parallel(threads, [&](int me) {
    for (int y = me; y < size; y += threads) {
      std::int64_t row = 0;
      for (int x = 0; x < size; ++x)
        row += static_cast<int>(255 * scene.trace({0, 0, -4}, Vec{x * 2.0 / size - 1, y * 2.0 / size - 1, 1.5}.unit(), 3));
#ifdef RAYTRACER_CHECKSUM_REDUCED
      parts[static_cast<std::size_t>(me)] += row;
#else
      checksum.add(row);
#endif
    }
  });
#ifdef RAYTRACER_CHECKSUM_REDUCED
  for (const std::int64_t part : parts) checksum.add(part);
#endif
  return checksum.total();
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int size = 130 * arguments.scale;
  const std::int64_t parallel = render(size, arguments.threads);
  const std::int64_t serial = arguments.scale == 1 ? render(size, 1) : parallel;
#ifdef RAYTRACER_CHECKSUM_RACE
  return finish(parallel <= serial, "raytracer", static_cast<double>(parallel));
#else
  return finish(parallel == serial, "raytracer", static_cast<double>(parallel));
#endif
}
