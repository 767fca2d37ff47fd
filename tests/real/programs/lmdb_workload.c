/* Four threads on one memory-mapped database: two move money between accounts, each move a
 * transaction; two read snapshots without any lock and sum them up. The sum never changes. Prints it.
 *   lmdb_workload FOLDER ROUNDS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "lmdb.h"

enum { kAccounts = 50, kThreads = 4, kStart = 1000 };

static MDB_env* environment;
static MDB_dbi accounts;
static int rounds;

static void check(int status, const char* what) {
  if (status == 0) return;
  fprintf(stderr, "%s: %s\n", what, mdb_strerror(status));
  exit(1);
}

static long get(MDB_txn* transaction, int account) {
  MDB_val key = {sizeof account, &account}, value;
  check(mdb_get(transaction, accounts, &key, &value), "get");
  return *(long*)value.mv_data;
}

static void put(MDB_txn* transaction, int account, long balance) {
  MDB_val key = {sizeof account, &account}, value = {sizeof balance, &balance};
  check(mdb_put(transaction, accounts, &key, &value, 0), "put");
}

static MDB_txn* begin(unsigned flags) {
  MDB_txn* transaction;
  check(mdb_txn_begin(environment, NULL, flags, &transaction), "begin");
  return transaction;
}

static void transfer(unsigned* seed) {
  const int from = (int)(rand_r(seed) % kAccounts), to = (int)(rand_r(seed) % kAccounts);
  MDB_txn* transaction = begin(0);
  put(transaction, from, get(transaction, from) - 7);
  put(transaction, to, get(transaction, to) + 7);
  check(mdb_txn_commit(transaction), "commit");
}

static long sum(void) {
  long result = 0;
  MDB_txn* transaction = begin(MDB_RDONLY);
  for (int i = 0; i < kAccounts; ++i) result += get(transaction, i);
  mdb_txn_abort(transaction);
  return result;
}

static void* work(void* argument) {
  const size_t me = (size_t)argument;
  unsigned seed = (unsigned)me;
  for (int i = 0; i < rounds; ++i) {
    if (me % 2 == 0) {
      transfer(&seed);
    } else if (sum() != (long)kAccounts * kStart) {
      fprintf(stderr, "the sum has changed\n");
      exit(1);
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  rounds = atoi(argv[2]);
  check(mdb_env_create(&environment), "create");
  check(mdb_env_set_mapsize(environment, 256u << 20), "mapsize");
  check(mdb_env_open(environment, argv[1], MDB_NOSYNC | MDB_NOMETASYNC, 0600), "open");
  MDB_txn* transaction = begin(0);
  check(mdb_dbi_open(transaction, NULL, 0, &accounts), "dbi_open");
  for (int i = 0; i < kAccounts; ++i) put(transaction, i, kStart);
  check(mdb_txn_commit(transaction), "commit");
  pthread_t threads[kThreads];
  for (size_t i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  printf("%ld\n", sum());
  mdb_env_close(environment);
  return 0;
}
