#include "live/passed_descriptor.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace isosan {
namespace {

struct Message {
  explicit Message(std::uint64_t& number) : data{&number, sizeof number} {
    head.msg_iov = &data;
    head.msg_iovlen = 1;
    head.msg_control = room;
    head.msg_controllen = sizeof room;
  }
  iovec data;
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  msghdr head{};
};

}  // namespace

bool send_descriptor(int socket, int fd, std::uint64_t number) {
  Message message(number);
  cmsghdr* header = CMSG_FIRSTHDR(&message.head);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  return ::sendmsg(socket, &message.head, MSG_NOSIGNAL) == sizeof number;
}

std::optional<PassedDescriptor> receive_descriptor(int socket) {
  PassedDescriptor passed{};
  Message message(passed.number);
  ssize_t size;
  do {
    size = ::recvmsg(socket, &message.head, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  } while (size < 0 && errno == EINTR);
  const cmsghdr* header = CMSG_FIRSTHDR(&message.head);
  if (size != sizeof passed.number || header == nullptr || header->cmsg_type != SCM_RIGHTS)
    return {};
  std::memcpy(&passed.fd, CMSG_DATA(header), sizeof passed.fd);
  return passed;
}

}  // namespace isosan
