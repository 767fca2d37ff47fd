// A table with one lock for each bucket.
#include <pthread.h>

enum { kBuckets = 4 };
struct bucket {
  pthread_mutex_t mutex;
  int count, last;
};
static struct bucket buckets[kBuckets];

static void insert(int key) {
  struct bucket* b = &buckets[key % kBuckets];
  pthread_mutex_lock(&b->mutex);
  ++b->count;
  b->last = key;
  pthread_mutex_unlock(&b->mutex);
}

static void* work(void* unused) {
  for (int i = 0; i < 300; ++i) insert(i);
  return unused;
}

int main(void) {
  for (int i = 0; i < kBuckets; ++i) pthread_mutex_init(&buckets[i].mutex, 0);
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return buckets[0].count != 225 || buckets[3].last != 299;
}
