// Semaphores inside blocks: which posts a wait comes after in every schedule.
//
// Model: posts commute. The k-th wait needs k posts (less what the semaphore held at first), any of
// them. A post p is *needed* if there are too few posts without p and those that come after p: then
// p comes before the wait in every schedule. Two common cases: of a single thread's posts the k-th
// wait needs the first k; of n threads that post once each, n waits need all, fewer waits none. A
// wait is judged when it happens, by the posts so far; a later post that does not come after the
// wait may show that it needed fewer. So the edges of a wait stay *pending* with its thread. A
// pending edge becomes *used* when only it orders a pair of operations, or when it is passed on to
// another thread (in the scope of the pair, or of the thread). A post that breaks a used edge
// conflicts with the wait there. A trace does not say what a semaphore held at first: it is taken
// to be the least that explains the waits. Beyond kMostPosts outstanding posts the oldest count as
// held at first: fewer edges. Paper: section 5 only says that semaphores are supported; the rules
// are ours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/fasttrack/history.h"
#include "analysis/singletrack/block_clocks.h"
#include "analysis/singletrack/block_tree.h"

namespace isosan {

class Semaphores {
 public:
  // Calls conflict(wait, scope) for each wait that could have had this post instead.
  template <class F>
  void post(ThreadId t, Address semaphore, BlockClocks& clocks, F&& conflict) {
    Semaphore& s = semaphores_[semaphore];
    const Epoch epoch = clocks.epoch(t);
    BlockClocks::Knowledge mine = clocks.publish(t);
    const auto breaks = [&](const Edge& edge) {
      return !mine.inside.covers(edge.wait.epoch) && !mine.inside.covers(edge.knowledge.inside);
    };
    for (auto& [scope, edge] : s.used) {
      if (breaks(edge)) conflict(edge.wait, scope);
    }
    absl::erase_if(s.used, [&](const auto& entry) { return breaks(entry.second); });
    for (std::vector<Pending>& pending : pending_) {
      std::erase_if(pending,
                    [&](const Pending& p) { return p.semaphore == semaphore && breaks(p.edge); });
    }
    settle(s, mine.inside);
    if (!mine.inside.covers(s.settled.inside) && !mine.inside.covers(s.last_wait)) {
      ++s.held;
      return;
    }
    s.posts.push_back({epoch, std::move(mine)});
    if (s.posts.size() > kMostPosts) {
      s.posts.pop_front();
      ++s.held;
    }
  }

  // `wait` is the operation as a finding shows it.
  void wait(ThreadId t, Address semaphore, const AccessRecord& wait) {
    Semaphore& s = semaphores_[semaphore];
    ++s.waits;
    s.last_wait = wait.epoch;
    const std::uint64_t covered = s.held + s.settled_posts;
    std::uint64_t missing = s.waits > covered ? s.waits - covered : 0;
    if (missing > s.posts.size()) {
      s.held += missing - s.posts.size();
      missing = s.posts.size();
    }
    Edge edge{wait, {}};
    if (s.held + s.settled_posts <= s.waits)
      edge.knowledge = s.settled;  // else they may not be needed
    for (Post& post : s.posts) {
      const auto others = std::count_if(s.posts.begin(), s.posts.end(), [&](const Post& other) {
        return !other.knowledge.inside.covers(post.epoch);
      });
      if (static_cast<std::uint64_t>(others) >= missing) continue;
      post.needed = true;
      edge.knowledge.join(post.knowledge);
    }
    std::vector<Pending>& pending = pending_of(t);
    std::erase_if(pending, [&](const Pending& p) { return p.semaphore == semaphore; });
    pending.push_back({semaphore, std::move(edge)});
  }

  // Does a pending edge order the operation before the thread's next one? Then that edge is used.
  bool covers(ThreadId t, Epoch operation, BlockId scope) {
    for (const Pending& p : pending_of(t)) {
      if (!p.edge.knowledge.inside.covers(operation)) continue;
      semaphores_[p.semaphore].used.insert_or_assign(scope, p.edge);
      return true;
    }
    return false;
  }

  // The thread is about to publish its clock.
  void before_publication(ThreadId t, BlockId scope, BlockClocks& clocks) {
    if (index(t) >= pending_.size() || pending_[index(t)].empty()) return;
    for (Pending& p : pending_[index(t)]) {
      clocks.learn(t, p.edge.knowledge);
      if (scope != 0) semaphores_[p.semaphore].used.insert_or_assign(scope, std::move(p.edge));
    }
    pending_[index(t)].clear();
  }

 private:
  static constexpr std::size_t kMostPosts = 64;
  struct Post {
    Epoch epoch;
    BlockClocks::Knowledge knowledge;
    bool needed = false;  // by a wait so far
  };
  struct Edge {
    AccessRecord wait;
    BlockClocks::Knowledge knowledge;  // of all posts that it needed
  };
  struct Pending {
    Address semaphore;
    Edge edge;
  };
  struct Semaphore {
    std::deque<Post> posts;           // outstanding, in the order of the trace
    std::uint64_t held = 0;           // at first
    std::uint64_t settled_posts = 0;  // needed by waits, and before all of `posts`
    BlockClocks::Knowledge settled;
    std::uint64_t waits = 0;
    Epoch last_wait;
    absl::flat_hash_map<BlockId, Edge>
        used;  // by scope: the last wait; the earlier ones are before it
  };

  std::vector<Pending>& pending_of(ThreadId t) {
    if (index(t) >= pending_.size()) pending_.resize(index(t) + std::size_t{1});
    return pending_[index(t)];
  }

  // Posts that a wait needed, and that all others come after, including the current one: no later
  // post that comes after them can replace them.
  static void settle(Semaphore& s, const VectorClock& now) {
    const auto old = [&](const Post& post) { return post.needed && now.covers(post.epoch); };
    BlockClocks::Knowledge group;
    std::uint64_t count = 0;
    for (const Post& post : s.posts) {
      if (!old(post)) continue;
      group.join(post.knowledge);
      ++count;
    }
    const bool first = std::all_of(s.posts.begin(), s.posts.end(), [&](const Post& post) {
      return old(post) || post.knowledge.inside.covers(group.inside);
    });
    if (count == 0 || !first) return;
    std::erase_if(s.posts, old);
    s.settled_posts += count;
    s.settled.join(group);
  }

  absl::flat_hash_map<Address, Semaphore> semaphores_;
  std::vector<std::vector<Pending>> pending_;  // by thread
};

}  // namespace isosan
