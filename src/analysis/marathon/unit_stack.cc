#include "analysis/marathon/unit_stack.h"

#include <utility>

namespace isosan::marathon {

void UnitStack::push(Frame frame) {
  const auto at = static_cast<std::uint32_t>(frames_.size());
  if (frame.on_all) on_all_.push_back(at);
  if (frame.role.unitfor != nullptr) by_name_.push_back(at);
  frame.for_each_set([&](SetId set) { active_.try_emplace(set, at); });
  frames_.push_back(std::move(frame));
}

void UnitStack::pop(const SetModel& model) {
  const auto at = static_cast<std::uint32_t>(frames_.size() - 1);
  frames_.back().for_each_set([&](SetId set) {
    const auto active = active_.find(model.find(set));
    if (active != active_.end() && active->second == at) active_.erase(active);
  });
  if (frames_.back().on_all) on_all_.pop_back();
  if (frames_.back().role.unitfor != nullptr) by_name_.pop_back();
  frames_.pop_back();
}

void UnitStack::declare(std::size_t frame, SetId set, const SetModel& model) {
  frames_[frame].unitfor.push_back(set);
  rebuild(model);
}

void UnitStack::rebuild(const SetModel& model) {
  active_.clear();
  for (std::uint32_t at = 0; at < frames_.size(); ++at) {
    frames_[at].for_each_set([&](SetId set) { active_.try_emplace(model.find(set), at); });
  }
}

std::optional<std::uint32_t> UnitStack::declared_on(SetId set) const {
  const auto active = active_.find(set);
  return active == active_.end() ? std::nullopt : std::optional(active->second);
}

std::optional<std::size_t> UnitStack::unit_on(SetId set, const SetModel& model) const {
  std::optional<std::size_t> outermost;
  const auto consider = [&](std::optional<std::uint32_t> frame) {
    if (frame && (!outermost || *frame < *outermost)) outermost = *frame;
  };
  consider(declared_on(set));
  if (model.state(set).named && model.at(set).within != kNoSet) {
    consider(declared_on(model.find(model.at(set).within)));
  }
  if (!on_all_.empty()) consider(on_all_.front());
  for (const std::uint32_t frame : by_name_) {
    if (frames_[frame].role.unitfor->contains(model.name_of(set))) consider(frame);
  }
  return outermost;
}

std::optional<std::size_t> UnitStack::unitfor(const std::string& set_name,
                                              const Tables& tables) const {
  for (std::size_t at = frames_.size(); at-- > 0;) {
    const Frame& frame = frames_[at];
    if (frame.role.library || frame.role.transparent) continue;
    if (frame.entry) return std::nullopt;
    if (frame.info.function != kNoFunction && !set_name.empty() &&
        is_nested_in(tables.functions[index(frame.info.function)], set_name)) {
      continue;
    }
    return at;
  }
  return std::nullopt;
}

const Frame* UnitStack::innermost_member() const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (frame->role.library) continue;
    return frame->info.object != 0 && frame->info.function != kNoFunction ? &*frame : nullptr;
  }
  return nullptr;
}

Address UnitStack::container() const {
  Address object = 0;
  for (auto frame = frames_.rbegin(); frame != frames_.rend() && frame->role.library; ++frame) {
    if (frame->info.object != 0) object = frame->info.object;
  }
  return object;
}

}  // namespace isosan::marathon
