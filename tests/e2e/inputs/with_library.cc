#include <thread>

int get();
void set(int value);

static void deposit() { set(get() + 10); }

int main() {
  std::thread one(deposit), two(deposit);
  one.join();
  two.join();
  return get() == 20 ? 0 : 1;
}
