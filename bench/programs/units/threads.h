// What the programs after Table 1 of the Marathon paper share: the first argument is the number of threads.
#pragma once

#include <cstdlib>
#include <latch>
#include <thread>
#include <vector>

namespace units {

#ifdef FIXED
inline constexpr bool kFixed = true;
#else
inline constexpr bool kFixed = false;
#endif

inline int threads_asked(int argc, char** argv, int usual) { return argc > 1 ? std::atoi(argv[1]) : usual; }

// Calls f(0), f(1), ... in threads of their own, which begin together.
template <class F>
void in_threads(int count, F f) {
  std::latch all_here(count);
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i)
    all.emplace_back([&, i] {
      all_here.arrive_and_wait();
      f(i);
    });
  for (std::thread& thread : all) thread.join();
}

}  // namespace units
