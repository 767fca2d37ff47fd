// What a call does to threads, by the qualified name of the function that is called.
#pragma once

#include <cstddef>
#include <string_view>

namespace isosan {
namespace call_names {

struct NamePattern {
  std::string_view name;
  bool prefix;  // else the whole name
};

// Tells waiting threads to go on.
inline constexpr NamePattern kNotifies[] = {
    {"pthread_cond_signal", false},
    {"pthread_cond_broadcast", false},
    {"cnd_signal", false},
    {"cnd_broadcast", false},
    {"sem_post", false},
    {"std::condition_variable::notify", true},
    {"std::condition_variable_any::notify", true},
    {"std::_V2::condition_variable_any::notify", true},
    {"std::counting_semaphore::release", true},
    {"std::__semaphore_impl::_M_release", true},
    {"std::atomic::notify", true},
    {"std::__atomic_base::notify", true},
    {"std::latch::count_down", false},
};

inline constexpr NamePattern kTakesLock[] = {
    {"pthread_mutex_lock", false},
    {"pthread_mutex_trylock", false},
    {"pthread_mutex_timedlock", false},
    {"pthread_mutex_clocklock", false},
    {"pthread_rwlock_rdlock", false},
    {"pthread_rwlock_wrlock", false},
    {"pthread_rwlock_tryrdlock", false},
    {"pthread_rwlock_trywrlock", false},
    {"pthread_spin_lock", false},
    {"pthread_spin_trylock", false},
    {"mtx_lock", false},
    {"mtx_trylock", false},
    {"mtx_timedlock", false},
    {"std::mutex::lock", false},
    {"std::mutex::try_lock", false},
    {"std::recursive_mutex::lock", false},
    {"std::recursive_mutex::try_lock", false},
    {"std::timed_mutex::", true},
    {"std::recursive_timed_mutex::", true},
    {"std::shared_mutex::lock", true},
    {"std::shared_mutex::try_lock", true},
    {"std::shared_timed_mutex::", true},
    {"std::lock_guard::lock_guard", false},
    {"std::unique_lock::unique_lock", false},
    {"std::unique_lock::lock", false},
    {"std::scoped_lock::scoped_lock", false},
    {"std::shared_lock::shared_lock", false},
    {"std::shared_lock::lock", false},
    {"std::lock", false},
    {"std::try_lock", false},
};

inline constexpr NamePattern kGivesLockUp[] = {
    {"pthread_mutex_unlock", false},
    {"pthread_rwlock_unlock", false},
    {"pthread_spin_unlock", false},
    {"mtx_unlock", false},
    {"std::mutex::unlock", false},
    {"std::recursive_mutex::unlock", false},
    {"std::shared_mutex::unlock", true},
    {"std::lock_guard::~lock_guard", false},
    {"std::unique_lock::~unique_lock", false},
    {"std::unique_lock::unlock", false},
    {"std::scoped_lock::~scoped_lock", false},
    {"std::shared_lock::~shared_lock", false},
    {"std::shared_lock::unlock", false},
};

inline constexpr NamePattern kAtomicOperations[] = {
    {"std::atomic::", true},         {"std::__atomic_base::", true},
    {"std::__atomic_float::", true}, {"std::__atomic_ref::", true},
    {"std::atomic_flag::", true},    {"std::atomic_thread_fence", false},
    {"std::atomic_load", true},      {"std::atomic_store", true},
    {"std::atomic_exchange", true},  {"std::atomic_compare_exchange", true},
    {"std::atomic_fetch_", true},
};

inline constexpr NamePattern kStartsThread[] = {
    {"pthread_create", false},
    {"thrd_create", false},
    {"std::thread::thread", false},
    {"std::jthread::jthread", false},
    {"std::async", false},
    {"std::thread::_M_start_thread", false},  // what the constructors call
};

// Waits for another thread, for another process or for time to pass: neither such a function nor
// one that calls it can be atomic.
inline constexpr NamePattern kBlocks[] = {
    {"pthread_cond_wait", false},
    {"pthread_cond_timedwait", false},
    {"pthread_cond_clockwait", false},
    {"pthread_barrier_wait", false},
    {"cnd_wait", false},
    {"cnd_timedwait", false},
    {"sem_wait", false},
    {"sem_timedwait", false},
    {"sem_clockwait", false},
    {"std::condition_variable::wait", true},
    {"std::condition_variable_any::wait", true},
    {"std::_V2::condition_variable_any::wait", true},
    {"std::barrier::arrive_and_wait", true},
    {"std::barrier::wait", true},
    {"std::latch::wait", true},
    {"std::latch::arrive_and_wait", true},
    {"std::counting_semaphore::acquire", true},
    {"std::counting_semaphore::try_acquire_", true},
    {"std::__semaphore_impl::_M_acquire", true},
    {"std::__semaphore_impl::_M_try_acquire_", true},
    {"std::future::get", false},
    {"std::shared_future::get", false},
    {"std::__basic_future::wait", true},
    {"std::__basic_future::_M_get_result", false},
    {"std::atomic::wait", true},
    {"std::__atomic_base::wait", true},
    {"pthread_join", false},
    {"pthread_timedjoin_np", false},
    {"pthread_clockjoin_np", false},
    {"pthread_tryjoin_np", false},
    {"thrd_join", false},
    {"std::thread::join", false},
    {"std::jthread::join", false},
    {"std::jthread::~jthread", false},
    {"accept", false},
    {"accept4", false},
    {"poll", false},
    {"ppoll", false},
    {"select", false},
    {"pselect", false},
    {"epoll_wait", false},
    {"epoll_pwait", false},
    {"sigwait", false},
    {"sigwaitinfo", false},
    {"sigtimedwait", false},
    {"sigsuspend", false},
    {"pause", false},
    {"wait", false},
    {"waitpid", false},
    {"wait4", false},
    {"sleep", false},
    {"usleep", false},
    {"nanosleep", false},
    {"clock_nanosleep", false},
    {"thrd_sleep", false},
    {"std::this_thread::sleep_for", false},
    {"std::this_thread::sleep_until", false},
};

template <std::size_t n>
bool matches(std::string_view name, const NamePattern (&patterns)[n]) {
  for (const NamePattern& pattern : patterns)
    if (pattern.prefix ? name.starts_with(pattern.name) : name == pattern.name) return true;
  return false;
}

}  // namespace call_names

inline bool notifies(std::string_view name) {  // tells waiting threads to go on
  return call_names::matches(name, call_names::kNotifies);
}
// Waits for another thread, for another process or for time to pass.
inline bool waits(std::string_view name) { return call_names::matches(name, call_names::kBlocks); }
inline bool takes_lock(std::string_view name) {  // or tries to
  return call_names::matches(name, call_names::kTakesLock);
}
inline bool gives_lock_up(std::string_view name) {
  return call_names::matches(name, call_names::kGivesLockUp);
}
inline bool is_atomic_operation(std::string_view name) {  // of the C++ library, and not inlined yet
  return call_names::matches(name, call_names::kAtomicOperations);
}
inline bool starts_thread(std::string_view name) {
  return call_names::matches(name, call_names::kStartsThread);
}

}  // namespace isosan
