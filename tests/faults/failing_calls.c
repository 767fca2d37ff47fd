// Preloaded: the Nth call of a function fails, and all later ones if asked.
//   FAIL_CALL=NAME:N:ERRNO[:always]   fails the Nth call (from 0) with that number
//   FAIL_IN=PROGRAM                   only in a process whose file has this name
//   FAIL_COUNT=FILE                   fails nothing; FILE gets a line for each call: its name
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static char wanted[32];
static int left, error, always, counting = -1;

__attribute__((constructor)) static void read_environment(void) {
  const char* in = getenv("FAIL_IN");
  if (in != NULL && strcmp(in, program_invocation_short_name) != 0) return;
  const char* count = getenv("FAIL_COUNT");
  if (count != NULL)
    counting =
        (int)syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char* what = getenv("FAIL_CALL");
  if (what == NULL) return;
  char rest[16] = "";
  sscanf(what, "%31[^:]:%d:%d:%15s", wanted, &left, &error, rest);
  always = strcmp(rest, "always") == 0;
}

static int fails(const char* name) {
  if (counting >= 0) {
    char line[40];
    const int length = snprintf(line, sizeof line, "%s\n", name);
    syscall(SYS_write, counting, line, (size_t)length);
  }
  if (strcmp(name, wanted) != 0) return 0;
  const int now = __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED);
  if (now > 0 || (now < 0 && !always)) return 0;
  errno = error;
  return 1;
}

#define FORWARD(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRAP(result, failed, name, parameters, arguments) \
  result name parameters { return fails(#name) ? (failed) : FORWARD(name) arguments; }

WRAP(int, -1, memfd_create, (const char* name, unsigned flags), (name, flags))
WRAP(int, -1, ftruncate, (int fd, off_t size), (fd, size))
WRAP(int, -1, fallocate, (int fd, int mode, off_t from, off_t size), (fd, mode, from, size))
WRAP(void*, MAP_FAILED, mmap, (void* at, size_t size, int how, int flags, int fd, off_t from),
     (at, size, how, flags, fd, from))
WRAP(ssize_t, -1, pwrite, (int fd, const void* from, size_t size, off_t at), (fd, from, size, at))
WRAP(ssize_t, -1, write, (int fd, const void* from, size_t size), (fd, from, size))
WRAP(ssize_t, -1, read, (int fd, void* to, size_t size), (fd, to, size))
WRAP(int, -1, pipe2, (int fds[2], int flags), (fds, flags))
WRAP(int, -1, pipe, (int fds[2]), (fds))
WRAP(int, -1, socketpair, (int domain, int type, int protocol, int fds[2]),
     (domain, type, protocol, fds))
WRAP(int, -1, dup, (int fd), (fd))
WRAP(int, -1, rename, (const char* from, const char* to), (from, to))
WRAP(char*, NULL, mkdtemp, (char* pattern), (pattern))
WRAP(int, -1, mkstemp, (char* pattern), (pattern))
WRAP(ssize_t, -1, readlink, (const char* path, char* to, size_t size), (path, to, size))
WRAP(pid_t, -1, fork, (void), ())

int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* files,
                const posix_spawnattr_t* attributes, char* const* arguments,
                char* const* environment) {
  return fails("posix_spawn")
             ? error
             : FORWARD(posix_spawn)(child, path, files, attributes, arguments, environment);
}
int fcntl(int fd, int what, ...) {
  va_list rest;
  va_start(rest, what);
  void* argument = va_arg(rest, void*);
  va_end(rest);
  return fails("fcntl") ? -1 : FORWARD(fcntl)(fd, what, argument);
}
int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);  // read by the kernel only where it was given
  va_end(rest);
  return fails("open") ? -1 : FORWARD(open)(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = va_arg(rest, mode_t);  // read by the kernel only where it was given
  va_end(rest);
  return fails("openat") ? -1 : FORWARD(openat)(folder, path, flags, mode);
}
