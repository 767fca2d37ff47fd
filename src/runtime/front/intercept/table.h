// Every intercepted function that has a real one behind it, X(result, name, parameters, arguments).
// One table: the pointers to the real functions, their resolution and the plain interceptors are
// made from it. (malloc and the like have no entry: behind them is __libc_malloc, with no look-up.)
#pragma once

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>

// Locks, conditions, barriers, once, semaphores, threads: each has its own body.
#define ISOSAN_INTERCEPTED_SYNC(X)                                                                 \
  X(int, pthread_mutex_lock, (pthread_mutex_t * m), (m))                                           \
  X(int, pthread_mutex_trylock, (pthread_mutex_t * m), (m))                                        \
  X(int, pthread_mutex_timedlock, (pthread_mutex_t * m, const timespec* until), (m, until))        \
  X(int, pthread_mutex_clocklock, (pthread_mutex_t * m, clockid_t clock, const timespec* until),   \
    (m, clock, until))                                                                             \
  X(int, pthread_mutex_unlock, (pthread_mutex_t * m), (m))                                         \
  X(int, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))                                       \
  X(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l))                                    \
  X(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const timespec* until), (l, until))    \
  X(int, pthread_rwlock_clockrdlock,                                                               \
    (pthread_rwlock_t * l, clockid_t clock, const timespec* until), (l, clock, until))             \
  X(int, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l))                                       \
  X(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l))                                    \
  X(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, const timespec* until), (l, until))    \
  X(int, pthread_rwlock_clockwrlock,                                                               \
    (pthread_rwlock_t * l, clockid_t clock, const timespec* until), (l, clock, until))             \
  X(int, pthread_rwlock_unlock, (pthread_rwlock_t * l), (l))                                       \
  X(int, pthread_spin_lock, (pthread_spinlock_t * l), (l))                                         \
  X(int, pthread_spin_trylock, (pthread_spinlock_t * l), (l))                                      \
  X(int, pthread_spin_unlock, (pthread_spinlock_t * l), (l))                                       \
  X(int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t * m), (c, m))                     \
  X(int, pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t * m, const timespec* until), \
    (c, m, until))                                                                                 \
  X(int, pthread_cond_clockwait,                                                                   \
    (pthread_cond_t * c, pthread_mutex_t * m, clockid_t clock, const timespec* until),             \
    (c, m, clock, until))                                                                          \
  X(int, pthread_cond_signal, (pthread_cond_t * c), (c))                                           \
  X(int, pthread_cond_broadcast, (pthread_cond_t * c), (c))                                        \
  X(int, pthread_barrier_init,                                                                     \
    (pthread_barrier_t * b, const pthread_barrierattr_t* attr, unsigned n), (b, attr, n))          \
  X(int, pthread_barrier_wait, (pthread_barrier_t * b), (b))                                       \
  X(int, pthread_once, (pthread_once_t * once, void (*f)()), (once, f))                            \
  X(int, sem_post, (sem_t * s), (s))                                                               \
  X(int, sem_wait, (sem_t * s), (s))                                                               \
  X(int, sem_trywait, (sem_t * s), (s))                                                            \
  X(int, sem_timedwait, (sem_t * s, const timespec* until), (s, until))                            \
  X(int, sem_clockwait, (sem_t * s, clockid_t clock, const timespec* until), (s, clock, until))    \
  X(int, mtx_lock, (mtx_t * m), (m))                                                               \
  X(int, mtx_trylock, (mtx_t * m), (m))                                                            \
  X(int, mtx_timedlock, (mtx_t * m, const timespec* until), (m, until))                            \
  X(int, mtx_unlock, (mtx_t * m), (m))                                                             \
  X(int, cnd_wait, (cnd_t * c, mtx_t * m), (c, m))                                                 \
  X(int, cnd_timedwait, (cnd_t * c, mtx_t * m, const timespec* until), (c, m, until))              \
  X(int, cnd_signal, (cnd_t * c), (c))                                                             \
  X(int, cnd_broadcast, (cnd_t * c), (c))                                                          \
  X(void, call_once, (once_flag * once, void (*f)()), (once, f))

// What initializes or destroys an object (objects.cc). Barriers are initialized in meetings.cc.
#define ISOSAN_INTERCEPTED_OBJECTS(X)                                                              \
  X(int, pthread_mutex_init, (pthread_mutex_t * object, const pthread_mutexattr_t* attributes),    \
    (object, attributes))                                                                          \
  X(int, pthread_mutex_destroy, (pthread_mutex_t * object), (object))                              \
  X(int, pthread_rwlock_init, (pthread_rwlock_t * object, const pthread_rwlockattr_t* attributes), \
    (object, attributes))                                                                          \
  X(int, pthread_rwlock_destroy, (pthread_rwlock_t * object), (object))                            \
  X(int, pthread_spin_init, (pthread_spinlock_t * object, int shared), (object, shared))           \
  X(int, pthread_spin_destroy, (pthread_spinlock_t * object), (object))                            \
  X(int, pthread_cond_init, (pthread_cond_t * object, const pthread_condattr_t* attributes),       \
    (object, attributes))                                                                          \
  X(int, pthread_cond_destroy, (pthread_cond_t * object), (object))                                \
  X(int, pthread_barrier_destroy, (pthread_barrier_t * object), (object))                          \
  X(int, sem_destroy, (sem_t * object), (object))                                                  \
  X(int, mtx_init, (mtx_t * object, int type), (object, type))                                     \
  X(void, mtx_destroy, (mtx_t * object), (object))                                                 \
  X(int, cnd_init, (cnd_t * object), (object))                                                     \
  X(void, cnd_destroy, (cnd_t * object), (object))

#define ISOSAN_INTERCEPTED_THREADS(X)                                                   \
  X(int, pthread_create,                                                                \
    (pthread_t * id, const pthread_attr_t* attr, void* (*f)(void*), void* argument),    \
    (id, attr, f, argument))                                                            \
  X(int, pthread_join, (pthread_t id, void** result), (id, result))                     \
  X(int, pthread_tryjoin_np, (pthread_t id, void** result), (id, result))               \
  X(int, pthread_timedjoin_np, (pthread_t id, void** result, const timespec* until),    \
    (id, result, until))                                                                \
  X(int, pthread_clockjoin_np,                                                          \
    (pthread_t id, void** result, clockid_t clock, const timespec* until),              \
    (id, result, clock, until))                                                         \
  X(int, pthread_detach, (pthread_t id), (id))                                          \
  X(int, thrd_create, (thrd_t * id, thrd_start_t f, void* argument), (id, f, argument)) \
  X(int, thrd_join, (thrd_t id, int* result), (id, result))                             \
  X(int, thrd_detach, (thrd_t id), (id))

// Calls that may block: the thread is at a safe point meanwhile, nothing else is done.
#define ISOSAN_INTERCEPTED_BLOCKING(X)                                                         \
  X(int, pselect,                                                                              \
    (int n, fd_set* r, fd_set* w, fd_set* e, const timespec* timeout, const sigset_t* mask),   \
    (n, r, w, e, timeout, mask))                                                               \
  X(pid_t, wait, (int* status), (status))                                                      \
  X(pid_t, waitpid, (pid_t pid, int* status, int options), (pid, status, options))             \
  X(int, waitid, (idtype_t type, id_t id, siginfo_t * info, int options),                      \
    (type, id, info, options))                                                                 \
  X(int, sigsuspend, (const sigset_t* mask), (mask))                                           \
  X(int, pause, (), ())                                                                        \
  X(int, flock, (int fd, int operation), (fd, operation))                                      \
  X(int, fsync, (int fd), (fd))                                                                \
  X(int, fdatasync, (int fd), (fd))                                                            \
  X(int, __poll_chk, (pollfd * fds, nfds_t n, int timeout, std::size_t room),                  \
    (fds, n, timeout, room))                                                                   \
  X(int, __ppoll_chk,                                                                          \
    (pollfd * fds, nfds_t n, const timespec* timeout, const sigset_t* mask, std::size_t room), \
    (fds, n, timeout, mask, room))                                                             \
  X(pid_t, wait3, (int* status, int options, rusage* usage), (status, options, usage))         \
  X(pid_t, wait4, (pid_t pid, int* status, int options, rusage* usage),                        \
    (pid, status, options, usage))                                                             \
  X(int, lockf, (int fd, int operation, off_t n), (fd, operation, n))                          \
  X(int, semop, (int id, sembuf* operations, std::size_t n), (id, operations, n))              \
  X(int, semtimedop, (int id, sembuf* operations, std::size_t n, const timespec* timeout),     \
    (id, operations, n, timeout))                                                              \
  X(ssize_t, sendfile, (int to, int from, off_t* at, std::size_t n), (to, from, at, n))        \
  X(ssize_t, sendfile64, (int to, int from, off64_t* at, std::size_t n), (to, from, at, n))    \
  X(ssize_t, splice,                                                                           \
    (int from, off64_t* from_at, int to, off64_t* to_at, std::size_t n, unsigned flags),       \
    (from, from_at, to, to_at, n, flags))

// Calls that wait until descriptors are ready (polls.cc).
#define ISOSAN_INTERCEPTED_POLLS(X)                                                               \
  X(int, epoll_ctl, (int fd, int operation, int polled, epoll_event* event),                      \
    (fd, operation, polled, event))                                                               \
  X(int, ppoll, (pollfd * fds, nfds_t n, const timespec* timeout, const sigset_t* mask),          \
    (fds, n, timeout, mask))                                                                      \
  X(int, epoll_wait, (int fd, epoll_event* events, int n, int timeout), (fd, events, n, timeout)) \
  X(int, epoll_pwait, (int fd, epoll_event* events, int n, int timeout, const sigset_t* mask),    \
    (fd, events, n, timeout, mask))                                                               \
  X(int, epoll_pwait2,                                                                            \
    (int fd, epoll_event* events, int n, const timespec* timeout, const sigset_t* mask),          \
    (fd, events, n, timeout, mask))

// Calls that only let time pass, or may do only that.
#define ISOSAN_INTERCEPTED_TIME(X)                                                            \
  X(int, nanosleep, (const timespec* time, timespec* left), (time, left))                     \
  X(int, clock_nanosleep, (clockid_t clock, int flags, const timespec* time, timespec* left), \
    (clock, flags, time, left))                                                               \
  X(int, usleep, (unsigned microseconds), (microseconds))                                     \
  X(unsigned, sleep, (unsigned seconds), (seconds))                                           \
  X(int, thrd_sleep, (const timespec* time, timespec* left), (time, left))                    \
  X(void, thrd_yield, (), ())                                                                 \
  X(int, sched_yield, (), ())                                                                 \
  X(int, poll, (pollfd * fds, nfds_t n, int timeout), (fds, n, timeout))                      \
  X(int, select, (int n, fd_set* r, fd_set* w, fd_set* e, timeval* timeout), (n, r, w, e, timeout))

// Calls that may block and that fill, or read, memory of the program.
#define ISOSAN_INTERCEPTED_IO(X)                                                                   \
  X(int, accept, (int fd, sockaddr* address, socklen_t* length), (fd, address, length))            \
  X(int, accept4, (int fd, sockaddr* address, socklen_t* length, int flags),                       \
    (fd, address, length, flags))                                                                  \
  X(int, connect, (int fd, const sockaddr* address, socklen_t length), (fd, address, length))      \
  X(int, close, (int fd), (fd))                                                                    \
  X(int, fclose, (std::FILE * file), (file))                                                       \
  X(int, dup2, (int from, int to), (from, to))                                                     \
  X(int, dup3, (int from, int to, int flags), (from, to, flags))                                   \
  X(int, socketpair, (int domain, int type, int protocol, int* ends),                              \
    (domain, type, protocol, ends))                                                                \
  X(ssize_t, read, (int fd, void* buffer, std::size_t n), (fd, buffer, n))                         \
  X(ssize_t, pread64, (int fd, void* buffer, std::size_t n, off64_t at), (fd, buffer, n, at))      \
  X(ssize_t, pread, (int fd, void* buffer, std::size_t n, off_t at), (fd, buffer, n, at))          \
  X(ssize_t, recv, (int fd, void* buffer, std::size_t n, int flags), (fd, buffer, n, flags))       \
  X(ssize_t, recvfrom,                                                                             \
    (int fd, void* buffer, std::size_t n, int flags, sockaddr* from, socklen_t* length),           \
    (fd, buffer, n, flags, from, length))                                                          \
  X(ssize_t, write, (int fd, const void* buffer, std::size_t n), (fd, buffer, n))                  \
  X(ssize_t, pwrite64, (int fd, const void* buffer, std::size_t n, off64_t at),                    \
    (fd, buffer, n, at))                                                                           \
  X(ssize_t, pwrite, (int fd, const void* buffer, std::size_t n, off_t at), (fd, buffer, n, at))   \
  X(ssize_t, send, (int fd, const void* buffer, std::size_t n, int flags), (fd, buffer, n, flags)) \
  X(ssize_t, sendto,                                                                               \
    (int fd, const void* buffer, std::size_t n, int flags, const sockaddr* to, socklen_t length),  \
    (fd, buffer, n, flags, to, length))                                                            \
  X(ssize_t, __read_chk, (int fd, void* buffer, std::size_t n, std::size_t room),                  \
    (fd, buffer, n, room))                                                                         \
  X(ssize_t, __pread_chk, (int fd, void* buffer, std::size_t n, off_t at, std::size_t room),       \
    (fd, buffer, n, at, room))                                                                     \
  X(ssize_t, __pread64_chk, (int fd, void* buffer, std::size_t n, off64_t at, std::size_t room),   \
    (fd, buffer, n, at, room))                                                                     \
  X(ssize_t, __recv_chk, (int fd, void* buffer, std::size_t n, std::size_t room, int flags),       \
    (fd, buffer, n, room, flags))                                                                  \
  X(ssize_t, __recvfrom_chk,                                                                       \
    (int fd, void* buffer, std::size_t n, std::size_t room, int flags, sockaddr* from,             \
     socklen_t* length),                                                                           \
    (fd, buffer, n, room, flags, from, length))                                                    \
  X(ssize_t, preadv, (int fd, const iovec* parts, int n, off_t at), (fd, parts, n, at))            \
  X(ssize_t, preadv64, (int fd, const iovec* parts, int n, off64_t at), (fd, parts, n, at))        \
  X(ssize_t, pwritev, (int fd, const iovec* parts, int n, off_t at), (fd, parts, n, at))           \
  X(ssize_t, pwritev64, (int fd, const iovec* parts, int n, off64_t at), (fd, parts, n, at))       \
  X(ssize_t, readv, (int fd, const iovec* parts, int n), (fd, parts, n))                           \
  X(ssize_t, writev, (int fd, const iovec* parts, int n), (fd, parts, n))                          \
  X(ssize_t, recvmsg, (int fd, msghdr* message, int flags), (fd, message, flags))                  \
  X(ssize_t, sendmsg, (int fd, const msghdr* message, int flags), (fd, message, flags))

#define ISOSAN_INTERCEPTED_MEMORY(X)                                                             \
  X(void*, mmap, (void* at, std::size_t n, int protection, int flags, int fd, off_t offset),     \
    (at, n, protection, flags, fd, offset))                                                      \
  X(void*, mmap64, (void* at, std::size_t n, int protection, int flags, int fd, off64_t offset), \
    (at, n, protection, flags, fd, offset))                                                      \
  X(int, munmap, (void* at, std::size_t n), (at, n))                                             \
  X(void*, memcpy, (void* to, const void* from, std::size_t n), (to, from, n))                   \
  X(void*, memmove, (void* to, const void* from, std::size_t n), (to, from, n))                  \
  X(void*, memset, (void* to, int byte, std::size_t n), (to, byte, n))

// Strings, blocks, formatted output: logged as ranges (strings.cc).
#define ISOSAN_INTERCEPTED_STRINGS(X)                                                              \
  X(std::size_t, strlen, (const char* s), (s))                                                     \
  X(std::size_t, strnlen, (const char* s, std::size_t n), (s, n))                                  \
  X(int, strcmp, (const char* a, const char* b), (a, b))                                           \
  X(int, strcasecmp, (const char* a, const char* b), (a, b))                                       \
  X(int, strncmp, (const char* a, const char* b, std::size_t n), (a, b, n))                        \
  X(int, strncasecmp, (const char* a, const char* b, std::size_t n), (a, b, n))                    \
  X(int, memcmp, (const void* a, const void* b, std::size_t n), (a, b, n))                         \
  X(int, bcmp, (const void* a, const void* b, std::size_t n), (a, b, n))                           \
  X(void*, memchr, (const void* at, int c, std::size_t n), (at, c, n))                             \
  X(void*, memrchr, (const void* at, int c, std::size_t n), (at, c, n))                            \
  X(char*, strchr, (const char* s, int c), (s, c))                                                 \
  X(char*, strchrnul, (const char* s, int c), (s, c))                                              \
  X(char*, strrchr, (const char* s, int c), (s, c))                                                \
  X(char*, strpbrk, (const char* s, const char* set), (s, set))                                    \
  X(char*, strstr, (const char* s, const char* what), (s, what))                                   \
  X(std::size_t, strspn, (const char* s, const char* set), (s, set))                               \
  X(std::size_t, strcspn, (const char* s, const char* set), (s, set))                              \
  X(char*, strcpy, (char* to, const char* from), (to, from))                                       \
  X(char*, stpcpy, (char* to, const char* from), (to, from))                                       \
  X(char*, __strcpy_chk, (char* to, const char* from, std::size_t room), (to, from, room))         \
  X(char*, __stpcpy_chk, (char* to, const char* from, std::size_t room), (to, from, room))         \
  X(char*, strncpy, (char* to, const char* from, std::size_t n), (to, from, n))                    \
  X(char*, __strncpy_chk, (char* to, const char* from, std::size_t n, std::size_t room),           \
    (to, from, n, room))                                                                           \
  X(char*, strcat, (char* to, const char* from), (to, from))                                       \
  X(char*, strncat, (char* to, const char* from, std::size_t n), (to, from, n))                    \
  X(char*, __strcat_chk, (char* to, const char* from, std::size_t room), (to, from, room))         \
  X(char*, __strncat_chk, (char* to, const char* from, std::size_t n, std::size_t room),           \
    (to, from, n, room))                                                                           \
  X(char*, strdup, (const char* s), (s))                                                           \
  X(char*, strndup, (const char* s, std::size_t n), (s, n))                                        \
  X(void*, __memcpy_chk, (void* to, const void* from, std::size_t n, std::size_t room),            \
    (to, from, n, room))                                                                           \
  X(void*, __memmove_chk, (void* to, const void* from, std::size_t n, std::size_t room),           \
    (to, from, n, room))                                                                           \
  X(void*, __mempcpy_chk, (void* to, const void* from, std::size_t n, std::size_t room),           \
    (to, from, n, room))                                                                           \
  X(void*, __memset_chk, (void* to, int byte, std::size_t n, std::size_t room),                    \
    (to, byte, n, room))                                                                           \
  X(int, vsprintf, (char* to, const char* format, va_list rest), (to, format, rest))               \
  X(int, vsnprintf, (char* to, std::size_t n, const char* format, va_list rest),                   \
    (to, n, format, rest))                                                                         \
  X(int, __vsprintf_chk, (char* to, int flag, std::size_t room, const char* format, va_list rest), \
    (to, flag, room, format, rest))                                                                \
  X(int, __vsnprintf_chk,                                                                          \
    (char* to, std::size_t n, int flag, std::size_t room, const char* format, va_list rest),       \
    (to, n, flag, room, format, rest))                                                             \
  X(std::size_t, fread, (void* buffer, std::size_t size, std::size_t n, std::FILE* file),          \
    (buffer, size, n, file))                                                                       \
  X(std::size_t, fwrite, (const void* buffer, std::size_t size, std::size_t n, std::FILE* file),   \
    (buffer, size, n, file))                                                                       \
  X(int, puts, (const char* s), (s))                                                               \
  X(int, fputs, (const char* s, std::FILE* file), (s, file))                                       \
  X(char*, fgets, (char* buffer, int n, std::FILE* file), (buffer, n, file))                       \
  X(void, qsort,                                                                                   \
    (void* at, std::size_t count, std::size_t size, int (*order)(const void*, const void*)),       \
    (at, count, size, order))

// What the world answers: the clock, random numbers (world.cc).
#define ISOSAN_INTERCEPTED_WORLD(X)                                                        \
  X(int, clock_gettime, (clockid_t clock, timespec * time), (clock, time))                 \
  X(int, gettimeofday, (timeval * time, void* zone), (time, zone))                         \
  X(time_t, time, (time_t * time), (time))                                                 \
  X(clock_t, clock, (), ())                                                                \
  X(int, timespec_get, (timespec * time, int base), (time, base))                          \
  X(ssize_t, getrandom, (void* buffer, std::size_t n, unsigned flags), (buffer, n, flags)) \
  X(int, getentropy, (void* buffer, std::size_t n), (buffer, n))                           \
  X(std::uint32_t, arc4random, (), ())                                                     \
  X(void, arc4random_buf, (void* buffer, std::size_t n), (buffer, n))                      \
  X(std::uint32_t, arc4random_uniform, (std::uint32_t bound), (bound))                     \
  X(unsigned, _ZNSt13random_device9_M_getvalEv, (void* device), (device))                  \
  X(int, open, (const char* path, int flags, mode_t mode), (path, flags, mode))            \
  X(int, open64, (const char* path, int flags, mode_t mode), (path, flags, mode))          \
  X(std::FILE*, fopen, (const char* path, const char* mode), (path, mode))                 \
  X(std::FILE*, fopen64, (const char* path, const char* mode), (path, mode))

#define ISOSAN_INTERCEPTED_PROCESS(X)                                                         \
  X(void*, dlopen, (const char* path, int flags), (path, flags))                              \
  X(int, sigaction, (int signal, const struct sigaction* action, struct sigaction* old),      \
    (signal, action, old))                                                                    \
  X(sighandler_t, signal, (int signal, sighandler_t handler), (signal, handler))              \
  X(int, kill, (pid_t process, int signal), (process, signal))                                \
  X(int, sigqueue, (pid_t process, int signal, const sigval value), (process, signal, value)) \
  X(int, pthread_kill, (pthread_t thread, int signal), (thread, signal))                      \
  X(int, pthread_sigqueue, (pthread_t thread, int signal, const sigval value),                \
    (thread, signal, value))                                                                  \
  X(int, sigwait, (const sigset_t* set, int* signal), (set, signal))                          \
  X(int, sigwaitinfo, (const sigset_t* set, siginfo_t* info), (set, info))                    \
  X(int, sigtimedwait, (const sigset_t* set, siginfo_t* info, const timespec* timeout),       \
    (set, info, timeout))                                                                     \
  X(void, abort, (), ())                                                                      \
  X(void, __assert_fail,                                                                      \
    (const char* what, const char* file, unsigned line, const char* function),                \
    (what, file, line, function))                                                             \
  X(void, longjmp, (void* buffer, int value), (buffer, value))                                \
  X(void, _longjmp, (void* buffer, int value), (buffer, value))                               \
  X(void, siglongjmp, (void* buffer, int value), (buffer, value))                             \
  X(void, __longjmp_chk, (void* buffer, int value), (buffer, value))                          \
  X(int, sigprocmask, (int how, const sigset_t* set, sigset_t* old), (how, set, old))         \
  X(int, pthread_sigmask, (int how, const sigset_t* set, sigset_t* old), (how, set, old))     \
  X(int, clone,                                                                               \
    (int (*f)(void*), void* stack, int flags, void* argument, pid_t* parent, void* tls,       \
     pid_t* child),                                                                           \
    (f, stack, flags, argument, parent, tls, child))                                          \
  X(long, syscall, (long number, long a, long b, long c, long d, long e, long f),             \
    (number, a, b, c, d, e, f))

// OpenMP, of libgomp and of libomp; null where the program has none.
#define ISOSAN_INTERCEPTED_OPENMP(X)                                                               \
  X(void, GOMP_parallel, (void (*f)(void*), void* data, unsigned threads, unsigned flags),         \
    (f, data, threads, flags))                                                                     \
  X(unsigned, GOMP_parallel_reductions,                                                            \
    (void (*f)(void*), void* data, unsigned threads, unsigned flags), (f, data, threads, flags))   \
  X(void, GOMP_parallel_sections,                                                                  \
    (void (*f)(void*), void* data, unsigned threads, unsigned count, unsigned flags),              \
    (f, data, threads, count, flags))                                                              \
  X(void, GOMP_parallel_loop_static,                                                               \
    (void (*f)(void*), void* data, unsigned threads, long first, long last, long step, long chunk, \
     unsigned flags),                                                                              \
    (f, data, threads, first, last, step, chunk, flags))                                           \
  X(void, GOMP_parallel_loop_dynamic,                                                              \
    (void (*f)(void*), void* data, unsigned threads, long first, long last, long step, long chunk, \
     unsigned flags),                                                                              \
    (f, data, threads, first, last, step, chunk, flags))                                           \
  X(void, GOMP_parallel_loop_guided,                                                               \
    (void (*f)(void*), void* data, unsigned threads, long first, long last, long step, long chunk, \
     unsigned flags),                                                                              \
    (f, data, threads, first, last, step, chunk, flags))                                           \
  X(void, GOMP_parallel_loop_nonmonotonic_dynamic,                                                 \
    (void (*f)(void*), void* data, unsigned threads, long first, long last, long step, long chunk, \
     unsigned flags),                                                                              \
    (f, data, threads, first, last, step, chunk, flags))                                           \
  X(void, GOMP_parallel_loop_nonmonotonic_guided,                                                  \
    (void (*f)(void*), void* data, unsigned threads, long first, long last, long step, long chunk, \
     unsigned flags),                                                                              \
    (f, data, threads, first, last, step, chunk, flags))                                           \
  X(void, GOMP_parallel_loop_runtime,                                                              \
    (void (*f)(void*), void* data, unsigned threads, long first, long last, long step,             \
     unsigned flags),                                                                              \
    (f, data, threads, first, last, step, flags))                                                  \
  X(void, GOMP_parallel_loop_nonmonotonic_runtime,                                                 \
    (void (*f)(void*), void* data, unsigned threads, long first, long last, long step,             \
     unsigned flags),                                                                              \
    (f, data, threads, first, last, step, flags))                                                  \
  X(void, GOMP_parallel_loop_maybe_nonmonotonic_runtime,                                           \
    (void (*f)(void*), void* data, unsigned threads, long first, long last, long step,             \
     unsigned flags),                                                                              \
    (f, data, threads, first, last, step, flags))                                                  \
  X(void, GOMP_barrier, (), ())                                                                    \
  X(void, GOMP_loop_end, (), ())                                                                   \
  X(void, GOMP_sections_end, (), ())                                                               \
  X(void, GOMP_critical_start, (), ())                                                             \
  X(void, GOMP_critical_end, (), ())                                                               \
  X(void, GOMP_atomic_start, (), ())                                                               \
  X(void, GOMP_atomic_end, (), ())                                                                 \
  X(void, GOMP_critical_name_start, (void** lock), (lock))                                         \
  X(void, GOMP_critical_name_end, (void** lock), (lock))                                           \
  X(void, omp_set_lock, (void* lock), (lock))                                                      \
  X(void, omp_unset_lock, (void* lock), (lock))                                                    \
  X(int, omp_test_lock, (void* lock), (lock))                                                      \
  X(int, omp_get_thread_num, (), ())                                                               \
  X(int, omp_get_num_threads, (), ())                                                              \
  X(int, omp_get_max_threads, (), ())                                                              \
  X(void, __kmpc_fork_call, (void* at, int count, void (*f)(int*, int*, ...), ...),                \
    (at, count, f))                                                                                \
  X(void, __kmpc_push_num_threads, (void* at, int thread, int threads), (at, thread, threads))     \
  X(void, __kmpc_barrier, (void* at, int thread), (at, thread))                                    \
  X(void, __kmpc_critical, (void* at, int thread, void* lock), (at, thread, lock))                 \
  X(void, __kmpc_critical_with_hint, (void* at, int thread, void* lock, unsigned hint),            \
    (at, thread, lock, hint))                                                                      \
  X(void, __kmpc_end_critical, (void* at, int thread, void* lock), (at, thread, lock))             \
  X(int, __kmpc_reduce,                                                                            \
    (void* at, int thread, int count, std::size_t size, void* data, void (*f)(void*, void*),       \
     void* lock),                                                                                  \
    (at, thread, count, size, data, f, lock))                                                      \
  X(int, __kmpc_reduce_nowait,                                                                     \
    (void* at, int thread, int count, std::size_t size, void* data, void (*f)(void*, void*),       \
     void* lock),                                                                                  \
    (at, thread, count, size, data, f, lock))                                                      \
  X(void, __kmpc_end_reduce, (void* at, int thread, void* lock), (at, thread, lock))               \
  X(void, __kmpc_end_reduce_nowait, (void* at, int thread, void* lock), (at, thread, lock))

// Loops and sections of OpenMP whose pieces go to whichever thread asks next.
#define ISOSAN_INTERCEPTED_OPENMP_LOOPS(X)                                                         \
  X(bool, GOMP_loop_dynamic_start,                                                                 \
    (long first, long last, long step, long chunk, long* from, long* to),                          \
    (first, last, step, chunk, from, to))                                                          \
  X(bool, GOMP_loop_dynamic_next, (long* from, long* to), (from, to))                              \
  X(bool, GOMP_loop_ull_dynamic_start,                                                             \
    (bool up, unsigned long long first, unsigned long long last, unsigned long long step,          \
     unsigned long long chunk, unsigned long long* from, unsigned long long* to),                  \
    (up, first, last, step, chunk, from, to))                                                      \
  X(bool, GOMP_loop_ull_dynamic_next, (unsigned long long* from, unsigned long long* to),          \
    (from, to))                                                                                    \
  X(bool, GOMP_loop_guided_start,                                                                  \
    (long first, long last, long step, long chunk, long* from, long* to),                          \
    (first, last, step, chunk, from, to))                                                          \
  X(bool, GOMP_loop_guided_next, (long* from, long* to), (from, to))                               \
  X(bool, GOMP_loop_ull_guided_start,                                                              \
    (bool up, unsigned long long first, unsigned long long last, unsigned long long step,          \
     unsigned long long chunk, unsigned long long* from, unsigned long long* to),                  \
    (up, first, last, step, chunk, from, to))                                                      \
  X(bool, GOMP_loop_ull_guided_next, (unsigned long long* from, unsigned long long* to),           \
    (from, to))                                                                                    \
  X(bool, GOMP_loop_nonmonotonic_dynamic_start,                                                    \
    (long first, long last, long step, long chunk, long* from, long* to),                          \
    (first, last, step, chunk, from, to))                                                          \
  X(bool, GOMP_loop_nonmonotonic_dynamic_next, (long* from, long* to), (from, to))                 \
  X(bool, GOMP_loop_ull_nonmonotonic_dynamic_start,                                                \
    (bool up, unsigned long long first, unsigned long long last, unsigned long long step,          \
     unsigned long long chunk, unsigned long long* from, unsigned long long* to),                  \
    (up, first, last, step, chunk, from, to))                                                      \
  X(bool, GOMP_loop_ull_nonmonotonic_dynamic_next,                                                 \
    (unsigned long long* from, unsigned long long* to), (from, to))                                \
  X(bool, GOMP_loop_nonmonotonic_guided_start,                                                     \
    (long first, long last, long step, long chunk, long* from, long* to),                          \
    (first, last, step, chunk, from, to))                                                          \
  X(bool, GOMP_loop_nonmonotonic_guided_next, (long* from, long* to), (from, to))                  \
  X(bool, GOMP_loop_ull_nonmonotonic_guided_start,                                                 \
    (bool up, unsigned long long first, unsigned long long last, unsigned long long step,          \
     unsigned long long chunk, unsigned long long* from, unsigned long long* to),                  \
    (up, first, last, step, chunk, from, to))                                                      \
  X(bool, GOMP_loop_ull_nonmonotonic_guided_next,                                                  \
    (unsigned long long* from, unsigned long long* to), (from, to))                                \
  X(unsigned, GOMP_sections_start, (unsigned count), (count))                                      \
  X(unsigned, GOMP_sections_next, (), ())                                                          \
  X(void, __kmpc_dispatch_init_4,                                                                  \
    (void* at, int thread, int schedule, int first, int last, int step, int chunk),                \
    (at, thread, schedule, first, last, step, chunk))                                              \
  X(int, __kmpc_dispatch_next_4,                                                                   \
    (void* at, int thread, int* is_last, int* from, int* to, int* step),                           \
    (at, thread, is_last, from, to, step))                                                         \
  X(void, __kmpc_dispatch_init_4u,                                                                 \
    (void* at, int thread, int schedule, unsigned first, unsigned last, int step, int chunk),      \
    (at, thread, schedule, first, last, step, chunk))                                              \
  X(int, __kmpc_dispatch_next_4u,                                                                  \
    (void* at, int thread, int* is_last, unsigned* from, unsigned* to, int* step),                 \
    (at, thread, is_last, from, to, step))                                                         \
  X(void, __kmpc_dispatch_init_8,                                                                  \
    (void* at, int thread, int schedule, std::int64_t first, std::int64_t last, std::int64_t step, \
     std::int64_t chunk),                                                                          \
    (at, thread, schedule, first, last, step, chunk))                                              \
  X(int, __kmpc_dispatch_next_8,                                                                   \
    (void* at, int thread, int* is_last, std::int64_t* from, std::int64_t* to,                     \
     std::int64_t* step),                                                                          \
    (at, thread, is_last, from, to, step))                                                         \
  X(void, __kmpc_dispatch_init_8u,                                                                 \
    (void* at, int thread, int schedule, std::uint64_t first, std::uint64_t last,                  \
     std::int64_t step, std::int64_t chunk),                                                       \
    (at, thread, schedule, first, last, step, chunk))                                              \
  X(int, __kmpc_dispatch_next_8u,                                                                  \
    (void* at, int thread, int* is_last, std::uint64_t* from, std::uint64_t* to,                   \
     std::int64_t* step),                                                                          \
    (at, thread, is_last, from, to, step))

#define ISOSAN_INTERCEPTED(X)        \
  ISOSAN_INTERCEPTED_SYNC(X)         \
  ISOSAN_INTERCEPTED_OBJECTS(X)      \
  ISOSAN_INTERCEPTED_THREADS(X)      \
  ISOSAN_INTERCEPTED_OPENMP(X)       \
  ISOSAN_INTERCEPTED_OPENMP_LOOPS(X) \
  ISOSAN_INTERCEPTED_BLOCKING(X)     \
  ISOSAN_INTERCEPTED_POLLS(X)        \
  ISOSAN_INTERCEPTED_TIME(X)         \
  ISOSAN_INTERCEPTED_IO(X)           \
  ISOSAN_INTERCEPTED_MEMORY(X)       \
  ISOSAN_INTERCEPTED_STRINGS(X)      \
  ISOSAN_INTERCEPTED_WORLD(X)        \
  ISOSAN_INTERCEPTED_PROCESS(X)
