// A server that accepts connections on a socket and starts a thread for each.
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int served;
static struct sockaddr_un address = {AF_UNIX, {0}};
static socklen_t length;

static void* connection(void* fd) {
  char byte;
  while (read((int)(long)fd, &byte, 1) == 1) {
    pthread_mutex_lock(&mutex);
    ++served;
    pthread_mutex_unlock(&mutex);
  }
  close((int)(long)fd);
  return 0;
}

static void serve(int listener) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) {
    const int fd = accept(listener, 0, 0);
    pthread_create(&threads[i], 0, connection, (void*)(long)fd);
  }
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}

static void* server(void* listener) {
  serve(*(int*)listener);
  return 0;
}

int main(void) {
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  length = sizeof(sa_family_t);  // the kernel chooses a name
  if (bind(listener, (struct sockaddr*)&address, length) != 0 || listen(listener, 3) != 0) return 2;
  length = sizeof address;
  getsockname(listener, (struct sockaddr*)&address, &length);
  pthread_t thread;
  pthread_create(&thread, 0, server, &listener);
  for (int i = 0; i < 3; ++i) {
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr*)&address, length) != 0) return 2;
    if (write(fd, "0123456789", 10) != 10) return 2;
    close(fd);
  }
  pthread_join(thread, 0);
  return served != 30;
}
