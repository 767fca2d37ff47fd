#include "cli/commands/replay_walk.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "base/shown.h"
#include "base/user_error.h"
#include "cli/output/switch_text.h"
#include "hunt/switches.h"
#include "symbolize/member_names.h"
#include "symbolize/resolve.h"

namespace isosan {
namespace {

constexpr char kCommands[] =
    "enter or n: the next change, b: the one before, NUMBER: that one, g: gdb there, q: no more";

bool has_commands() {
  struct stat input {};
  if (::isatty(0) == 1) return true;
  return ::fstat(0, &input) == 0 && (S_ISFIFO(input.st_mode) || S_ISSOCK(input.st_mode));
}

void resolve(const std::vector<Switch>& switches, RecordedRun& run) {
  std::vector<Where> places;
  for (const Switch& one : switches) {
    for (const auto* event : {&one.last, &one.stops, &one.goes_on}) {
      if (*event) places.push_back({0, (*event)->thread, (*event)->site, (*event)->context});
    }
  }
  name_members(run.events, run.tables);
  resolve_places({}, places, run.tables);
}

class SwitchWalk {
 public:
  SwitchWalk(const std::vector<Switch>& switches, const Tables& tables,
             const std::function<void(std::uint64_t)>& debug)
      : text_(switches, tables), count_(switches.size()), debug_(debug) {}

  void run() {
    if (count_ == 0) return;
    const bool terminal = ::isatty(0) == 1;
    if (terminal) fmt::print("{}\n", kCommands);
    show(1);
    if (has_commands()) {
      while (const auto line = read(terminal)) {
        if (!take(*line, terminal)) return;
      }
    }
    while (!terminal && at_ < count_) show(at_ + 1);
  }

 private:
  void show(std::uint64_t number) {
    at_ = number;
    fmt::print("{}", text_.of(number));
    std::fflush(stdout);
  }

  static std::optional<std::string> read(bool terminal) {
    if (terminal) fmt::print("> ");
    std::fflush(stdout);
    std::string line;
    return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
  }

  // False: the walk is over.
  bool take(const std::string& line, bool terminal) {
    if (line.empty() || line == "n") {
      if (at_ == count_) return false;
      show(at_ + 1);
    } else if (line == "b") {
      show(std::max<std::uint64_t>(at_, 2) - 1);
    } else if (line == "g") {
      debug_(at_);
    } else if (line == "q") {
      return false;
    } else if (const auto number = number_of(line)) {
      show(*number);
    } else {
      const std::string why = fmt::format("'{}' is neither a command nor a change from 1 to {}; {}",
                                          shown(line), count_, kCommands);
      if (!terminal) throw UserError(why);
      fmt::print("{}\n", why);
    }
    return true;
  }

  std::optional<std::uint64_t> number_of(const std::string& line) const {
    std::uint64_t number = 0;
    const char* end = line.data() + line.size();
    const auto [behind, error] = std::from_chars(line.data(), end, number);
    const bool good = error == std::errc() && behind == end && number >= 1 && number <= count_;
    return good ? std::optional(number) : std::nullopt;
  }

  SwitchText text_;
  const std::uint64_t count_;
  const std::function<void(std::uint64_t)>& debug_;
  std::uint64_t at_ = 0;
};

}  // namespace

void walk_switches(RecordedRun& run, const std::function<void(std::uint64_t)>& debug) {
  const std::vector<Switch> switches = switches_of(run.events, run.tables, run.execution);
  resolve(switches, run);
  if (switches.empty()) fmt::print("the thread never changes\n");
  SwitchWalk(switches, run.tables, debug).run();
}

}  // namespace isosan
