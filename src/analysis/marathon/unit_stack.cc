#include "analysis/marathon/unit_stack.h"

#include <algorithm>

namespace isosan::marathon {

void UnitStack::push() {
  const auto at = static_cast<std::uint32_t>(depth_++);
  const Frame& frame = frames_[at];
  if (frame.on_all) on_all_.push_back(at);
  if (frame.role->unitfor != nullptr) by_name_.push_back(at);
  frame.for_each_set([&](SetId set) { open_->open(set, thread_, at); });
}

void UnitStack::pop(const SetModel& model) {
  const auto at = static_cast<std::uint32_t>(--depth_);
  const Frame& frame = frames_[at];
  frame.for_each_set([&](SetId set) { open_->close(model.find(set), thread_, at); });
  if (frame.on_all) on_all_.pop_back();
  if (frame.role->unitfor != nullptr) by_name_.pop_back();
}

void UnitStack::declare(std::size_t frame, SetId set) {
  frames_[frame].unitfor.push_back(set);
  open_->open(set, thread_, static_cast<std::uint32_t>(frame));
}

void UnitStack::rebuild(const SetModel& model) {
  for (std::uint32_t at = 0; at < depth_; ++at) {
    frames_[at].for_each_set([&](SetId set) { open_->open(model.find(set), thread_, at); });
  }
}

std::uint32_t UnitStack::unit_by_rule(SetId set, const SetModel& model) const {
  std::uint32_t outermost = open_->find(set, thread_);  // kNoFrame lies further in than all frames
  if (model.state(set).named && model.at(set).within != kNoSet) {
    outermost = std::min(outermost, open_->find(model.find(model.at(set).within), thread_));
  }
  if (!on_all_.empty()) outermost = std::min(outermost, on_all_.front());
  for (const std::uint32_t frame : by_name_) {
    if (frames_[frame].role->unitfor->contains(model.name_of(set))) {
      outermost = std::min(outermost, frame);
    }
  }
  return outermost;
}

std::uint32_t UnitStack::unitfor(SetId set, SetModel& model, const Tables& tables) const {
  const std::string& set_name = model.name_of(set);
  for (std::size_t at = depth_; at-- > 0;) {
    const Frame& frame = frames_[at];
    if (frame.role->library || frame.role->transparent || frame.role->accessor) continue;
    if (frame.entry) return kNoFrame;
    const FunctionRole& role = *frame.role;
    if (role.own_part && frame.info.object != 0 &&
        model.set_of_object(frame.info.object, role.class_name, role.class_size) == set) {
      continue;
    }
    if (frame.info.function != kNoFunction && !set_name.empty() &&
        is_nested_in(tables.functions[index(frame.info.function)], set_name)) {
      continue;
    }
    return static_cast<std::uint32_t>(at);
  }
  return kNoFrame;
}

const Frame* UnitStack::innermost_member() const {
  for (std::size_t at = depth_; at-- > 0;) {
    const Frame& frame = frames_[at];
    if (frame.role->library || frame.role->accessor) continue;
    return frame.info.object != 0 && frame.info.function != kNoFunction ? &frame : nullptr;
  }
  return nullptr;
}

Address UnitStack::container() const {
  Address object = 0;
  for (std::size_t at = depth_; at-- > 0 && frames_[at].role->library;) {
    if (frames_[at].info.object != 0) object = frames_[at].info.object;
  }
  return object;
}

}  // namespace isosan::marathon
