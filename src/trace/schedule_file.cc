#include "trace/schedule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/input_error.h"
#include "base/shown.h"
#include "trace/stream/input_file.h"
#include "trace/stream/output_file.h"

namespace isosan {
namespace {

constexpr std::string_view kHead = "isosan schedule ";
constexpr std::uint64_t kVersion = 1;

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "0", "0.1", "0.1.0": the first thread is 0, the others are numbers of up to eight digits.
bool is_birth_path(std::string_view text) {
  constexpr std::size_t kMostDigits = 8;
  if (text != "0" && !text.starts_with("0.")) return false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('.'), text.size());
    if (end > kMostDigits || !number_of(text.substr(0, end)) || end + 1 == text.size())
      return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// What follows the number of a step.
std::optional<std::uint64_t> beyond_of(std::string_view text) {
  if (text.empty()) return 0;
  if (text == "unlocked") return kUnlocked;
  return text.starts_with('+') ? number_of(text.substr(1)) : std::nullopt;
}

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
    line.remove_suffix(1);
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  return line;
}

// Removes the word before the first blank from `line` and returns it.
std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line = trimmed(line.substr(end));
  return word;
}

class ScheduleParser {
 public:
  explicit ScheduleParser(const std::string& name) : name_(name) {}

  Schedule parse(std::string_view text) {
    ends_in_line_ = text.ends_with('\n');
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      const std::string_view line = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!line.empty() && line.front() != '#') take(line);
    }
    if (!has_head_) fail("is not a schedule: its first line must be 'isosan schedule 1'");
    check_complete();
    return std::move(schedule_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name_, std::max<std::uint64_t>(line_, 1), what));
  }

  // A file that was cut off would be a schedule that asks for less, and pass.
  void check_complete() const {
    const std::size_t has = schedule_.steps.size();
    if (!steps_ && has == 0 && schedule_.first_after.empty()) fail("the schedule has no steps");
    if (steps_.value_or(has) != has)
      fail(fmt::format("the schedule has {} steps, and not {} as 'steps' says", has, *steps_));
    if (steps_ && !ends_in_line_) fail("the last line of the schedule is cut off");
  }

  void take(std::string_view line) {
    if (!has_head_) return take_head(line);
    const std::string_view word = take_word(line);
    if (word == "run") return take_step(line);
    if (word == "steps") {
      steps_ = number_of(line);
      if (!steps_) fail("'steps' needs a number");
    } else if (word == "build") {
      if (line.empty()) fail("'build' needs a build id");
      schedule_.build_ids.emplace_back(line);
    } else if (word == "before" || word == "behind") {
      take_anchor(word, line);
    } else if (word == "in") {
      Anchor& at = anchor();
      const auto number = number_of(take_word(line));
      if (!number) fail("a place reads 'in LINE FUNCTION'");
      at.line = static_cast<std::uint32_t>(*number);
      at.function = line;
    } else if (word == "source") {
      anchor().source = line;
    } else if (word == "first-after") {
      schedule_.first_after = thread_of(line);
    } else if (word == "note") {
      schedule_.notes.emplace_back(line);
    } else {
      fail(
          fmt::format("'{}' is not a line of a schedule (steps, build, run, before, behind, in, "
                      "source, first-after, note)",
                      word));
    }
  }

  void take_head(std::string_view line) {
    if (!line.starts_with(kHead))
      fail("is not a schedule: its first line must be 'isosan schedule 1'");
    const auto version = number_of(line.substr(kHead.size()));
    if (version != kVersion) {
      fail(fmt::format("version '{}' of the schedule format is not known; this isosan reads {}",
                       line.substr(kHead.size()), kVersion));
    }
    has_head_ = true;
  }

  std::string thread_of(std::string_view text) const {
    if (!is_birth_path(text)) fail(fmt::format("'{}' is not a thread, such as 0.1", text));
    return std::string(text);
  }

  void take_anchor(std::string_view word, std::string_view line) {
    if (schedule_.steps.empty()) fail(fmt::format("'{}' belongs behind a step", word));
    Anchor one{.behind = word == "behind"};
    const auto occurrence = number_of(take_word(line));
    one.operation = take_word(line);
    if (!occurrence || one.operation.empty())
      fail(fmt::format("an anchor reads '{} NUMBER OPERATION [OPERAND]'", word));
    one.occurrence = *occurrence;
    one.operand = line;
    schedule_.steps.back().anchors.push_back(std::move(one));
  }

  Anchor& anchor() {
    if (schedule_.steps.empty() || schedule_.steps.back().anchors.empty())
      fail("this line belongs behind 'before' or 'behind'");
    return schedule_.steps.back().anchors.back();
  }

  void take_step(std::string_view line) {
    ScheduleStep step{.thread = thread_of(take_word(line))};
    const std::string_view until = take_word(line);
    const auto number = number_of(take_word(line));
    const auto beyond = beyond_of(line);
    if (until != "until" || !number || !beyond) {
      fail("a step reads 'run THREAD until NUMBER [+POINTS | unlocked]'");
    }
    step.until = *number;
    step.beyond = static_cast<std::uint32_t>(*beyond);
    std::uint64_t& before = reached_[step.thread];
    if (step.until < before) {
      fail(fmt::format("thread {} cannot go back from operation {} to {}", step.thread, before,
                       step.until));
    }
    before = step.until;
    schedule_.steps.push_back(std::move(step));
  }

  const std::string& name_;
  std::uint64_t line_ = 0;
  bool has_head_ = false, ends_in_line_ = false;
  std::optional<std::uint64_t> steps_;  // as the file says
  Schedule schedule_;
  absl::flat_hash_map<std::string, std::uint64_t> reached_;
};

std::string print_anchor(const Anchor& anchor) {
  std::string text = fmt::format("  {} {} {}", anchor.behind ? "behind" : "before",
                                 anchor.occurrence, shown(anchor.operation));
  if (!anchor.operand.empty()) text += " " + shown(anchor.operand);
  if (!anchor.function.empty() || anchor.line != 0)
    text += fmt::format("\n  in {} {}", anchor.line, shown(anchor.function));
  if (!anchor.source.empty()) text += fmt::format("\n  source {}", shown(anchor.source));
  return text + "\n";
}

}  // namespace

std::string print_schedule(const Schedule& schedule) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}{}\nsteps {}\n", kHead, kVersion, schedule.steps.size());
  for (const std::string& id : schedule.build_ids) fmt::format_to(out, "build {}\n", id);
  for (const std::string& note : schedule.notes) fmt::format_to(out, "note {}\n", shown(note));
  if (!schedule.first_after.empty()) {
    fmt::format_to(out, "first-after {}\n", schedule.first_after);
  }
  for (const ScheduleStep& step : schedule.steps) {
    fmt::format_to(out, "run {} until {}", step.thread, step.until);
    if (step.beyond == kUnlocked) {
      fmt::format_to(out, " unlocked");
    } else if (step.beyond != 0) {
      fmt::format_to(out, " +{}", step.beyond);
    }
    fmt::format_to(out, "\n");
    for (const Anchor& anchor : step.anchors) text.append(print_anchor(anchor));
  }
  return fmt::to_string(text);
}

Schedule parse_schedule(std::string_view text, const std::string& name) {
  return ScheduleParser(name).parse(text);
}

void write_schedule(const Schedule& schedule, const std::string& path) {
  OutputFile file(path);
  file.write(print_schedule(schedule));
  file.close();
}

Schedule read_schedule(const std::string& path) {
  InputFile file(path);
  std::string text;
  for (std::string_view bytes = file.peek(1); !bytes.empty(); bytes = file.peek(1)) {
    text.append(bytes);
    file.skip(bytes.size());
  }
  return parse_schedule(text, path);
}

}  // namespace isosan
