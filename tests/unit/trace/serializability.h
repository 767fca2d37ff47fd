// Is a trace serializable? semantics.md as code, for what the generator makes: data, locks,
// fork and join. The whole graph is built and sorted; nothing is shared with the analyses.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "event/event.h"

namespace isosan::testing {

class TransactionGraph {
 public:
  void add(const Event& e, bool sync_edges) {
    const std::size_t node = node_of(e);
    const std::uint32_t thread = index(e.thread);
    if (const auto fork = forked_by_.find(thread); sync_edges && fork != forked_by_.end()) {
      edge(fork->second, node);
    }
    switch (e.kind) {
      case Kind::kRead:
        if (last_write_.contains(e.address)) edge(last_write_[e.address], node);
        reads_since_[e.address].insert(node);
        break;
      case Kind::kWrite:
        if (last_write_.contains(e.address)) edge(last_write_[e.address], node);
        for (const std::size_t reader : reads_since_[e.address]) edge(reader, node);
        reads_since_[e.address].clear();
        last_write_[e.address] = node;
        break;
      case Kind::kAcquire:
        if (sync_edges && released_.contains(e.address)) edge(released_[e.address], node);
        break;
      case Kind::kRelease:
        released_[e.address] = node;
        break;
      case Kind::kFork:
        forked_by_[static_cast<std::uint32_t>(e.address)] = node;
        break;
      case Kind::kJoin:
        if (const auto last = last_of_.find(static_cast<std::uint32_t>(e.address));
            sync_edges && last != last_of_.end()) {
          edge(last->second, node);
        }
        break;
      default:
        break;
    }
  }

  bool has_cycle() const {
    std::vector<std::size_t> incoming(out_.size()), ready;
    for (const auto& targets : out_) {
      for (const std::size_t to : targets) ++incoming[to];
    }
    for (std::size_t n = 0; n < out_.size(); ++n) {
      if (incoming[n] == 0) ready.push_back(n);
    }
    std::size_t sorted = 0;
    while (!ready.empty()) {
      const std::size_t node = ready.back();
      ready.pop_back();
      ++sorted;
      for (const std::size_t to : out_[node]) {
        if (--incoming[to] == 0) ready.push_back(to);
      }
    }
    return sorted != out_.size();
  }

 private:
  std::size_t node_of(const Event& e) {
    const std::uint32_t thread = index(e.thread);
    std::uint32_t& depth = depth_[thread];
    const bool inside = depth > 0;
    if (e.kind == Kind::kBegin) ++depth;
    if (e.kind == Kind::kEnd && depth > 0) --depth;
    if (inside) return last_of_[thread];
    const std::size_t node = out_.size();
    out_.emplace_back();
    if (last_of_.contains(thread)) edge(last_of_[thread], node);
    return last_of_[thread] = node;
  }
  void edge(std::size_t from, std::size_t to) {
    if (from != to) out_[from].insert(to);
  }

  std::vector<std::set<std::size_t>> out_;
  std::map<std::uint32_t, std::uint32_t> depth_;
  std::map<std::uint32_t, std::size_t> last_of_, forked_by_;
  std::map<Address, std::size_t> last_write_, released_;
  std::map<Address, std::set<std::size_t>> reads_since_;
};

}  // namespace isosan::testing
