// A descriptor that goes from one process to another through a socket, with a number beside it.
#pragma once

#include <cstdint>
#include <optional>

namespace isosan {

// False: the other side is gone. No signal then.
bool send_descriptor(int socket, int fd, std::uint64_t number);

struct PassedDescriptor {
  int fd;
  std::uint64_t number;
};
std::optional<PassedDescriptor> receive_descriptor(int socket);  // waits; none: it hung up

}  // namespace isosan
