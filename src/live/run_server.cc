#include "live/run_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "base/unnamed_file.h"
#include "live/passed_descriptor.h"
#include "live/run_results.h"
#include "live/serve_run.h"
#include "runtime/contract/run_socket.h"

namespace isosan {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::string make_private_folder() {
  char* absolute = ::realpath(temporary_folder(), nullptr);
  if (absolute == nullptr) fail(temporary_folder());
  std::string path = std::string(absolute) + "/isosan-XXXXXX";
  std::free(absolute);
  if (::mkdtemp(path.data()) == nullptr) fail(path.c_str());
  return path;
}

// By the folder's descriptor: a path may be longer than a socket's address.
int listen_in(const std::string& folder) {
  const int place = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", place,
                log::kRunSocketName);
  const bool listens =
      place >= 0 && fd >= 0 &&
      ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(fd, SOMAXCONN) == 0;
  const int error = errno;
  if (place >= 0) ::close(place);
  if (listens) return fd;
  if (fd >= 0) ::close(fd);
  errno = error;
  return -1;
}

// isosan may have been started without stdin, stdout or stderr.
bool leave_standard_ones(int& fd) {
  if (fd > STDERR_FILENO) return true;
  const int other = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(fd);
  fd = other;
  return fd >= 0;
}

}  // namespace

RunServer::RunServer(const Watch& watch) : folder_(make_private_folder()) {
  int control[2] = {-1, -1};
  int listener = listen_in(folder_);
  const bool connected = listener >= 0 &&
                         ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) == 0 &&
                         leave_standard_ones(listener) && leave_standard_ones(control[1]);
  std::fflush(nullptr);
  server_ = connected ? ::fork() : -1;
  if (server_ == 0) serve_run({folder_, listener, control[1]}, watch);
  const int error = errno;
  for (const int fd : {listener, control[1]}) {
    if (fd >= 0) ::close(fd);
  }
  control_ = control[0];
  if (server_ > 0) return;
  if (control_ >= 0) ::close(control_);
  remove_run_folder(folder_);
  errno = error;
  fail("a process that watches what the program starts");
}

RunServer::~RunServer() { ::close(control_); }

// Nobody is watched any more: the server ends, and what it used counts as used by the run. It
// closes its end of the control when it does. Not longer than a moment: a process may have come in
// at the last instant.
void RunServer::wait_for_end() const {
  constexpr int kMoment = 200;  // milliseconds
  ::shutdown(control_, SHUT_WR);
  pollfd end{.fd = control_, .events = POLLIN, .revents = 0};
  if (::poll(&end, 1, kMoment) > 0) ::waitpid(server_, nullptr, 0);
}

// The answer: how many still run, and the descriptor of the results.
RunServer::Outcome RunServer::finish() {
  const char request = 0;
  std::optional<PassedDescriptor> answer;
  if (::send(control_, &request, 1, MSG_NOSIGNAL) == 1) answer = receive_descriptor(control_);
  if (!answer) {
    remove_run_folder(folder_);
    return {.complete = false};
  }
  Outcome outcome{.still_running = answer->number};
  for (std::string& line : read_results(answer->fd)) {
    if (line.starts_with(kUnobservedLine)) {
      outcome.unobserved.push_back(std::atoi(line.c_str() + kUnobservedLine.size()));
    } else if (line == kLostLine) {
      outcome.complete = false;
    } else {
      outcome.results.push_back(std::move(line));
    }
  }
  ::close(answer->fd);
  if (outcome.still_running == 0) wait_for_end();
  return outcome;
}

}  // namespace isosan
