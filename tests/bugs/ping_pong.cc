// Ping-pong (ConTest): a player uses the ball after looking whether it is there; the other one has
// put it away.
#include <memory>
#include <mutex>
#include <thread>

#include "bug.h"

struct Ball {
  int hits = 0;
};

class Table {
 public:
  Table() : ball_(std::make_unique<Ball>()) {}
  void hit() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (ball() == nullptr) return;
    Ball* ball = this->ball();
    bug::require(ball != nullptr, "the ball that was seen is there");
    ++ball->hits;
  }
  void put_away() {
    std::lock_guard guard(mutex_);
    if (ball_) put_away_ = std::move(ball_);
  }
  void bring_back() {
    std::lock_guard guard(mutex_);
    ball_ = std::move(put_away_);
  }

 private:
  Ball* ball() {
    std::lock_guard guard(mutex_);
    return ball_.get();
  }

  std::recursive_mutex mutex_;
  std::unique_ptr<Ball> ball_;
  std::unique_ptr<Ball> put_away_;
};

int main() {
  Table table;
  bug::before_again([&] { table.bring_back(); });
  bug::Thread ping([&] { table.hit(); });
  bug::Thread pong([&] { table.put_away(); });
  ping.join();
  pong.join();
}
