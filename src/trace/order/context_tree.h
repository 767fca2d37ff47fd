// The calling-context tree of Tables::contexts, grown while calls and returns are read.
//
// Model: a stack is a node; calling a function from a site goes to the child for the two, made at
// the first call. Most calls of a stack go to the same child as the one before: that child is
// checked first. A return goes up to the parent of the nearest frame of its function (frames above
// it were left by longjmp); a return from a function that is not on the stack changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/tables.h"

namespace isosan {

class ContextTree {
 public:
  explicit ContextTree(std::vector<Context>& nodes) : nodes_(nodes) {}

  ContextId call(ContextId stack, FunctionId function, SiteId call_site) {
    if (index(stack) >= latest_.size()) [[unlikely]]
      latest_.resize(2 * std::size_t{index(stack)} + 64, kEmptyStack);
    ContextId& latest = latest_[index(stack)];
    const Context& guess = nodes_[index(latest)];
    if (latest == kEmptyStack || guess.function != function || guess.call_site != call_site)
      latest = child_of(stack, function, call_site);
    return latest;
  }

  ContextId leave(ContextId stack, FunctionId function) const {
    for (ContextId frame = stack; frame != kEmptyStack; frame = nodes_[index(frame)].parent) {
      if (nodes_[index(frame)].function == function) return nodes_[index(frame)].parent;
    }
    return stack;
  }

 private:
  ContextId child_of(ContextId stack, FunctionId function, SiteId call_site) {
    const std::pair key{std::uint64_t{index(stack)} << 32 | index(function), index(call_site)};
    const auto [child, is_new] = children_.try_emplace(key);
    if (is_new) {
      child->second = ContextId{static_cast<std::uint32_t>(nodes_.size())};
      nodes_.push_back({.parent = stack, .function = function, .call_site = call_site});
    }
    return child->second;
  }

  std::vector<Context>& nodes_;
  std::vector<ContextId> latest_;  // by parent: the child of its latest call
  // By (parent and function in one word, call site).
  absl::flat_hash_map<std::pair<std::uint64_t, std::uint32_t>, ContextId> children_;
};

}  // namespace isosan
