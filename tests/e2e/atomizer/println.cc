// Atomizer 4.3, println: a synchronized method that calls another on the same lock. The inner lock
// is re-entrant, hence a both-mover; without that refinement the inner release commits and the next
// acquire is a violation.
//
// RUN: %cxx %s -o %t
// RUN: %isosan run --analysis atomizer --atomic PrintWriter::println -- %t
// RUN: not %isosan run --analysis atomizer --atomizer-without reentrant,protected-locks \
// RUN:   --atomic PrintWriter::println -- %t 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: {{.*}}PrintWriter::println
#include <mutex>

#include "one_after_another.h"

class PrintWriter {
 public:
  void print(char c) {
    std::lock_guard guard(mutex_);
    text_[length_++ % 64] = c;
  }
  OUT_OF_LINE void println(char c) {
    std::lock_guard guard(mutex_);
    print(c);
    print('\n');
  }

 private:
  std::recursive_mutex mutex_;
  char text_[64] = {};
  int length_ = 0;
};

int main() {
  PrintWriter out;
  for (char c = 'a'; c < 'd'; ++c) in_a_thread([&out, c] { out.println(c); });
}
