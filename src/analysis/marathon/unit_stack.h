// The units of work that one thread is in (calls and annotated blocks), and the one that an access
// belongs to.
//
// Model: a frame is a call or a block, declared on some sets. An access to a set belongs to the
// outermost frame that is declared on it (the paper's "top-most"); a frame that is a unit on
// everything counts as declared on each set.
// Law: for every set the outermost frame declared on it stands in OpenUnits. Calls and returns keep
// it up to date; after a merge of sets on which units are open, rebuild() does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/marathon/conflict_graph.h"
#include "analysis/marathon/function_roles.h"
#include "analysis/marathon/open_units.h"
#include "analysis/marathon/set_model.h"

namespace isosan::marathon {

struct Frame {
  UnitInfo info;
  const FunctionRole* role = nullptr;
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

  // Resets the frame but keeps the memory of its lists: frames are reused very often.
  void begin(const UnitInfo& of, const FunctionRole* with) {
    info = of;
    role = with;
    entry = on_all = false;
    building = on_object = on_class = kNoSet;
    unitfor.clear();
    unit = {};
    named_units.clear();
  }
};

inline const FunctionRole kBlockRole{};  // of an annotated block

class UnitStack {
 public:
  UnitStack(OpenUnits& open, ThreadId thread) : open_(&open), thread_(thread) {}

  std::span<Frame> frames() { return {frames_.data(), depth_}; }
  std::size_t depth() const { return depth_; }
  bool empty() const { return depth_ == 0; }
  Frame& top() { return frames_[depth_ - 1]; }

  // A frame to fill in; push() puts it on top.
  Frame& next() {
    if (depth_ == frames_.size()) frames_.emplace_back();
    return frames_[depth_];
  }
  void push();
  void pop(const SetModel& model);
  void declare(std::size_t frame, SetId set);
  void rebuild(const SetModel& model);  // OpenUnits was cleared

  // The frame that an access to this (merged) set belongs to; kNoFrame: none. A named set of an
  // object has the units of the object's own set, too.
  std::uint32_t unit_on(SetId set, const SetModel& model) const {
    if (!on_all_.empty() || !by_name_.empty() || model.state(set).named) [[unlikely]]
      return unit_by_rule(set, model);
    return open_->find(set, thread_);
  }

  // The innermost call that a direct access makes a unit of work for a set of this name; kNoFrame
  // in main and thread entries. Library code, getters and setters, functions that are declared no
  // units, classes nested in the set's own (iterators, lambdas), and private members on their own
  // object act for their callers.
  std::uint32_t unitfor(SetId set, SetModel& model, const Tables& tables) const;

  // The innermost call of a member function that is neither library code nor a getter or setter, or
  // none.
  const Frame* innermost_member() const;
  // The object of the outermost library call of the innermost run of them: a container.
  Address container() const;
  // Whose members the innermost call uses: the container's, or those of its own object; 0: nobody's.
  Address keeper() const {
    const Address within = container();
    if (within != 0 || depth_ == 0) return within;
    const Frame& innermost = frames_[depth_ - 1];
    return innermost.role->uses_its_members ? innermost.info.object : 0;
  }

 private:
  std::uint32_t unit_by_rule(SetId set, const SetModel& model) const;

  OpenUnits* open_;
  ThreadId thread_;
  std::vector<Frame> frames_;  // outermost first; those from depth_ on are spare
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> on_all_, by_name_;  // frames that are units on all, on sets by name
};

}  // namespace isosan::marathon
