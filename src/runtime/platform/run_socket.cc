#include "runtime/platform/run_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cstdlib>

#include "runtime/contract/run_socket.h"
#include "runtime/platform/arch.h"
#include "runtime/platform/os.h"

namespace isosan::rt {
namespace {

// A path of any length: the folder is opened, and named by its descriptor.
sockaddr_un address_in(long folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  char* at = address.sun_path;
  const auto add = [&at](const char* text) {
    while (*text != 0) *at++ = *text++;
  };
  char digits[12] = {};
  char* digit = digits + sizeof digits - 1;
  do *--digit = static_cast<char>('0' + folder % 10);
  while ((folder /= 10) != 0);
  add("/proc/self/fd/");
  add(digit);
  add("/");
  add(log::kRunSocketName);
  return address;
}

long connect_to_run() {
  const char* path = std::getenv(log::kRunFolderVariable);
  const long folder = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path),
                                  O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return folder;
  const sockaddr_un address = address_in(folder);
  const long fd = raw_syscall(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  long result = fd;
  if (fd >= 0) {
    do result = raw_syscall(SYS_connect, fd, reinterpret_cast<long>(&address), sizeof address);
    while (result == -EINTR);
    if (result < 0) raw_syscall(SYS_close, fd);
  }
  raw_syscall(SYS_close, folder);
  return result < 0 ? result : fd;
}

// The server may be gone by now: no signal then.
bool send_request(long fd, log::Request request) {
  return raw_syscall(SYS_sendto, fd, reinterpret_cast<long>(&request), sizeof request,
                     MSG_NOSIGNAL) == sizeof request;
}

int receive_descriptor(long fd) {
  char byte;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  long size;
  do size = raw_syscall(SYS_recvmsg, fd, reinterpret_cast<long>(&message), MSG_CMSG_CLOEXEC);
  while (size == -EINTR);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (size <= 0 || header == nullptr || header->cmsg_type != SCM_RIGHTS) return -1;
  return *reinterpret_cast<const int*>(CMSG_DATA(header));
}

}  // namespace

bool belongs_to_run() { return std::getenv(log::kRunFolderVariable) != nullptr; }

int ask_for_log() {
  const long fd = connect_to_run();
  int log_fd = -1;
  if (fd >= 0) {
    if (send_request(fd, log::Request::kWatch)) log_fd = receive_descriptor(fd);
    raw_syscall(SYS_close, fd);
  }
  if (log_fd < 0)
    warn("the isosan that watches this run cannot be reached: the program runs unobserved");
  return log_fd;
}

void report_unobserved() {
  const long fd = connect_to_run();
  if (fd < 0) return;
  send_request(fd, log::Request::kUnobserved);
  raw_syscall(SYS_close, fd);
}

}  // namespace isosan::rt
