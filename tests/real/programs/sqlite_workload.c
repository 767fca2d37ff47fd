/* Threads move money between the rows of one table, each through a connection of its own, while
 * others sum it up; then all of them do the same through one shared connection. The sum never
 * changes. Prints what is left.
 *   workload FILE [TIMES]     TIMES multiplies the work */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

enum { kAccounts = 20, kWriters = 3, kReaders = 2, kTransfers = 150, kSums = 60, kStart = 1000 };

static const char* file;
static int times;

static void fail(sqlite3* db, const char* what) {
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
  exit(1);
}

static void execute(sqlite3* db, const char* sql) {
  int status;
  while ((status = sqlite3_exec(db, sql, NULL, NULL, NULL)) == SQLITE_BUSY ||
         status == SQLITE_LOCKED) {
  }
  if (status != SQLITE_OK) fail(db, sql);
}

static long number(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) fail(db, sql);
  int status;
  while ((status = sqlite3_step(statement)) == SQLITE_BUSY) sqlite3_reset(statement);
  if (status != SQLITE_ROW) fail(db, sql);
  const long result = (long)sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  return result;
}

static sqlite3* open_database(void) {
  sqlite3* db;
  if (sqlite3_open(file, &db) != SQLITE_OK) fail(db, file);
  sqlite3_busy_timeout(db, 20000);
  execute(db, "PRAGMA synchronous = OFF");
  return db;
}

static void transfer(sqlite3* db, unsigned* seed) {
  char sql[256];
  const int from = (int)(rand_r(seed) % kAccounts), to = (int)(rand_r(seed) % kAccounts);
  snprintf(sql, sizeof sql,
           "UPDATE account SET balance = balance + CASE id WHEN %d THEN -7 ELSE 7 END"
           " WHERE id IN (%d, %d) AND %d <> %d",
           from, from, to, from, to);
  execute(db, sql);
}

struct Job {
  sqlite3* shared; /* NULL: a connection of its own */
  unsigned seed;
};

static void* writer(void* argument) {
  struct Job* job = argument;
  sqlite3* db = job->shared ? job->shared : open_database();
  for (int i = 0; i < times * kTransfers; ++i) transfer(db, &job->seed);
  if (!job->shared) sqlite3_close(db);
  return NULL;
}

static void* reader(void* argument) {
  struct Job* job = argument;
  sqlite3* db = job->shared ? job->shared : open_database();
  for (int i = 0; i < times * kSums; ++i) {
    const long sum = number(db, "SELECT sum(balance) FROM account");
    if (sum != (long)kAccounts * kStart) {
      fprintf(stderr, "sum is %ld\n", sum);
      exit(1);
    }
  }
  if (!job->shared) sqlite3_close(db);
  return NULL;
}

static void all_at_once(sqlite3* shared) {
  pthread_t threads[kWriters + kReaders];
  struct Job jobs[kWriters + kReaders];
  for (int i = 0; i < kWriters + kReaders; ++i) {
    jobs[i] = (struct Job){shared, (unsigned)i + 1};
    pthread_create(&threads[i], NULL, i < kWriters ? writer : reader, &jobs[i]);
  }
  for (int i = 0; i < kWriters + kReaders; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
  file = argc > 1 ? argv[1] : "bank.db";
  times = argc > 2 ? atoi(argv[2]) : 1;
  remove(file);
  sqlite3* db = open_database();
  execute(db, "PRAGMA journal_mode = WAL");
  execute(db, "CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER)");
  for (int i = 0; i < kAccounts; ++i) {
    char sql[100];
    snprintf(sql, sizeof sql, "INSERT INTO account VALUES (%d, %d)", i, kStart);
    execute(db, sql);
  }
  all_at_once(NULL);
  all_at_once(db);
  execute(db, "PRAGMA integrity_check");
  printf("threadsafe %d, %ld accounts, sum %ld\n", sqlite3_threadsafe(),
         number(db, "SELECT count(*) FROM account"),
         number(db, "SELECT sum(balance) FROM account"));
  sqlite3_close(db);
  return 0;
}
