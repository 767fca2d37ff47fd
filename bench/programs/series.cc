// Fourier coefficients of (x+1)^x by the trapezoid rule, coefficients dealt to threads.
#include <cmath>

#include "common.h"

class Series {
 public:
  explicit Series(int n) : cosines_(n), sines_(n) {}
  void coefficient(int k) {
    double c = 0, s = 0;
    constexpr int kSteps = 400;
    for (int i = 0; i <= kSteps; ++i) {
      const double x = 2.0 * i / kSteps, weight = i == 0 || i == kSteps ? 0.5 : 1;
      const double f = std::pow(x + 1, x) * weight * 2 / kSteps;
      c += f * std::cos(3.14159265358979 * k * x);
      s += f * std::sin(3.14159265358979 * k * x);
    }
    cosines_[k] = c;
    sines_[k] = s;
  }
  double at0() const { return cosines_[0] / 2; }

 private:
  std::vector<double> cosines_, sines_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const int n = 2000 * arguments.scale;
  Series series(n);
  in_parallel(arguments.threads, [&](int me) {
    const Share share(n, me, arguments.threads);
    for (int k = share.begin; k < share.end; ++k) series.coefficient(k);
  });
  return finish(std::fabs(series.at0() - 2.8819) < 0.001, "series", series.at0());
}
