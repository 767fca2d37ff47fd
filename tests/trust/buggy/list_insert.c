// The place is found in one critical section, the node linked in another: a node is lost.
// finds: velodrome doublechecker marathon atomizer
// blames: insert
#include <pthread.h>
#include <stdlib.h>

#include "steps.h"

struct node {
  struct node* next;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct node* head;

void insert(void) {
  struct node* node = malloc(sizeof *node);
  pthread_mutex_lock(&mutex);
  node->next = head;
  pthread_mutex_unlock(&mutex);
  let_other_in();
  pthread_mutex_lock(&mutex);
  head = node;
  pthread_mutex_unlock(&mutex);
}

static void* other(void* unused) {
  await_step(1);
  insert();
  next_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  insert();
  pthread_join(thread, 0);
  return head->next != NULL;
}
