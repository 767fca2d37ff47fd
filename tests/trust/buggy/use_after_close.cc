// A connection is found open and then used after another thread closed it.
// finds: velodrome doublechecker marathon atomizer
// blames: Connection::send
#include <mutex>
#include <thread>

#include "steps.h"

class Connection {
 public:
  bool open() {
    std::lock_guard lock(mutex_);
    return open_;
  }
  void close() {
    std::lock_guard lock(mutex_);
    open_ = false;
    sent_ = 0;
  }
  void write(int n) {
    std::lock_guard lock(mutex_);
    sent_ += n;
  }
  void send(int n) {
    if (!open()) return;
    let_other_in();
    write(n);
  }
  bool sane() {
    std::lock_guard lock(mutex_);
    return open_ || sent_ == 0;
  }

 private:
  std::mutex mutex_;
  bool open_ = true;
  int sent_ = 0;
};

int main() {
  Connection connection;
  std::thread other([&] {
    await_step(1);
    connection.close();
    next_step();
  });
  connection.send(5);
  other.join();
  return connection.sane();
}
