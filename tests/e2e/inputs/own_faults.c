// A program that has uses of its own for SIGSEGV: a page that it opens when it is touched, all signals blocked in a thread, and in the
// end, if asked, a fault that nobody handles. It touches 64 MB of memory.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { kPage = 4096, kPages = 16384 };
static char *closed;
char large[kPages * kPage]; /* no malloc, which may fail under a limit before the shadow does */
static volatile int opened;

static void open_page(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  if ((char*)info->si_addr != closed) abort();
  mprotect(closed, kPage, PROT_READ | PROT_WRITE);
  ++opened;
}

static void* fill(void* nothing) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  long sum = 0;
  for (int i = 0; i < kPages; ++i) sum += large[i * 17 % kPages * kPage] = 1;  // in no order
  printf("%ld\n", sum);
  return nothing;
}

int main(int argc, char** argv) {
  closed = mmap(NULL, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = open_page;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;
  sigaction(SIGSEGV, &action, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, fill, NULL);
  *closed = 1;
  pthread_join(thread, NULL);
  printf("opened %d\n", opened);
  fflush(stdout);
  if (argc > 1) mprotect(closed, kPage, PROT_NONE), *closed = 1;
  return 0;
}
