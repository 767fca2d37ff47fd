// Two customers at one time.
#pragma once

#include <thread>
#include <utility>

template <class First, class Second>
void at_one_time(First first, Second second) {
  std::thread other(std::move(first));
  std::thread another(std::move(second));
  other.join();
  another.join();
}
