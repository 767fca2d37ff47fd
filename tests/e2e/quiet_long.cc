// Long transactions in a quiet run: one that fits the buffer is taken back whole, and one that does not is
// logged, so that a thread that steps into it behind all that is found.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: %isosan run --atomic 'Board::fill' --stats -- %t 2>&1 | FileCheck %s --check-prefix=FITS
// FITS: STATS: quiet transactions 6
// FITS: STATS: quiet dropped 4
// FITS: STATS: quiet logged 2
// FITS: SUMMARY: IsoSan: 0 findings
// RUN: for how in "" --no-quiet; do \
// RUN:   %exits 66 %isosan run --atomic 'Board::update' $how -- %t 2>&1 | FileCheck %s --check-prefix=LONG || exit 1; \
// RUN: done
// LONG: WARNING: IsoSan: atomicity violation (region Board::update)
// LONG: SUMMARY: IsoSan: 1 finding
#include <mutex>
#include <thread>
#include <vector>

#include "steps.h"

class Board {
 public:
  // In no order: each word is an entry of the log.
  [[gnu::noinline]] void fill(std::size_t count) {
    std::size_t random = 1;
    for (std::size_t i = 0; i < count; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      words_[(random >> 33) % words_.size()] = static_cast<long>(i);
    }
  }
  [[gnu::noinline]] void update() {
    const long before = total();
    fill(words_.size());
    next_step();
    await_step(2);
    add(before + 1 - total());
  }
  [[gnu::noinline]] void add(long more) {
    const std::lock_guard guard(mutex_);
    total_ += more;
  }

 private:
  [[gnu::noinline]] long total() {
    const std::lock_guard guard(mutex_);
    return total_;
  }

  std::mutex mutex_;
  long total_ = 0;
  std::vector<long> words_ = std::vector<long>(300000);
};

int main() {
  static Board board;
  std::thread a([] {
    for (int i = 0; i < 5; ++i) board.fill(50000);
    board.update();
  });
  std::thread b([] {
    await_step(1);
    board.add(1);
    next_step();
  });
  a.join();
  b.join();
}
