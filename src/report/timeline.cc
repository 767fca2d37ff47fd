#include "report/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace isosan {
namespace {

constexpr std::size_t kWidestLane = 40;
constexpr std::string_view kOpenGutter = "| ";

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string describe(const FindingStep& step, const Names& names) {
  const std::string operand = names.operand(step);
  return operand.empty() ? std::string(name_of(step.operation))
                         : fmt::format("{} {}", name_of(step.operation), operand);
}

std::string fit(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  std::string shorter = text;
  constexpr std::size_t kDigits = 4;  // of an address, which tell two objects apart
  const std::size_t address = text.rfind(" (0x");
  if (address != text.npos && text.ends_with(")") && text.size() - address > kDigits + 5) {
    shorter = text.substr(0, address) + " (.." + text.substr(text.size() - kDigits - 1);
    if (shorter.size() <= width) return shorter;
    shorter.erase(address);
  }
  if (shorter.size() <= width) return shorter;
  const std::size_t blank = shorter.find(' ');
  const std::string before = blank == text.npos ? "" : shorter.substr(0, blank + 1);
  const std::string tail = before + "...";
  if (tail.size() >= width) return shorter.substr(0, width);
  return tail + shorter.substr(shorter.size() - (width - tail.size()));
}

Timeline::Timeline(const Finding& finding, const Names& names)
    : finding_(finding), names_(names), row_of_step_(finding.steps.size()) {
  const auto key = [&](std::size_t step) {
    const FindingStep& s = finding.steps[step];
    return std::tuple(s.where.ordinal, s.transaction, s.operation, s.address);
  };
  std::vector<std::size_t> order(finding.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, key);
  for (const std::size_t step : order) {
    if (steps_.empty() || key(steps_.back()) != key(step)) steps_.push_back(step);
    row_of_step_[step] = steps_.size();
  }
  last_step_.resize(finding.transactions.size());
  for (const FindingStep& step : finding.steps) {
    std::uint64_t& last = last_step_[step.transaction];
    last = std::max(last, step.where.ordinal);
  }
  for (const Line& line : lines()) {
    if (std::ranges::find(lanes_, line.where.thread) == lanes_.end()) {
      lanes_.push_back(line.where.thread);
    }
  }
}

bool Timeline::begin_is_known(std::size_t transaction) const {
  const Where& begin = finding_.transactions[transaction].begin;
  return std::ranges::none_of(finding_.steps, [&](const FindingStep& step) {
    return step.where.ordinal == begin.ordinal && step.operation != Kind::kBegin;
  });
}

std::vector<Timeline::Line> Timeline::lines() const {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < finding_.transactions.size(); ++i) {
    const FindingTransaction& t = finding_.transactions[i];
    const bool has_step = std::ranges::any_of(
        finding_.steps, [&](const FindingStep& step) { return step.where.thread == t.thread; });
    const std::string name = names_.region_or_function(t);
    if (name.empty() || !has_step) continue;
    Where begin = t.begin;
    begin.thread = t.thread;
    if (begin_is_known(i)) {
      lines.push_back({"", "begin " + name, names_.begin_of(t), begin});
    } else {
      lines.push_back({"", "in " + name, {}, begin});
    }
  }
  for (std::size_t row = 1; row <= steps_.size(); ++row) {
    const FindingStep& step = finding_.steps[steps_[row - 1]];
    lines.push_back(
        {std::to_string(row), describe(step, names_), names_.place(finding_, step), step.where});
  }
  std::ranges::stable_sort(lines, {}, [](const Line& line) { return line.where.ordinal; });
  return lines;
}

// A region's transaction is drawn open from its begin to its last step, and to the end of the
// diagram if it had not ended when the finding was made.
bool Timeline::is_open(std::size_t transaction, const Line& at) const {
  const FindingTransaction& t = finding_.transactions[transaction];
  const std::uint64_t now = at.where.ordinal;
  const bool begun = t.begin.ordinal < now || (t.begin.ordinal == now && !at.number.empty());
  if (names_.region_or_function(t).empty() || !begun) return false;
  return !t.finished || last_step_[transaction] >= now;
}

std::string Timeline::diagram(const std::string& indent) const {
  if (steps_.empty() || lanes_.size() > kMostLanes) return "";
  const std::vector<Line> all = lines();
  std::vector<std::size_t> widths;
  for (const ThreadId thread : lanes_) widths.push_back(names_.thread(thread).size());
  for (const Line& line : all) {
    const auto lane = std::ranges::find(lanes_, line.where.thread) - lanes_.begin();
    std::size_t& width = widths[static_cast<std::size_t>(lane)];
    width = std::max(width, std::min(line.text.size(), kWidestLane) + kOpenGutter.size());
  }

  std::string head;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    head += fmt::format("{:<{}}", names_.thread(lanes_[lane]), widths[lane] + 3);
  }
  std::string diagram = without_trailing_blanks(indent + "     " + head) + "\n";
  for (const Line& line : all) {
    std::string text = fmt::format("{}{:>3}  ", indent, line.number);
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      std::string cell;
      for (std::size_t t = 0; t < finding_.transactions.size() && cell.empty(); ++t) {
        if (finding_.transactions[t].thread == lanes_[lane] && is_open(t, line)) {
          cell = kOpenGutter;
        }
      }
      if (line.where.thread == lanes_[lane]) cell += fit(line.text, kWidestLane);
      text += fmt::format("{:<{}}", cell, widths[lane] + 3);
    }
    diagram += without_trailing_blanks(text + to_string(line.place)) + "\n";
  }
  return diagram;
}

}  // namespace isosan
