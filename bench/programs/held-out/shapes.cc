// Virtual calls: a list of shapes of four kinds, each thread asks and changes its part of it.
#include <cmath>
#include <memory>

#include "../common.h"

class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual double outline() const = 0;
  virtual void grow(double factor) = 0;
};

class Circle : public Shape {
 public:
  explicit Circle(double radius) : radius_(radius) {}
  double area() const override { return M_PI * radius_ * radius_; }
  double outline() const override { return 2 * M_PI * radius_; }
  void grow(double factor) override { radius_ *= factor; }

 private:
  double radius_;
};

class Box : public Shape {
 public:
  Box(double width, double height) : width_(width), height_(height) {}
  double area() const override { return width_ * height_; }
  double outline() const override { return 2 * (width_ + height_); }
  void grow(double factor) override { width_ *= factor, height_ *= factor; }

 private:
  double width_, height_;
};

class Triangle : public Shape {
 public:
  explicit Triangle(double side) : side_(side) {}
  double area() const override { return side_ * side_ * std::sqrt(3) / 4; }
  double outline() const override { return 3 * side_; }
  void grow(double factor) override { side_ *= factor; }

 private:
  double side_;
};

class Frame : public Shape {  // what is left of a shape when a smaller one is cut out
 public:
  Frame(std::unique_ptr<Shape> whole, std::unique_ptr<Shape> hole) : whole_(std::move(whole)), hole_(std::move(hole)) {}
  double area() const override { return whole_->area() - hole_->area(); }
  double outline() const override { return whole_->outline() + hole_->outline(); }
  void grow(double factor) override { whole_->grow(factor), hole_->grow(factor); }

 private:
  std::unique_ptr<Shape> whole_, hole_;
};

std::unique_ptr<Shape> draw(Random& random) {
  const double size = 1 + random.unit();
  switch (random.next() % 4) {
    case 0: return std::make_unique<Circle>(size);
    case 1: return std::make_unique<Box>(size, 2 * size);
    case 2: return std::make_unique<Triangle>(size);
    default: return std::make_unique<Frame>(std::make_unique<Circle>(size), std::make_unique<Triangle>(size));
  }
}

double run(int threads, int rounds) {
  Random random(21);
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 10000; ++i) shapes.push_back(draw(random));
  in_parallel(threads, [&](int me) {
    const Share share(static_cast<int>(shapes.size()), me, threads);
    for (int round = 0; round < rounds; ++round)
      for (int i = share.begin; i < share.end; ++i)
        shapes[i]->grow(shapes[i]->area() > shapes[i]->outline() ? 0.9 : 1.1);
  });
  double sum = 0;
  for (const auto& shape : shapes) sum += shape->area();
  return sum;
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const double parallel = run(arguments.threads, 60 * arguments.scale);
  const double serial = arguments.scale == 1 ? run(1, 60) : parallel;
  return finish(parallel == serial, "shapes", parallel);
}
