// The log is kept in $TMPDIR while the program runs, but for --strict.
//
// RUN: %cxx %s -o %t
// RUN: not env TMPDIR=%t.nowhere timeout 60 %isosan run --analysis atomizer -- %t 2>&1 | FileCheck --check-prefix=ROOM %s
// ROOM: isosan: no room in $TMPDIR for the log of the run (No such file or directory){{.*}}--strict
// RUN: env TMPDIR=%t.nowhere timeout 60 %isosan run --analysis atomizer --strict -- %t
#include <thread>

int value;

int main() { std::thread([] { value = 1; }).join(); }
