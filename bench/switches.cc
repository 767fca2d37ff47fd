// Two threads that write memory of their own, as often as the argument says: for bench/forced,
// which makes them take turns.
#include <cstdlib>
#include <thread>

static volatile long cells[2][8];

static void write_often(int me, long often) {
  for (long i = 0; i < often; ++i) cells[me][0] = i;
}

int main(int, char** arguments) {
  const long often = std::atol(arguments[1]);
  std::thread one(write_often, 0, often), two(write_often, 1, often);
  one.join();
  two.join();
}
