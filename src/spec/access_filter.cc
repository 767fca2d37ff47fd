#include "spec/access_filter.h"

#include <algorithm>

#include "runtime/contract/log_format.h"

namespace isosan {

std::span<const Event> AccessFilter::next() {
  if (!options_.filters()) return source_.next();
  batch_.clear();
  dependences_.clear();
  while (batch_.empty()) {
    const std::span<const Event> input = source_.next();
    if (input.empty()) return {};
    auto next = source_.dependences().begin();
    const auto end = source_.dependences().end();
    for (std::size_t i = 0; i <= input.size(); ++i) {
      for (; next != end && next->before <= i; ++next) {
        dependences_.push_back(*next);
        dependences_.back().before = batch_.size();
      }
      if (i < input.size() && passes(input[i])) batch_.push_back(input[i]);
    }
  }
  return batch_;
}

AccessFilter::ThreadState& AccessFilter::thread_of(ThreadId thread) {
  if (index(thread) >= threads_.size()) {
    threads_.resize(index(thread) + 1, {.shown = !options_.suspects || options_.suspects->unary});
  }
  return threads_[index(thread)];
}

bool AccessFilter::passes(const Event& event) {
  ThreadState& thread = thread_of(event.thread);
  if (is_access(event.kind)) return thread.shown && !(!options_.arrays && is_array(event));
  const bool edge = event.kind == Kind::kBegin || event.kind == Kind::kEnd;
  if (!edge || event.detail != static_cast<std::uint8_t>(RegionKind::kAtomic)) return true;
  if (!options_.suspects) return true;
  if (event.kind == Kind::kBegin) {
    if (thread.depth++ == 0) thread.shown = is_suspect(static_cast<RegionId>(event.size));
  } else if (thread.depth > 0 && --thread.depth == 0) {
    thread.shown = options_.suspects->unary;
  }
  return true;
}

bool AccessFilter::is_suspect(RegionId region) {
  if (index(region) >= suspects_.size()) suspects_.resize(index(region) + 1);
  Answer& answer = suspects_[index(region)];
  if (answer == Answer::kUnknown) {
    const std::string& name = tables().regions.at(index(region)).name;
    answer = options_.suspects->regions.contains(name) ? Answer::kYes : Answer::kNo;
  }
  return answer == Answer::kYes;
}

// Decided by the first access of a site, for all of its accesses.
bool AccessFilter::is_array(const Event& event) {
  if (event.kind != Kind::kRead && event.kind != Kind::kWrite) return false;
  if (event.site == kNoSite) return !is_variable(event);
  if (index(event.site) >= arrays_.size()) arrays_.resize(index(event.site) + 1);
  Answer& answer = arrays_[index(event.site)];
  if (answer == Answer::kUnknown) {
    const bool field = !tables().sites.at(index(event.site)).field.empty();
    answer = field || is_variable(event) ? Answer::kNo : Answer::kYes;
  }
  return answer == Answer::kYes;
}

bool AccessFilter::is_variable(const Event& event) const {
  const std::vector<Symbol>& symbols = tables().symbols;
  auto after = std::ranges::upper_bound(symbols, event.address, {}, &Symbol::address);
  if (after == symbols.begin()) return false;
  const Symbol& symbol = *std::prev(after);
  return symbol.address == event.address && symbol.size == event.size;
}

}  // namespace isosan
