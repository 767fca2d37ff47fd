#include "live/serve_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "live/passed_descriptor.h"
#include "live/run_results.h"
#include "runtime/contract/run_socket.h"

namespace isosan {
namespace {

constexpr int kRetry = 50;  // milliseconds, until there may be descriptors again

int open_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

bool is_ready(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, 0) > 0;
}

// It may live longer than the run. So it keeps none of the descriptors that the run was started
// with, and signals to the run's processes as a group do not reach it.
void stand_aside(const ServerDescriptors& ours) {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGTTOU})
    ::signal(signal, SIG_IGN);
  ::setpgid(0, 0);
  const unsigned low = static_cast<unsigned>(std::min(ours.listener, ours.control));
  const unsigned high = static_cast<unsigned>(std::max(ours.listener, ours.control));
  if (low > 3) ::close_range(3, low - 1, 0);
  if (high > low + 1) ::close_range(low + 1, high - 1, 0);
  ::close_range(high + 1, ~0u, 0);
  rlimit descriptors{};
  if (::getrlimit(RLIMIT_NOFILE, &descriptors) == 0) {
    descriptors.rlim_cur = descriptors.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &descriptors);
  }
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {0, 1}) ::dup2(nothing, fd);
  if (::fcntl(2, F_GETFD) < 0) ::dup2(nothing, 2);
  if (nothing > 2) ::close(nothing);
}

class Server {
 public:
  Server(const ServerDescriptors& descriptors, const RunServer::Watch& watch)
      : ours_(descriptors), watch_(watch), results_(make_results()) {}

  void serve() {
    while (!run_ended_ || !watched_.empty()) {
      wait();
      look_at_control();
      accept_all();
      answer_requests();
      bury_watchers();
      if (asked_ && !answered_ && nobody_finishes()) answer_run();
    }
  }

 private:
  struct Asking {  // a program that has connected
    int connection;
    pid_t pid;
  };
  struct Watched {
    pid_t watcher;
    int watcher_fd;
    int process_fd;
  };

  void wait() {
    std::vector<pollfd> all{{full_ ? -1 : ours_.listener, POLLIN, 0}};
    if (!run_ended_) all.push_back({ours_.control, POLLIN, 0});
    for (const Asking& one : asking_) all.push_back({one.connection, POLLIN, 0});
    for (const Watched& one : watched_) all.push_back({one.watcher_fd, POLLIN, 0});
    ::poll(all.data(), all.size(), full_ ? kRetry : -1);
  }

  void look_at_control() {
    char byte;
    if (run_ended_ || !is_ready(ours_.control)) return;
    if (::recv(ours_.control, &byte, 1, MSG_DONTWAIT) > 0) {
      asked_ = true;
    } else {
      run_ended_ = true;
      leave_stderr_of_run(0);
    }
  }

  void accept_all() {
    for (int fd; (fd = ::accept4(ours_.listener, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      ucred peer{};
      socklen_t size = sizeof peer;
      ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
      asking_.push_back({fd, peer.pid});
    }
    full_ = errno == EMFILE || errno == ENFILE;
  }

  void answer_requests() {
    const auto is_here = [](const Asking& one) { return is_ready(one.connection); };
    for (auto next = std::ranges::find_if(asking_, is_here); next != asking_.end();
         next = std::ranges::find_if(asking_, is_here)) {
      const Asking one = *next;
      asking_.erase(next);
      answer(one);
      ::close(one.connection);
    }
  }

  // A process that still waits for the answer when its pidfd is open is the one that asked.
  void answer(const Asking& one) {
    log::Request request{};
    if (::recv(one.connection, &request, 1, MSG_DONTWAIT) != 1) return;
    if (request == log::Request::kUnobserved) return unobserved_.push_back(one.pid);
    if (request != log::Request::kWatch) return;
    const int process = one.pid > 0 ? open_process(one.pid) : -1;
    if (is_ready(one.connection)) {  // it has hung up
      if (process >= 0) ::close(process);
      return;
    }
    if (process < 0 || !start_watching(one, process)) unobserved_.push_back(one.pid);
  }

  bool start_watching(const Asking& one, int process) {
    ++number_;
    const pid_t watcher = ::fork();
    if (watcher == 0) watch(one, process);
    const int watcher_fd = watcher > 0 ? open_process(watcher) : -1;
    if (watcher_fd >= 0) {
      watched_.push_back({watcher, watcher_fd, process});
      return true;
    }
    if (watcher > 0) {  // no descriptors left
      ::kill(watcher, SIGKILL);
      ::waitpid(watcher, nullptr, 0);
    }
    ::close(process);
    return false;
  }

  [[noreturn]] void watch(const Asking& one, int process) {
    ::close(ours_.listener);
    for (const Asking& other : asking_) ::close(other.connection);
    for (const Watched& other : watched_) {
      ::close(other.watcher_fd);
      ::close(other.process_fd);
    }
    JoinedProcess joined(one.pid, number_,
                         {.connection = one.connection,
                          .process = process,
                          .run = ours_.control,
                          .results = results_});
    watch_(joined);
    std::fflush(nullptr);
    ::_exit(0);
  }

  void bury_watchers() {
    std::erase_if(watched_, [this](const Watched& one) {
      if (!is_ready(one.watcher_fd)) return false;
      int status = 0;
      ::waitpid(one.watcher, &status, 0);
      lost_ |= status != 0;
      ::close(one.watcher_fd);
      ::close(one.process_fd);
      return true;
    });
  }

  // Whoever watches a process that has ended will soon have its result.
  bool nobody_finishes() const {
    return std::ranges::none_of(watched_,
                                [](const Watched& one) { return is_ready(one.process_fd); });
  }

  // If nobody is watched any more, the folder is gone before the run ends.
  void answer_run() {
    answered_ = true;
    if (watched_.empty()) remove_run_folder(ours_.folder);
    if (lost_) add_result(results_, std::string(kLostLine));
    for (const pid_t pid : unobserved_)
      add_result(results_, std::string(kUnobservedLine) + std::to_string(pid));
    send_descriptor(ours_.control, results_, watched_.size());
  }

  const ServerDescriptors& ours_;
  const RunServer::Watch& watch_;
  int results_;
  std::vector<Asking> asking_;  // each connection is open, so that those who watch can close it
  std::vector<Watched> watched_;
  std::vector<pid_t> unobserved_;  // written at the end: whoever prints may keep others waiting
  bool lost_ = false;              // one that watched was killed: its result is missing
  std::uint64_t number_ = 0;       // of the process that asked last
  bool full_ = false;              // no descriptors left: others have to end first
  bool asked_ = false;             // the run has asked for the results
  bool answered_ = false;          // and has got them
  bool run_ended_ = false;
};

}  // namespace

void serve_run(const ServerDescriptors& descriptors, const RunServer::Watch& watch) {
  stand_aside(descriptors);
  Server(descriptors, watch).serve();
  remove_run_folder(descriptors.folder);
  ::_exit(0);
}

void remove_run_folder(const std::string& folder) {
  ::unlink((folder + "/" + log::kRunSocketName).c_str());
  ::rmdir(folder.c_str());
}

}  // namespace isosan
