#include "suite/run/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <system_error>

#include "base/unnamed_file.h"
#include "base/user_error.h"

namespace isosan::suite {
namespace {

using Clock = std::chrono::steady_clock;

// What the program writes, in an unnamed file: unlike a pipe it never makes the program wait.
class Kept {
 public:
  Kept() : fd_(open_unnamed_file("room for what a test writes")) {}
  ~Kept() { ::close(fd_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  int fd() const { return fd_; }
  std::string text() const {
    std::string text;
    char part[1 << 16];
    for (off_t at = 0;;) {
      const ssize_t got = ::pread(fd_, part, sizeof part, at);
      if (got <= 0) return text;
      text.append(part, static_cast<std::size_t>(got));
      at += got;
    }
  }

 private:
  int fd_;
};

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::map<std::string, std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text = *one;
    const std::size_t at = text.find('=');
    if (at != text.npos) all[text.substr(0, at)] = text.substr(at + 1);
  }
  for (const auto& [name, value] : added) all[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : all) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// What this thread starts meanwhile may use one processor only.
class OnProcessor {
 public:
  explicit OnProcessor(int cpu) {
    ::sched_getaffinity(0, sizeof before_, &before_);
    if (cpu < 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(cpu), &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  ~OnProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }
  OnProcessor(const OnProcessor&) = delete;
  OnProcessor& operator=(const OnProcessor&) = delete;

 private:
  cpu_set_t before_;
};

pid_t start(const ProcessRequest& request, const Kept& output, const Kept& errors) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, output.fd(), 1);
  ::posix_spawn_file_actions_adddup2(&files, errors.fd(), 2);
  if (!request.folder.empty())
    ::posix_spawn_file_actions_addchdir_np(&files, request.folder.c_str());
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t ours;  // a program expects its signals as they usually are
  ::sigemptyset(&ours);
  ::posix_spawnattr_setsigmask(&attributes, &ours);
  for (const int signal : {SIGINT, SIGTERM, SIGXFSZ}) ::sigaddset(&ours, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &ours);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const std::vector<std::string> environment = environment_with(request.environment);
  pid_t pid = 0;
  const OnProcessor there(request.cpu);
  const int error = ::posix_spawnp(&pid, request.command[0].c_str(), &files, &attributes,
                                   pointers(request.command).data(), pointers(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    throw UserError(fmt::format("cannot run '{}'{}: {}", request.command[0],
                                request.folder.empty() ? "" : " in " + request.folder,
                                std::strerror(error)));
  }
  return pid;
}

// Waits until the process has ended, for at most this long.
bool ended_within(int process, std::chrono::milliseconds time) {
  pollfd one{process, POLLIN, 0};
  return ::poll(&one, 1, static_cast<int>(time.count())) == 1;
}

class Limit {
 public:
  Limit(const ProcessRequest& request, const std::atomic<bool>& stop)
      : stop_(stop),
        end_(request.limit.count() == 0 ? Clock::time_point::max() : Clock::now() + request.limit) {
  }
  // Returns when the process has ended, or has to.
  void wait(int process, ProcessOutcome& outcome) const {
    constexpr std::chrono::milliseconds kLook{50};
    while (!ended_within(process, kLook)) {
      outcome.stopped = stop_.load();
      outcome.timed_out = Clock::now() > end_;
      if (outcome.stopped || outcome.timed_out) return;
    }
  }

 private:
  const std::atomic<bool>& stop_;
  Clock::time_point end_;
};

}  // namespace

ProcessOutcome run_process(const ProcessRequest& request, const std::atomic<bool>& stop) {
  const Kept output, errors;
  const auto began = Clock::now();
  const pid_t pid = start(request, output, errors);
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (process < 0) {
    const int error = errno;
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    throw std::system_error(error, std::generic_category(), "a test cannot be waited for");
  }
  ProcessOutcome outcome;
  Limit(request, stop).wait(process, outcome);
  if (outcome.stopped || outcome.timed_out) {
    ::kill(pid, SIGTERM);
    ended_within(process, kGrace);
  }
  ::kill(-pid, SIGKILL);  // what is left of it, and what it has started
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(process);
  outcome.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  outcome.took = Clock::now() - began;
  outcome.output = output.text();
  outcome.errors = errors.text();
  return outcome;
}

}  // namespace isosan::suite
