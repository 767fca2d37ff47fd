// Host and port are set by one call each; a reader gets the new host with the old port.
// finds: velodrome doublechecker marathon atomizer
// blames: Server::move
#include <mutex>
#include <thread>

#include "steps.h"

class Server {
 public:
  void set_host(int host) {
    std::lock_guard lock(mutex_);
    host_ = host;
  }
  void set_port(int port) {
    std::lock_guard lock(mutex_);
    port_ = port;
  }
  void move(int host, int port) {
    set_host(host);
    let_other_in();
    set_port(port);
  }
  int address() {
    std::lock_guard lock(mutex_);
    return host_ * 100 + port_;
  }

 private:
  std::mutex mutex_;
  int host_ = 1, port_ = 1;
};

int main() {
  Server server;
  int seen = 0;
  std::thread other([&] {
    await_step(1);
    seen = server.address();
    next_step();
  });
  server.move(2, 2);
  other.join();
  return seen != 201;
}
