// Two elements are swapped in two critical sections; a reader finds one of them twice.
// finds: velodrome doublechecker marathon atomizer
// blames: Deck::swap
#include <mutex>
#include <thread>

#include "steps.h"

class Deck {
 public:
  int get(int i) {
    std::lock_guard lock(mutex_);
    return cards_[i];
  }
  void set(int i, int card) {
    std::lock_guard lock(mutex_);
    cards_[i] = card;
  }
  void swap(int i, int k) {
    const int card = get(i);
    set(i, get(k));
    let_other_in();
    set(k, card);
  }
  int sum() {
    std::lock_guard lock(mutex_);
    return cards_[0] + cards_[1];
  }

 private:
  std::mutex mutex_;
  int cards_[2] = {1, 2};
};

int main() {
  Deck deck;
  int sum = 0;
  std::thread other([&] {
    await_step(1);
    sum = deck.sum();
    next_step();
  });
  deck.swap(0, 1);
  other.join();
  return sum == 3;
}
