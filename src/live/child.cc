#include "live/child.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "base/input_error.h"
#include "runtime/contract/log_format.h"
#include "runtime/contract/run_socket.h"

namespace isosan {
namespace {

constexpr int kPassedOn[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT};
constexpr int kOfTerminal[] = {SIGINT, SIGQUIT};  // the terminal sends them to the program, too
std::atomic<pid_t> target{0};                     // for the signal handler; one child at a time
std::atomic<bool> summary_is_asked{false};

void pass_on(int signal) {
  const pid_t pid = target.load(std::memory_order_relaxed);
  if (pid > 0) ::kill(pid, signal);
}

void pass_on_from_process(int signal, siginfo_t* info, void*) {
  if (info->si_code <= 0) pass_on(signal);  // kill(), not the kernel
}

void set_handler(int signal, struct sigaction action) {
  action.sa_flags |= SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

void pass_signals_on() {
  struct sigaction action {};
  action.sa_handler = pass_on;
  for (const int signal : kPassedOn) set_handler(signal, action);
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = pass_on_from_process;
  for (const int signal : kOfTerminal) set_handler(signal, action);
}

void ask_for_summary(int) { summary_is_asked.store(true, std::memory_order_relaxed); }

// Does a thread of the process sleep in sigwait()? Meanwhile the kernel does not show its signals as
// blocked.
bool is_in_sigwait(pid_t pid) {
  std::error_code none;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", none)) {
    long number = -1;
    if (std::ifstream(task.path() / "syscall") >> number && number == SYS_rt_sigtimedwait)
      return true;
  }
  return false;
}

// Is the process ready for the signal: has it a handler, ignores it, blocks it or waits for it?
bool expects(pid_t pid, int signal) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("SigBlk:") && !line.starts_with("SigIgn:") &&
        !line.starts_with("SigCgt:"))
      continue;
    const auto set = std::strtoull(line.c_str() + std::strlen("SigBlk:"), nullptr, 16);
    if ((set >> (signal - 1) & 1) != 0) return true;
  }
  return is_in_sigwait(pid);
}

void pass_no_signals_on() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int signal : kPassedOn) set_handler(signal, action);
  for (const int signal : kOfTerminal) set_handler(signal, action);
}

// Groups of processes that run now, for the signal handler: they end with this process.
constexpr std::size_t kMostGroups = 256;
std::atomic<pid_t> groups[kMostGroups];
constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP};

void end_groups(int signal) {
  for (const std::atomic<pid_t>& group : groups) {
    if (const pid_t pid = group.load(); pid > 0) ::kill(-pid, SIGKILL);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void note_group(pid_t pid) {
  for (const int signal : kEnding) ::signal(signal, end_groups);
  for (std::atomic<pid_t>& group : groups) {
    pid_t free_entry = 0;
    if (group.compare_exchange_strong(free_entry, pid)) return;
  }
}

void forget_group(pid_t pid) {
  for (std::atomic<pid_t>& group : groups) {
    pid_t found = pid;
    if (group.compare_exchange_strong(found, 0)) return;
  }
}

// Blocks signals while the program is being started, until there is a process to pass them
// on to.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : kPassedOn) ::sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &before_);
  }
  ~SignalsHeld() { release(); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  void release() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

void redirect(const ChildOptions& options) {
  if (options.own_group) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
  if (options.no_input) {
    struct stat ours;
    const bool file = ::fstat(0, &ours) == 0 && S_ISREG(ours.st_mode);
    const int input = ::open(file ? "/proc/self/fd/0" : "/dev/null", O_RDONLY);
    ::dup2(input, 0);
    ::close(input);
  }
  if (options.output_fd >= 0) ::dup2(options.output_fd, 1);
  if (options.error_fd >= 0) ::dup2(options.error_fd, 2);
  if (options.cpu >= 0) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(options.cpu), &one);
    ::sched_setaffinity(0, sizeof one, &one);  // if that fails, it is only slower
  }
}

// What it starts belongs to this run, not to one that isosan itself may be part of.
void name_run(const ChildOptions& options) {
  ::unsetenv(log::kStartedByProgram);
  if (options.run_folder.empty()) {
    ::unsetenv(log::kRunFolderVariable);
    ::unsetenv(log::kLogProcessVariable);
    return;
  }
  ::setenv(log::kRunFolderVariable, options.run_folder.c_str(), 1);
  ::setenv(log::kLogProcessVariable, std::to_string(::getpid()).c_str(), 1);
}

// In the child, between fork and exec. Only returns (errno) if the program cannot be run.
int become(const std::vector<std::string>& command, const ChildOptions& options) {
  ::signal(SIGXFSZ, SIG_DFL);  // isosan ignores it to get an error from the write (cli/main.cc)
  if (options.fixed_addresses) {
    const int now = ::personality(0xffffffff);
    if (now < 0 || ::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) {
      constexpr char kLine[] =
          "isosan: address randomisation cannot be switched off here (personality is refused): "
          "addresses differ from run to run\n";
      [[maybe_unused]] const auto written = ::write(2, kLine, sizeof kLine - 1);
    }
  }
  redirect(options);
  if (options.log_fd >= 0) {
    // A high number, for programs that expect low ones, unless the limit is lower.
    int fd = ::fcntl(options.log_fd, F_DUPFD, 100);
    if (fd < 0) fd = ::dup(options.log_fd);
    if (fd < 0) return errno;
    ::setenv(log::kLogFdVariable, std::to_string(fd).c_str(), 1);
  }
  name_run(options);
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  return errno;
}

}  // namespace

Child::Child(const std::vector<std::string>& command, const ChildOptions& options)
    : joined_(options.joined) {
  if (joined_ != nullptr) {
    pid_ = joined_->pid();
    joined_->hand_over(options.log_fd);
    return;
  }
  start(command, options);
}

void Child::start(const std::vector<std::string>& command, const ChildOptions& options) {
  int failure[2];  // closed by a successful exec, otherwise gets errno
  if (::pipe2(failure, O_CLOEXEC) != 0)
    throw InputError(std::string("pipe: ") + std::strerror(errno));
  std::fflush(nullptr);
  SignalsHeld held;
  pid_ = ::fork();
  if (pid_ == 0) {
    held.release();
    const int error = become(command, options);
    [[maybe_unused]] const auto written = ::write(failure[1], &error, sizeof(error));
    ::_exit(127);
  }
  const int fork_error = pid_ < 0 ? errno : 0;
  ::close(failure[1]);
  int error = fork_error;
  if (pid_ > 0 && ::read(failure[0], &error, sizeof(error)) == sizeof(error))
    ::waitpid(pid_, nullptr, 0);
  ::close(failure[0]);
  if (error != 0) throw InputError("cannot run '" + command[0] + "': " + std::strerror(error));
  own_group_ = options.own_group;
  if (options.ends_deadlocks) standstill_.emplace(pid_);
  deadline_ = options.milliseconds == 0 ? std::chrono::steady_clock::time_point::max()
                                        : std::chrono::steady_clock::now() +
                                              std::chrono::milliseconds(options.milliseconds);
  if (own_group_) {  // it gets no signals
    note_group(pid_);
    return;
  }
  target.store(pid_);
  pass_signals_on();
  if (options.summary_on_usr1) {
    struct sigaction action {};
    action.sa_handler = ask_for_summary;
    set_handler(SIGUSR1, action);
  }
}

bool Child::summary_asked(bool is_running) {
  if (!summary_is_asked.exchange(false, std::memory_order_relaxed)) return false;
  if (is_running && expects(pid_, SIGUSR1)) ::kill(pid_, SIGUSR1);
  return true;
}

void Child::kill() { ::kill(own_group_ ? -pid_ : pid_, SIGKILL); }

Child::~Child() { give_signals_back(); }

void Child::give_signals_back() {
  if (joined_ != nullptr) return;
  if (own_group_) return forget_group(pid_);
  target.store(0);
  pass_no_signals_on();
}

void Child::end_in_time() {
  if (timed_out_ || deadlocked_) return;
  timed_out_ = std::chrono::steady_clock::now() > deadline_;
  deadlocked_ = !timed_out_ && standstill_ && standstill_->reached();
  if (timed_out_ || deadlocked_) kill();
}

std::optional<ExitStatus> Child::poll() {
  if (status_) return status_;
  if (joined_ != nullptr) {
    if (joined_->ended()) status_ = joined_->status();
    return status_;
  }
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) {
    end_in_time();
    return std::nullopt;
  }
  status_ = exit_status_of(status);
  if (own_group_) kill();  // the processes that it has left
  give_signals_back();
  return status_;
}

}  // namespace isosan
