// A leaf that only reads, or a function that calls only such, inside and outside of other units: it is a unit like others, and one
// that is torn is found.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: for s in first last looped called inside called_inside; do \
// RUN:   timeout 60 %isosan run --analysis marathon -- %t $s > %t.live 2>&1 || true; \
// RUN:   timeout 60 %isosan record --units -o %t.trace -- %t $s; \
// RUN:   %isosan check --analysis marathon %t.trace > %t.recorded || true; \
// RUN:   echo $s $(cat %t.live %t.recorded | grep -c 'units of work on Pair are not serializable'); \
// RUN: done | FileCheck %s
// CHECK: first 2
// CHECK-NEXT: last 2
// CHECK-NEXT: looped 2
// CHECK-NEXT: called 2
// CHECK-NEXT: inside 2
// CHECK-NEXT: called_inside 2
#include <cstdint>
#include <string_view>
#include <thread>

#include "steps.h"

using Number = std::int64_t;
class Pair {
 public:
  [[gnu::noinline]] Number sum() const { return values_[0] + values_[1]; }
  [[gnu::noinline]] Number sum_of(int count) const {
    Number sum = 0;
    for (int i = 0; i < count; ++i) sum += values_[i] * (sum + 1);
    return sum;
  }
  [[gnu::noinline]] Number fold(int depth) const { return depth == 0 ? sum() : fold(depth - 1) * 3 + values_[0]; }
  // Others come in between.
  [[gnu::noinline]] void write_left_first() { write(values_[0], values_[1]); }
  [[gnu::noinline]] void write_right_first() { write(values_[1], values_[0]); }
  [[gnu::noinline]] void look_twice(bool called) const {
    (void)(called ? fold(2) : sum());
    next_step();
    yield_until_step(3);
    (void)(called ? fold(2) : sum());
  }
  [[gnu::noinline]] void write_both() { values_[0] = values_[1] = 2; }

 private:
  static void write(volatile Number& one, volatile Number& other) {
    one = 1;
    next_step();
    yield_until_step(3);
    other = 1;
  }
  Number values_[2] = {1, 1};
};

// A unit itself, many times undisturbed before the one that is torn.
void look(const Pair& pair) { (void)pair.sum(), (void)pair.sum_of(2), (void)pair.fold(2); }
constexpr int kUndisturbed = 1000;

int main(int, char** arguments) {
  const std::string_view scenario = arguments[1];
  Pair pair, own;
  std::thread reader([&] {
    const bool inside = scenario.ends_with("inside"), called = scenario.starts_with("called"), looped = scenario == "looped";
    for (int i = 0; i < kUndisturbed; ++i) look(pair);
    next_step();
    if (!inside) yield_until_step(2);
    for (int i = 0; i < kUndisturbed; ++i) look(own);
    if (inside) return pair.look_twice(called);
    (void)(called ? pair.fold(2) : looped ? pair.sum_of(2) : pair.sum());
    next_step();
  });
  std::thread writer([&] {
    const bool inside = scenario.ends_with("inside");
    yield_until_step(inside ? 2 : 1);
    if (inside) return pair.write_both(), next_step();
    scenario == "last" ? pair.write_right_first() : pair.write_left_first();
  });
  reader.join();
  writer.join();
}
