// A server loop on a socketpair: reads a request, updates statistics under a lock, replies.
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int requests, bytes;

static void note(int size) {
  pthread_mutex_lock(&mutex);
  ++requests;
  bytes += size;
  pthread_mutex_unlock(&mutex);
}

static void serve(int fd) {
  char byte;
  while (read(fd, &byte, 1) == 1) {
    note(1);
    if (write(fd, &byte, 1) != 1) return;
  }
}

static void* server(void* fd) {
  serve(*(int*)fd);
  return 0;
}

static int ask(int fd, char byte) {
  char answer;
  return write(fd, &byte, 1) == 1 && read(fd, &answer, 1) == 1 && answer == byte;
}

int main(void) {
  int ends[2][2];
  pthread_t servers[2];
  for (int i = 0; i < 2; ++i) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]) != 0) return 2;
    pthread_create(&servers[i], 0, server, &ends[i][0]);
  }
  for (int i = 0; i < 100; ++i) {
    if (!ask(ends[i % 2][1], 'x')) return 1;
  }
  for (int i = 0; i < 2; ++i) {
    close(ends[i][1]);
    pthread_join(servers[i], 0);
  }
  return requests != 100 || bytes != 100;
}
