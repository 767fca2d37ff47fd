// Elements that a loop reads and then writes are claimed at once; the log tells both, the read first. What the region has read
// already, it does not read anew.
// RUN: %cxx -O2 -fno-vectorize %s -o %t
// RUN: %isosan record -o %t.trace -- %t
// RUN: %isosan trace dump %t.trace > %t.dump
// RUN: FileCheck %s < %t.dump
// REQUIRES: pass
#include <thread>
#include <vector>

class Table {
 public:
  // CHECK:      T1 call Table::halve
  // CHECK:      T1 read 0x[[CELLS:[0-9a-f]+]] 800 bytes
  // CHECK-NEXT: T1 write 0x[[CELLS]] 800 bytes
  // CHECK-NEXT: T1 return Table::halve
  [[gnu::noinline]] void halve() {
    double* cell = cells_.data();
    for (int i = 0; i < 100; ++i) cell[i] *= 0.5;
  }
  // CHECK:      T1 call Table::normalize
  // CHECK:      T1 read 0x[[CELLS]] 800 bytes
  // CHECK-NEXT: T1 write 0x[[CELLS]] 800 bytes
  // CHECK-NEXT: T1 return Table::normalize
  [[gnu::noinline]] void normalize() {
    double* cell = cells_.data();
    double sum = 0;
    for (int i = 0; i < 100; ++i) sum += cell[i];
    for (int i = 0; i < 100; ++i) cell[i] /= sum;
  }

 private:
  std::vector<double> cells_ = std::vector<double>(100, 1.0);
};

int main() {
  Table table;
  std::thread([&] {
    table.halve();
    table.normalize();
  }).join();
}
