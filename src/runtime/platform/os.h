// The kernel as the runtime uses it: raw system calls, never the libc functions that it intercepts.
// Errors are negative errno values.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace isosan::rt {

// One line on stderr, "isosan: " in front; then the process ends with status 2.
[[noreturn]] void die(const char* what, const char* detail = "");
// One line on stderr, and the program goes on.
void warn(const char* what, const char* detail = "");
// The same, but only if stderr is a terminal or a pipe that takes the line at once, so that the
// write raises no signal and does not wait.
void warn_if_safe(const char* what);

// Does the program have rights that its caller may not have (setuid, setgid, file capabilities)?
// Then the environment cannot be trusted. The kernel says so (AT_SECURE).
bool has_more_rights_than_caller();

// Zeroed, private, not reserved. Dies if there is none.
void* map_pages(std::size_t bytes);
// The same at a fixed place that must be free; false if it is not to be had.
bool map_fixed(std::uint64_t address, std::size_t bytes);
bool is_mapped(std::uint64_t page);
void* map_shared(int fd, std::size_t bytes);                   // null: failed
void release_pages(std::uint64_t address, std::size_t bytes);  // they read as zero again
// mremap; MAP_FAILED and errno as the libc function.
void* remap(void* at, std::size_t old, std::size_t bytes, int flags, void* to);
// First resident byte of [low, high), which must be one mapping; high if none is.
std::uint64_t lowest_resident(std::uint64_t low, std::uint64_t high);
std::int64_t file_size(int fd);  // negative: no such descriptor
// Of this user or of root, and its size is sealed (F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_SEAL).
bool is_own_sealed_memory(int fd);
void close_descriptor(int fd);

std::uint32_t thread_id();
std::uint32_t process_id();
void yield_cpu();
std::uint64_t microseconds_now();  // monotonic
void sleep_microseconds(std::uint32_t microseconds);
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::uint32_t milliseconds);
void futex_wake(std::atomic<std::uint32_t>& word);
// The same for a word that is this process's own, and one waiter: cheaper.
void own_futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                    std::uint32_t milliseconds);
void own_futex_wake(std::atomic<std::uint32_t>& word);
bool process_alive(std::uint32_t pid);
bool register_membarrier();                  // so that the reader's barriers reach this process
[[noreturn]] void exit_at_once(int status);  // no destructor, no handler
// Stops the process, at once: this thread executes nothing more before that.
void stop_process(std::uint32_t pid);
bool thread_sleeps(std::uint32_t tid);  // a thread of this process waits in the kernel
bool thread_exists(std::uint32_t pid, std::uint32_t tid);
bool descriptor_is_ready(int fd, short events);  // a call would not wait
// With a siginfo_t. A thread may send itself whatever it got from the kernel.
void queue_signal(std::uint32_t pid, std::uint32_t tid, int signal, void* info);
std::uint64_t set_signal_mask(std::uint64_t mask);  // bit n - 1: signal n; returns the last one
void unblock_signal(int signal);                    // of this thread
// The end of the alternate signal stack; null: there is none, or the thread is on it.
void* top_of_free_signal_stack();

// Calls f(begin, end) for each mapping of the process.
void for_each_mapping(void (*f)(std::uint64_t begin, std::uint64_t end));

}  // namespace isosan::rt
