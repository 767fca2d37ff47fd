// Use after free that the allocator makes visible: a session is looked up under the lock and used
// after it; it is closed in between, and its memory is the next user's session.
#include <memory>
#include <mutex>
#include <thread>

#include "bug.h"

struct Session {
  long opened = 0, last_used = 0;
  int user = 0;
};

class Server {
 public:
  explicit Server(int user) { open(user); }
  void serve(int user) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    const Session* session = find(user);
    if (session != nullptr) bug::require(session->user == user, "a session is its user's own");
  }
  void close() {
    std::lock_guard guard(mutex_);
    session_.reset();
  }
  void open(int user) {
    std::lock_guard guard(mutex_);
    session_ = std::make_unique<Session>();
    session_->user = user;
  }

 private:
  Session* find(int user) {
    std::lock_guard guard(mutex_);
    return session_ && session_->user == user ? session_.get() : nullptr;
  }

  std::recursive_mutex mutex_;
  std::unique_ptr<Session> session_;
};

int main() {
  Server server(1);
  bug::before_again([&] { server.open(1); });
  bug::Thread client([&] { server.serve(1); });
  bug::Thread keeper([&] {
    server.close();
    server.open(2);
  });
  client.join();
  keeper.join();
}
