// Loops that are logged as ranges: a total computed twice in one region, and another thread changes one element in between. The
// elements of the other columns are nobody's business: with them alone the run is serializable.
// RUN: %cxx %s %steps -o %t
// RUN: not %isosan run --atomic Table::sums_agree -- %t 37 > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: not %isosan run --strict --atomic Table::sums_agree -- %t 37 2>&1 | FileCheck %s
// CHECK: atomicity violation (region Table::sums_agree)
// CHECK: SUMMARY: IsoSan: 1 finding
// RUN: %isosan run --atomic Table::sums_agree -- %t 38 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %isosan run --strict --atomic Table::sums_agree -- %t 38 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: SUMMARY: IsoSan: 0 findings
//
// RUN: %isosan record -o %t.trace -- %t 37
// RUN: not %isosan check --atomic Table::sums_agree %t.trace | FileCheck %s
#include <cstdlib>
#include <thread>
#include <vector>

#include "steps.h"

class Table {
 public:
  [[gnu::noinline]] double odd_columns() const {
    double sum = 0;
    for (std::size_t i = 1; i < cells_.size(); i += 2) sum += cells_[i];
    return sum;
  }
  [[gnu::noinline]] bool sums_agree() {
    const double before = odd_columns();
    next_step();
    await_step(2);
    return before == odd_columns();
  }
  [[gnu::noinline]] void set(int i, double value) { cells_[i] = value; }

 private:
  std::vector<double> cells_ = std::vector<double>(100);
};

int main(int, char** argv) {
  Table table;
  std::thread other([&] {
    await_step(1);
    table.set(std::atoi(argv[1]), 1);
    next_step();
  });
  [[maybe_unused]] const volatile bool agree = table.sums_agree();  // or gcc leaves the loops out
  other.join();
}
