// The units of work that one thread is in: calls and annotated blocks, and who an access belongs
// to.
//
// Model: a frame is a call or a block, declared on some sets. An access to a set belongs to the
// outermost frame that is declared on it (the paper's "top-most"); a frame that is a unit on
// everything counts as declared on each set.
// Law: active_[s] is the outermost frame declared on s. Calls and returns keep it up to date; after
// sets merge, rebuild() does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/marathon/conflict_graph.h"
#include "analysis/marathon/function_roles.h"
#include "analysis/marathon/set_model.h"

namespace isosan::marathon {

struct Frame {
  UnitInfo info;
  FunctionRole role;
  bool entry = false;          // main, or what a thread was started with: never a unit
  bool on_all = false;         // a unit on whatever it touches
  SetId building = kNoSet;     // in a constructor or destructor: its object's set
  SetId on_object = kNoSet;    // declared on: its object's set, ...
  SetId on_class = kNoSet;     // ... its class's static set, ...
  std::vector<SetId> unitfor;  // ... and the sets that it was found to access directly
  UnitRef unit;                // its node in the conflict graph; made by its first access
  std::vector<std::pair<SetId, UnitRef>> named_units;  // a node for each named set that it works on

  UnitRef& unit_on(SetId set, bool named) {
    if (!named) return unit;
    for (auto& [known, node] : named_units) {
      if (known == set) return node;
    }
    return named_units.emplace_back(set, UnitRef{}).second;
  }

  template <class F>
  void for_each_set(F&& f) const {
    if (on_object != kNoSet) f(on_object);
    if (on_class != kNoSet) f(on_class);
    for (const SetId set : unitfor) f(set);
  }
};

class UnitStack {
 public:
  std::vector<Frame>& frames() { return frames_; }
  bool empty() const { return frames_.empty(); }

  void push(Frame frame);
  void pop(const SetModel& model);
  void declare(std::size_t frame, SetId set, const SetModel& model);
  void rebuild(const SetModel& model);

  // The frame that an access to this (merged) set belongs to. A named set of an object has the
  // units of the object's own set, too.
  std::optional<std::size_t> unit_on(SetId set, const SetModel& model) const;

  // The innermost call that a direct access makes a unit of work for a set of this name; none in
  // main and thread entries. Library code, functions that are declared no units, and classes nested
  // in the set's own (iterators, lambdas) act for their callers.
  std::optional<std::size_t> unitfor(const std::string& set_name, const Tables& tables) const;

  // The innermost call of a member function that is not library code, or none.
  const Frame* innermost_member() const;
  // The object of the outermost library call of the innermost run of them: a container.
  Address container() const;

 private:
  std::vector<Frame> frames_;  // outermost first
  std::optional<std::uint32_t> declared_on(SetId set) const;

  std::vector<std::uint32_t> on_all_, by_name_;  // frames that are units on all, on sets by name
  absl::flat_hash_map<SetId, std::uint32_t> active_;
};

}  // namespace isosan::marathon
