// Between libc's pthread_join and who intercepts it: the interceptor gets to know that the thread has ended when it is told so. It
// calls nothing here that is intercepted.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace {
std::atomic<bool> keeps{false}, joined{false}, goes_on{false};

void wait_until(const std::atomic<bool>& it) {
  while (!it) syscall(SYS_sched_yield);
}
}  // namespace

extern "C" void keep_next_join() { keeps = true; }
extern "C" void wait_until_joined() { wait_until(joined); }
extern "C" void let_join_go_on() { goes_on = true; }

extern "C" int pthread_join(pthread_t id, void** result) {
  const auto next = reinterpret_cast<int (*)(pthread_t, void**)>(dlsym(RTLD_NEXT, "pthread_join"));
  const int status = next(id, result);
  if (keeps.exchange(false)) {
    joined = true;
    wait_until(goes_on);
  }
  return status;
}
