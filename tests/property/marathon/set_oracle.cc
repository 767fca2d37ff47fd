#include "property/marathon/set_oracle.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/check.h"

namespace isosan::test {
namespace {

struct Frame {
  FunctionId function{};
  bool block = false;  // annotated: on everything
  bool entry = false;
  std::optional<std::size_t> own;  // of a private member function: its object
  std::set<std::size_t> sets;
  std::size_t unit = 0;
};
struct Belonging {
  std::size_t set, unit;
  Address address;
  bool write;
};

class SetOracle {
 public:
  SetOracle(const std::vector<Event>& events, const Tables& tables) : tables_(tables) {
    for (const Event& e : events) play(e);
  }

  std::set<std::set<std::string>> violated() const {
    std::set<std::set<std::string>> result;
    for (const std::set<std::size_t>& group : merged_sets()) {
      if (serializable(group)) continue;
      std::set<std::string> names;
      for (const std::size_t set : group) names.insert(names_.at(set));
      result.insert(names);
    }
    return result;
  }

 private:
  std::size_t object_at(Address address) const {
    for (std::size_t i = 0; i < tables_.symbols.size(); ++i) {
      const Symbol& symbol = tables_.symbols[i];
      if (address >= symbol.address && address < symbol.address + symbol.size) return i;
    }
    ISOSAN_CHECK(false && "an address of an object");
    return 0;
  }

  void play(const Event& e) {
    std::vector<Frame>& stack = stacks_[e.thread];
    switch (e.kind) {
      case Kind::kCall: {
        const Function& function = tables_.functions[static_cast<std::size_t>(e.size)];
        Frame frame{.function = static_cast<FunctionId>(e.size),
                    .entry = function.thread_entry,
                    .unit = units_++};
        if (function.accessibility == Accessibility::kPublic) {
          frame.sets.insert(object_at(e.address));
        } else if (function.accessibility == Accessibility::kPrivate) {
          frame.own = object_at(e.address);
        }
        stack.push_back(frame);
        break;
      }
      case Kind::kBegin:
        stack.push_back({.block = true, .unit = units_++});
        break;
      case Kind::kReturn:
      case Kind::kEnd:
        stack.pop_back();
        break;
      case Kind::kWaitBegin:
      case Kind::kBarrierDepart:
      case Kind::kSemaphoreWait:
      case Kind::kFork:
      case Kind::kJoin:
        for (Frame& frame : stack) frame.unit = units_++;
        break;
      case Kind::kRead:
      case Kind::kWrite:
        access(stack, e);
        break;
      default:
        break;
    }
  }

  void access(std::vector<Frame>& stack, const Event& e) {
    const std::size_t set = object_at(e.address);
    const Site& site = tables_.sites[index(e.site)];
    names_[set] = site.class_name;
    accesses_.push_back({set, unit_of(stack, set), e.address, e.kind == Kind::kWrite});
    sets_of_unit_[accesses_.back().unit].insert(set);
  }

  std::size_t unit_of(std::vector<Frame>& stack, std::size_t set) {
    for (Frame& frame : stack) {  // top-most first
      if (frame.block || frame.sets.contains(set)) return use(frame);
    }
    const auto accessing = std::find_if(stack.rbegin(), stack.rend(),
                                        [&](const Frame& frame) { return frame.own != set; });
    if (accessing == stack.rend() || accessing->entry) return units_++;
    accessing->sets.insert(set);
    return use(*accessing);
  }
  std::size_t use(const Frame& frame) {
    // A unit works on the union of what it is declared on, used or not.
    sets_of_unit_[frame.unit].insert(frame.sets.begin(), frame.sets.end());
    return frame.unit;
  }

  std::vector<std::set<std::size_t>> merged_sets() const {
    std::vector<std::set<std::size_t>> groups;
    for (const auto& [set, name] : names_) groups.push_back({set});
    for (const auto& [unit, sets] : sets_of_unit_) {
      std::set<std::size_t> together;
      std::vector<std::set<std::size_t>> rest;
      for (const std::set<std::size_t>& group : groups) {
        bool meets = false;
        for (const std::size_t set : group) meets |= sets.contains(set);
        if (meets) {
          together.insert(group.begin(), group.end());
        } else {
          rest.push_back(group);
        }
      }
      if (!together.empty()) rest.push_back(together);
      groups = rest;
    }
    return groups;
  }

  // Takes units away one after the other, each time one that nothing left has to come before.
  bool serializable(const std::set<std::size_t>& group) const {
    std::vector<Belonging> left;
    for (const Belonging& access : accesses_) {
      if (group.contains(access.set)) left.push_back(access);
    }
    while (!left.empty()) {
      const std::optional<std::size_t> first = first_unit(left);
      if (!first) return false;
      std::erase_if(left, [&](const Belonging& access) { return access.unit == *first; });
    }
    return true;
  }
  static std::optional<std::size_t> first_unit(const std::vector<Belonging>& left) {
    for (const Belonging& candidate : left) {
      bool free = true;
      for (std::size_t j = 0; j < left.size() && free; ++j) {
        if (left[j].unit != candidate.unit) continue;
        for (std::size_t i = 0; i < j; ++i) {
          free &= left[i].unit == candidate.unit || left[i].address != left[j].address ||
                  !(left[i].write || left[j].write);
        }
      }
      if (free) return candidate.unit;
    }
    return std::nullopt;
  }

  const Tables& tables_;
  std::map<ThreadId, std::vector<Frame>> stacks_;
  std::vector<Belonging> accesses_;
  std::map<std::size_t, std::string> names_;  // by set: the class
  std::map<std::size_t, std::set<std::size_t>> sets_of_unit_;
  std::size_t units_ = 0;
};

}  // namespace

std::set<std::set<std::string>> violated_sets(const std::vector<Event>& events,
                                              const Tables& tables) {
  return SetOracle(events, tables).violated();
}

}  // namespace isosan::test
