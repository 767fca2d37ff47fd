// The checksum of the paper's ray tracer: threads that each add to it once, without a lock. Nobody looks at the sum.
#include <cstdlib>
#include <thread>
#include <vector>

long checksum = 0;

__attribute__((noinline)) void add(int part) { checksum = checksum + part; }

int main(int, char** argv) {
  std::vector<std::thread> threads;
  for (int i = 0; i < std::atoi(argv[1]); ++i) threads.emplace_back([i] { add(i); });
  for (std::thread& thread : threads) thread.join();
}
