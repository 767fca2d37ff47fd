// Commit in two stages by three roles: a proposer that prepares and commits what is voted for, a
// voter, and one who gives up what nobody votes for. The last looks and acts in two steps; a vote
// and a commit in between, and the proposal is both committed and given up.
#include <mutex>
#include <thread>

#include "bug.h"

class Proposal {
 public:
  void prepare() {
    std::lock_guard guard(mutex_);
    prepared_ = true;
  }
  void commit() {
    std::lock_guard guard(mutex_);
    if (voted_ && !given_up_) committed_ = true;
  }
  void vote() {
    std::lock_guard guard(mutex_);
    if (prepared_ && !given_up_) voted_ = true;
  }
  void give_up() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (!is_waiting()) return;
    std::lock_guard guard(mutex_);
    given_up_ = true;
  }
  bool is_consistent() {
    std::lock_guard guard(mutex_);
    return !committed_ || !given_up_;
  }

 private:
  bool is_waiting() {
    std::lock_guard guard(mutex_);
    return prepared_ && !voted_;
  }

  std::recursive_mutex mutex_;
  bool prepared_ = false;
  bool voted_ = false;
  bool committed_ = false;
  bool given_up_ = false;
};

int main() {
  Proposal proposal;
  bug::Thread proposer([&] {
    proposal.prepare();
    proposal.commit();
  });
  bug::Thread voter([&] { proposal.vote(); });
  bug::Thread keeper([&] { proposal.give_up(); });
  proposer.join();
  voter.join();
  keeper.join();
  bug::require(proposal.is_consistent(), "what is given up is not committed");
}
