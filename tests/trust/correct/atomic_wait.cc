// std::atomic's wait and notify: a flag that two threads turn in turn.
#include <atomic>
#include <thread>

class Turn {
 public:
  void take(int me) {
    for (int now = turn_.load(); now != me; now = turn_.load()) turn_.wait(now);
    ++moves_;
    turn_.store(1 - me);
    turn_.notify_one();
  }
  int moves() const { return moves_; }

 private:
  std::atomic<int> turn_{0};
  int moves_ = 0;
};

int main() {
  Turn turn;
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) turn.take(1);
  });
  for (int i = 0; i < 100; ++i) turn.take(0);
  other.join();
  return turn.moves() != 200;
}
