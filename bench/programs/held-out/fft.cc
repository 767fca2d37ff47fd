// Fast Fourier transform of a square, rows and then columns, again and again. Complex numbers are passed by reference.
#include <cmath>

#include "../barrier.h"
#include "../common.h"

struct Complex {
  double re = 0, im = 0;
  void set_product(const Complex& a, const Complex& b) {
    re = a.re * b.re - a.im * b.im;
    im = a.re * b.im + a.im * b.re;
  }
  void add(const Complex& o) { re += o.re, im += o.im; }
  void set_difference(const Complex& a, const Complex& b) { re = a.re - b.re, im = a.im - b.im; }
  void scale(double f) { re *= f, im *= f; }
  double norm() const { return re * re + im * im; }
};

class Fourier {  // of lines of n numbers, n a power of two
 public:
  explicit Fourier(std::size_t n) : roots_(n / 2) {
    for (std::size_t i = 0; i < n / 2; ++i) {
      const double angle = -2 * M_PI * static_cast<double>(i) / static_cast<double>(n);
      roots_[i] = {std::cos(angle), std::sin(angle)};
    }
  }
  void transform(std::vector<Complex>& line) const {
    reverse_bits(line);
    for (std::size_t half = 1; half < line.size(); half *= 2)
      for (std::size_t i = 0; i < line.size(); i += 2 * half)
        for (std::size_t k = 0; k < half; ++k)
          butterfly(line[i + k], line[i + k + half], roots_[k * (roots_.size() / half)]);
    for (Complex& number : line) number.scale(1 / std::sqrt(static_cast<double>(line.size())));
  }

 private:
  static void butterfly(Complex& low, Complex& high, const Complex& root) {
    Complex turned;
    turned.set_product(high, root);
    high.set_difference(low, turned);
    low.add(turned);
  }
  static void reverse_bits(std::vector<Complex>& line) {
    for (std::size_t i = 1, j = 0; i < line.size(); ++i) {
      std::size_t bit = line.size() / 2;
      for (; j & bit; bit /= 2) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(line[i], line[j]);
    }
  }
  std::vector<Complex> roots_;
};

class Square {
 public:
  explicit Square(std::size_t side) : fourier_(side), rows_(side, std::vector<Complex>(side)) {
    Random random(3);
    for (auto& row : rows_)
      for (Complex& number : row) number = {random.unit(), random.unit()};
  }
  void transform_row(int row) { fourier_.transform(rows_[row]); }
  void transform_column(int column) {
    std::vector<Complex> line;
    for (const auto& row : rows_) line.push_back(row[column]);
    fourier_.transform(line);
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i][column] = line[i];
  }
  double energy() const {
    double sum = 0;
    for (const auto& row : rows_)
      for (const Complex& number : row) sum += number.norm();
    return sum;
  }

 private:
  const Fourier fourier_;
  std::vector<std::vector<Complex>> rows_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  constexpr int kSide = 128;
  Square square(kSide);
  const double before = square.energy();
  Barrier barrier(arguments.threads);
  in_parallel(arguments.threads, [&](int me) {
    const Share share(kSide, me, arguments.threads);
    for (int round = 0; round < 12 * arguments.scale; ++round) {
      for (int i = share.begin; i < share.end; ++i) square.transform_row(i);
      barrier.wait();
      for (int i = share.begin; i < share.end; ++i) square.transform_column(i);
      barrier.wait();
    }
  });
  const double after = square.energy();  // Parseval: the same
  return finish(std::fabs(after - before) < 1e-6 * before, "fft", after);
}
