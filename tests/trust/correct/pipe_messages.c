// Messages by pointer through a pipe: the write of the pipe comes before the read of it.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct message {
  int value;
};
static int ends[2];
static int total;

static void send_message(int value) {
  struct message* message = malloc(sizeof *message);
  message->value = value;
  if (write(ends[1], &message, sizeof message) != sizeof message) abort();
}

static void* receive(void* unused) {
  for (int i = 0; i < 100; ++i) {
    struct message* message;
    if (read(ends[0], &message, sizeof message) != sizeof message) abort();
    total += message->value;
    free(message);
  }
  return unused;
}

int main(void) {
  if (pipe(ends) != 0) return 2;
  pthread_t receiver;
  pthread_create(&receiver, 0, receive, 0);
  for (int i = 0; i < 100; ++i) send_message(i);
  pthread_join(receiver, 0);
  return total != 4950;
}
