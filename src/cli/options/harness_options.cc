#include "cli/options/harness_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/shell_word.h"
#include "base/user_error.h"
#include "cli/options/number.h"

namespace isosan {

void WorldOptions::declare(CLI::App& parser) {
  parser.add_flag("--fix-time", fix_time, "The clock says the same in every run");
  parser.add_flag("--fix-random", fix_random, "So do the system's random numbers");
}

std::uint32_t WorldOptions::fixed() const {
  return (fix_time ? log::kClock : 0u) | (fix_random ? log::kRandom : 0u);
}

void WorldOptions::fix(std::uint32_t inputs) {
  fix_time |= (inputs & log::kClock) != 0;
  fix_random |= (inputs & log::kRandom) != 0;
}

std::string WorldOptions::as_options() const {
  std::string text = fix_time ? "--fix-time" : "";
  if (fix_random) text += text.empty() ? "--fix-random" : " --fix-random";
  return text;
}

void HarnessOptions::declare(CLI::App& parser) {
  parser.add_option("--timeout", timeout, "A run longer than this hangs, in seconds")
      ->type_name("S")
      ->check(seconds());
  parser.add_option("--expect-output", expect_output, "Fails if its stdout is not this")
      ->type_name("FILE");
  parser.add_option("--fail-if", fail_if, "Fails if this command, given its stdout, succeeds")
      ->type_name("COMMAND");
  parser.add_flag("--reuse-freed", reuse_freed,
                  "Freed memory may be used again; otherwise a use after free fails");
  parser.add_flag("--expect-invariant", expect_invariant,
                  "The program must declare an ISOSAN_INVARIANT (docs/reference/annotations.md)");
  parser.add_flag(
      "--serial-output", serial_output,
      "Fails if its stdout has other lines than when its threads run one after another");
  world.declare(parser);
}

Harness HarnessOptions::harness(const std::vector<std::string>& command) const {
  Harness harness{.command = command,
                  .milliseconds = static_cast<std::uint64_t>(timeout * 1000),
                  .expected_output = {},
                  .fail_if = fail_if,
                  .fixed = world.fixed(),
                  .reuse_freed = reuse_freed,
                  .expect_invariant = expect_invariant,
                  .serial_output = serial_output,
                  .serial_lines = {}};
  if (!expect_output.empty()) {
    std::ifstream file(expect_output, std::ios::binary);
    if (!file || std::filesystem::is_directory(expect_output))
      throw UserError(fmt::format("cannot read {}", expect_output));
    harness.expected_output = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return harness;
}

std::vector<std::string> HarnessOptions::as_words() const {
  std::vector<std::string> words;
  if (timeout > 0) words.insert(words.end(), {"--timeout", fmt::format("{:g}", timeout)});
  if (!expect_output.empty()) words.insert(words.end(), {"--expect-output", expect_output});
  if (!fail_if.empty()) words.insert(words.end(), {"--fail-if", fail_if});
  if (reuse_freed) words.push_back("--reuse-freed");
  if (expect_invariant) words.push_back("--expect-invariant");
  if (serial_output) words.push_back("--serial-output");
  if (world.fix_time) words.push_back("--fix-time");
  if (world.fix_random) words.push_back("--fix-random");
  return words;
}

std::string HarnessOptions::as_options() const {
  const std::vector<std::string> words = as_words();
  return words.empty() ? "" : " " + shell_words(words);
}

}  // namespace isosan
