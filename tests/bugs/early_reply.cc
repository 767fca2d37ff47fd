// A reply that comes too early: a request is sent through a pipe before it is entered among those
// that wait for a reply. The thread that reads the replies finds nobody, and the client waits for
// ever.
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "bug.h"

class Client {
 public:
  Client() { bug::require(::pipe(pipe_) == 0, "a pipe"); }
  FIXED_AND_SPLIT_AT_WAIT void ask() {
    if (bug::kFixed) enter();
    send();
    if (!bug::kFixed) enter();
    std::unique_lock lock(mutex_);
    while (!answered_) arrived_.wait(lock);
  }
  void receive() {
    char reply = 0;
    bug::require(::read(pipe_[0], &reply, 1) == 1, "a reply");
    std::lock_guard guard(mutex_);
    if (!waiting_) return;  // nobody asked
    answered_ = true;
    arrived_.notify_all();
  }

 private:
  void send() {
    const char request = 'x';
    bug::require(::write(pipe_[1], &request, 1) == 1, "a request");
  }
  void enter() {
    std::lock_guard guard(mutex_);
    waiting_ = true;
  }

  int pipe_[2] = {};
  std::mutex mutex_;
  std::condition_variable arrived_;
  bool waiting_ = false;
  bool answered_ = false;
};

int main() {
  Client client;
  std::thread asks([&] { client.ask(); });
  std::thread receives([&] { client.receive(); });
  asks.join();
  receives.join();
}
