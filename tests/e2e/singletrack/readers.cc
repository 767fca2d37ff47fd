// What only reads come between: the write before them, and the one behind them, are still compared with each reader.
//
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t second-reader > %t.second 2>&1
// RUN: FileCheck --check-prefix=READER %s < %t.second
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t third-reader > %t.third 2>&1
// RUN: FileCheck --check-prefix=READER %s < %t.third
// READER: write and read in one deterministic block
// READER: read_late
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t late-writer > %t.writer 2>&1
// RUN: FileCheck --check-prefix=WRITER %s < %t.writer
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t late-writer-of-array > %t.array 2>&1
// RUN: FileCheck --check-prefix=WRITER %s < %t.array
// WRITER: read and write in one deterministic block
// WRITER: write_late
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t in-order 2>&1 | FileCheck --check-prefix=ORDER %s
// ORDER: SUMMARY: IsoSan: 0 findings
#include <cstring>
#include <thread>

#include "steps.h"

constexpr int kLength = 64;
long values[kLength];
long sums[4];

void write_all(long value) {
  for (int i = 0; i < kLength; ++i) values[i] = value;
}
void read_one(int reader) { sums[reader] = values[7]; }
void read_all(int reader) {
  for (int i = 0; i < kLength; ++i) sums[reader] += values[i];
}
__attribute__((noinline)) void read_late(int reader) {
  await_step(1);
  read_one(reader);
}
__attribute__((noinline)) void write_late() {
  await_step(1);
  values[7] = 3;
}

void late_reader(int readers) {
  std::thread writer(write_all, 1);
  std::thread late(read_late, 0);  // not behind the writer
  writer.join();
  read_one(1);
  if (readers == 2) std::thread(read_one, 2).join();
  next_step();
  late.join();
}

void late_writer(void (*read)(int)) {
  write_all(1);
  std::thread first(read, 0), second(read, 1);
  first.join();
  second.join();
  std::thread late(write_late);  // behind those two
  std::thread third([read] {
    read(2);
    next_step();
  });
  third.join();
  late.join();
}

void in_order() {
  write_all(1);
  std::thread first(read_one, 0), second(read_all, 1);
  first.join();
  second.join();
  write_all(2);
  std::thread third(read_all, 2), fourth(read_one, 3);
  third.join();
  fourth.join();
}

int main(int, char** arguments) {
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  if (is("second-reader")) late_reader(1);
  if (is("third-reader")) late_reader(2);
  if (is("late-writer")) late_writer(read_one);
  if (is("late-writer-of-array")) late_writer(read_all);
  if (is("in-order")) in_order();
}
