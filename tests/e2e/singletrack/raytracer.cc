// The first bug of the paper's section 5: raytracer's workers add to one checksum without a lock. A
// lock cures the race, not the dependence on the schedule (who is first to it is the scheduler's
// choice); a sum for each worker, added up behind the join, cures both.
//
// RUN: %cxx %s -o %t
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t racy > %t.racy 2>&1
// RUN: FileCheck %s < %t.racy
// CHECK: WARNING: IsoSan: conflict inside a deterministic region (region main)
// CHECK: in one deterministic block, with nothing in the block that orders them
// CHECK: main (T0), {{.*}}<== blamed
// CHECK: fork T1
// CHECK: {{read|write}} {{.*}}raytracer.cc:[[#ADD:]]
// CHECK: {{read|write}} {{.*}}raytracer.cc:[[#ADD]]
// CHECK: fork T1 by thread T0:
// CHECK: main
//
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t locked 2>&1 \
// RUN:   | FileCheck --check-prefix=LOCKED %s
// LOCKED: release and acquire in one deterministic block
// LOCKED: the other thread may take the lock first
// LOCKED: SUMMARY: IsoSan: 1 finding
//
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// All functions, as in Table 1.
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic '*' -- %t
#include <mutex>

#include "team.h"

struct Checksum {
  std::mutex mutex;
  long total = 0;
  OUT_OF_LINE void add(long part) { total += part; }
};

OUT_OF_LINE long shade(int x, int y) { return (x * 31 + y * 17) % 256; }

OUT_OF_LINE long render(int worker) {
  long part = 0;
  for (int y = worker; y < 8; y += 2)
    for (int x = 0; x < 8; ++x) part += shade(x, y);
  return part;
}

int main(int argc, char** argv) {
  Checksum checksum;
  long parts[2] = {};
  in_team(2, [&](int worker) {
    parts[worker] = render(worker);
    if (asked(argc, argv, "racy")) checksum.add(parts[worker]);
    if (asked(argc, argv, "locked")) {
      std::lock_guard guard(checksum.mutex);
      checksum.add(parts[worker]);
    }
  });
  if (argc == 1) checksum.add(parts[0] + parts[1]);
}
