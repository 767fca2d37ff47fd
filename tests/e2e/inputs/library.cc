// The account of hunt_library.test, in a library; -DCHANGED is another build of it.
#include <mutex>

static std::mutex guard;
static int balance;

int get() {
  std::lock_guard lock(guard);
#ifdef CHANGED
  balance = balance + 0;
#endif
  return balance;
}
void set(int value) {
  std::lock_guard lock(guard);
  balance = value;
}
