// A sorted list locked hand over hand: the next node's lock is taken before this one's is given up.
#include <pthread.h>
#include <stdlib.h>

struct node {
  pthread_mutex_t mutex;
  int key;
  struct node* next;
};
static struct node head = {PTHREAD_MUTEX_INITIALIZER, -1, 0};

static void insert(int key) {
  struct node* fresh = malloc(sizeof *fresh);
  pthread_mutex_init(&fresh->mutex, 0);
  fresh->key = key;
  struct node* at = &head;
  pthread_mutex_lock(&at->mutex);
  while (at->next != NULL && at->next->key < key) {
    struct node* next = at->next;
    pthread_mutex_lock(&next->mutex);
    pthread_mutex_unlock(&at->mutex);
    at = next;
  }
  fresh->next = at->next;
  at->next = fresh;
  pthread_mutex_unlock(&at->mutex);
}

static void* work(void* from) {
  for (int i = 0; i < 20; ++i) insert((i * 7) % 20 * 2 + (from != 0));
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, &head);
  work(0);
  pthread_join(other, 0);
  int count = 0;
  for (struct node* n = head.next; n != NULL; n = n->next) count += n->key == count;
  return count != 40;
}
