// Deep recursion: a tree that is nearly a list, 4000 nodes down. Each thread has one of its own and all read a shared one.
#include <memory>

#include "../common.h"

class Node {
 public:
  explicit Node(int depth) {
    if (depth == 0) return;
    below_ = std::make_unique<Node>(depth - 1);
    if (depth % 4 == 0) twig_ = std::make_unique<Node>(0);
  }
  void add(long amount) {
    value_ += amount;
    if (below_) below_->add(amount);
    if (twig_) twig_->add(amount);
  }
  long sum() const {
    long total = value_;
    if (below_) total += below_->sum();
    if (twig_) total += twig_->sum();
    return total;
  }

 private:
  long value_ = 1;
  std::unique_ptr<Node> below_, twig_;
};

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  constexpr int kDepth = 4000;
  const int rounds = 120 * arguments.scale;
  const Node shared(kDepth);
  std::vector<long> sums(static_cast<std::size_t>(arguments.threads) * 16);
  in_parallel(arguments.threads, [&](int me) {
    Node own(kDepth);
    for (int round = 0; round < rounds; ++round) {
      own.add(1);
      sums[static_cast<std::size_t>(me) * 16] += own.sum() - shared.sum();
    }
  });
  long total = 0;
  for (const long sum : sums) total += sum;
  const long nodes = shared.sum(), expected = nodes * rounds * (rounds + 1) / 2 * arguments.threads;
  return finish(total == expected, "deeptree", static_cast<double>(total));
}
