// A server like the FTP servers of the literature: the timeout thread finds a connection idle and
// closes it although a request has arrived since.
#include <mutex>
#include <thread>

#include "bug.h"

class Connection {
 public:
  void serve() {
    std::lock_guard guard(mutex_);
    if (closed_) return;
    last_request_ = 100;
    pending_ = true;
  }
  void answer() {
    std::lock_guard guard(mutex_);
    pending_ = false;
  }
  void close_if_idle(int now) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (idle_since() + 50 < now) close();
  }

 private:
  int idle_since() {
    std::lock_guard guard(mutex_);
    return last_request_;
  }
  void close() {
    std::lock_guard guard(mutex_);
    bug::require(!pending_, "a connection with a pending request is not idle");
    closed_ = true;
  }

  std::recursive_mutex mutex_;
  int last_request_ = 0;
  bool pending_ = false;
  bool closed_ = false;
};

int main() {
  Connection connection;
  bug::Thread server([&] {
    if (bug::round() == 0)
      connection.serve();
    else
      connection.answer();
  });
  bug::Thread timer([&] { connection.close_if_idle(100 + 100 * bug::round()); });
  server.join();
  timer.join();
}
