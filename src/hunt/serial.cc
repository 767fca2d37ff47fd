#include "hunt/serial.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/shown.h"

namespace isosan {
namespace {

constexpr std::size_t kMostRuns = 4;

// In each run another one goes last. Empty: the threads go in the order of their birth.
std::vector<std::string> last_threads(const Execution& first) {
  std::vector<std::string> last;
  for (const ThreadAtEnd& thread : first.schedule.threads) {
    if (last.size() + 1 < kMostRuns && thread.path != "0") last.push_back(thread.path);
  }
  return last;
}

std::vector<std::string> first_of(std::vector<std::string> lines, std::size_t most) {
  if (lines.size() > most) lines.resize(most);
  return lines;
}

}  // namespace

std::vector<std::string> sorted_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::sort(lines);
  return lines;
}

LineDifference difference(const Harness& harness, std::string_view output, std::size_t most) {
  const std::vector<std::string> lines = sorted_lines(output);
  LineDifference found;
  std::ranges::set_difference(lines, *harness.serial_lines, std::back_inserter(found.more));
  std::ranges::set_difference(*harness.serial_lines, lines, std::back_inserter(found.fewer));
  return {first_of(std::move(found.more), most), first_of(std::move(found.fewer), most)};
}

std::string take_serial_output(Harness& harness, int cpu) {
  if (!harness.serial_output) return {};
  const Execution first = execute(harness, {}, cpu);
  if (judge(harness, first)) return {};  // the hunt sees that, too
  Harness wanted = harness;
  wanted.serial_lines = sorted_lines(first.output);
  for (const std::string& last : last_threads(first)) {
    ScheduleRequest request;
    request.last_after = last;
    const Execution serial = execute(harness, request, cpu);
    if (judge(harness, serial) || was_cut(harness, serial)) continue;
    const LineDifference differs = difference(wanted, serial.output, 1);
    if (differs.more.empty() && differs.fewer.empty()) continue;
    const bool more = !differs.more.empty();
    return fmt::format(
        "'{}' cannot be judged by --serial-output: its serial runs differ, and '{}' is printed "
        "only "
        "if thread {} goes {}",
        harness.command[0], shown(more ? differs.more[0] : differs.fewer[0]), last,
        more ? "last" : "earlier");
  }
  harness.serial_lines = wanted.serial_lines;
  return {};
}

}  // namespace isosan
