// The log is kept in $TMPDIR while the program runs; without a block there is no clean bill.
//
// RUN: %cxx %s -o %t
// RUN: not env TMPDIR=%t.nowhere timeout 60 %isosan run --analysis singletrack --deterministic main -- %t 2>&1 | FileCheck --check-prefix=ROOM %s
// ROOM: isosan: no room in $TMPDIR for the log of the run (No such file or directory)
// RUN: env TMPDIR=%t.nowhere timeout 60 %isosan run --analysis singletrack --no-race-free-filter --deterministic main -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE-NOT: nothing was checked
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: timeout 60 %isosan run --analysis singletrack -- %t 2>&1 | FileCheck --check-prefix=NOTHING %s
// NOTHING: no deterministic region was entered, nothing was checked
#include <thread>

int value;

int main() { std::thread([] { value = 1; }).join(); }
