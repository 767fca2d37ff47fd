// Atomizer, Fig. 2: StringBuffer.append. Three places: entered, commits at, violation at.
//
// RUN: %cxx %s -o %t
// RUN: not %isosan run --analysis atomizer --atomic StringBuffer::append -- %t 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: {{.*}}StringBuffer::append
// CHECK-DAG: {{\[1\] region entered .*string_buffer.cc:[0-9]+}}
// CHECK-DAG: region commits at
// CHECK-DAG: violation at
// CHECK-DAG: StringBuffer::length
// CHECK-DAG: StringBuffer::get_chars
//
// RUN: %cxx -DFIXED %s -o %t.fixed
// RUN: %isosan run --analysis atomizer --atomic StringBuffer::append -- %t.fixed
//
// The exact analyses are silent about this run: nobody stepped into the window.
// RUN: %isosan run --analysis velodrome --atomic StringBuffer::append -- %t
#include <cstring>
#include <mutex>

#include "one_after_another.h"

#ifdef FIXED
constexpr bool kFixed = true;
#else
constexpr bool kFixed = false;
#endif

class StringBuffer {
 public:
  OUT_OF_LINE int length() {
    std::lock_guard guard(mutex_);
    return length_;
  }
  OUT_OF_LINE void get_chars(int count, char* target) {
    std::lock_guard guard(mutex_);
    for (int i = 0; i < count; ++i) target[i] = text_[i];
  }
  void erase() {
    std::lock_guard guard(mutex_);
    length_ = 0;
  }
  void put(char c) {
    std::lock_guard guard(mutex_);
    text_[length_++] = c;
  }
  OUT_OF_LINE void append(StringBuffer& other) {
    std::lock_guard guard(mutex_);
    std::unique_lock<std::recursive_mutex> others(other.mutex_, std::defer_lock);
    if (kFixed) others.lock();
    const int count = other.length();
    other.get_chars(count, text_ + length_);
    length_ += count;
  }

 private:
  std::recursive_mutex mutex_;
  char text_[32] = {};
  int length_ = 0;
};

int main() {
  StringBuffer target;
  StringBuffer source;
  source.put('a');
  in_a_thread([&] { source.erase(); });
  in_a_thread([&] { source.put('b'); });
  in_a_thread([&] { target.append(source); });
}
