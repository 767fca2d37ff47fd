#include "live/joined_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "live/passed_descriptor.h"
#include "live/run_results.h"

namespace isosan {
namespace {

// A file of the process in /proc; what there is of it, if the process ends meanwhile.
std::string contents_of(pid_t pid, const char* name) {
  std::string text;
  const int fd =
      ::open(("/proc/" + std::to_string(pid) + "/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  char buffer[4096];
  for (ssize_t n; (n = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, n);
  if (fd >= 0) ::close(fd);
  return text;
}

// The arguments, with blanks between them.
std::string command_of(pid_t pid) {
  std::string line = contents_of(pid, "cmdline");
  while (!line.empty() && line.back() == 0) line.pop_back();
  for (char& c : line) {
    if (c == 0) c = ' ';
  }
  return line;
}

// As <linux/pidfd.h> has it since Linux 6.15.
struct PidfdInfo {
  std::uint64_t mask = 0;
  std::uint64_t cgroup = 0;
  std::uint32_t ids[11] = {};
  std::int32_t exit_code = 0;
};
static_assert(sizeof(PidfdInfo) == 64);
constexpr std::uint64_t kExitCode = 1 << 3;
constexpr unsigned long kGetInfo = _IOWR(0xff, 11, PidfdInfo);

// Once its parent has waited for the process.
std::optional<int> exit_code_after_wait(int process) {
  PidfdInfo info{.mask = kExitCode};
  if (::ioctl(process, kGetInfo, &info) != 0 || (info.mask & kExitCode) == 0) return {};
  return info.exit_code;
}

// Until then: the last field of /proc/PID/stat.
std::optional<int> exit_code_before_wait(pid_t pid) {
  const std::string text = contents_of(pid, "stat");
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || text.substr(name_end + 1, 3) != " Z ") return {};
  std::istringstream words(text.substr(name_end + 1));
  std::string last;
  for (std::string word; words >> word;) last = word;
  return std::atoi(last.c_str());
}

}  // namespace

JoinedProcess::JoinedProcess(pid_t pid, std::uint64_t number, const Descriptors& descriptors)
    : pid_(pid),
      number_(number),
      connection_(descriptors.connection),
      process_(descriptors.process),
      run_(descriptors.run),
      results_(descriptors.results),
      command_(command_of(pid)) {}

void JoinedProcess::hand_over(int log_fd) {
  send_descriptor(connection_, log_fd, 0);
  ::close(connection_);
}

bool JoinedProcess::ended() {
  pollfd both[2] = {{process_, POLLIN, 0}, {run_ended_ ? -1 : run_, 0, 0}};
  if (::poll(both, 2, 0) <= 0) return false;
  if (both[0].revents != 0) return true;  // the report comes at once
  run_ended_ = true;
  leave_stderr_of_run(pid_);
  return false;
}

ExitStatus JoinedProcess::status() const {
  std::optional<int> code = exit_code_before_wait(pid_);
  if (!code) code = exit_code_after_wait(process_);
  return exit_status_of(code.value_or(0));
}

void JoinedProcess::add_result(const std::string& line) const {
  isosan::add_result(results_, line);
}

void JoinedProcess::one_at_a_time(const std::function<void()>& action) const {
  const ResultsLock alone(results_);
  action();
}

void JoinedProcess::print(const std::string& text) const {
  one_at_a_time([&] { write_whole(STDERR_FILENO, text); });
}

void leave_stderr_of_run(pid_t pid) {
  struct stat now;
  if (::fstat(2, &now) == 0 && !S_ISFIFO(now.st_mode) && !S_ISSOCK(now.st_mode)) return;
  const std::string own = "/proc/" + std::to_string(pid) + "/fd/2";
  int other = pid == 0 ? -1 : ::open(own.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_NONBLOCK);
  if (other < 0) other = ::open("/dev/null", O_WRONLY);
  if (other < 0) return;
  ::fcntl(other, F_SETFL, ::fcntl(other, F_GETFL) & ~O_NONBLOCK);
  ::dup2(other, 2);
  ::close(other);
}

}  // namespace isosan
