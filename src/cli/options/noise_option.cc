#include "cli/options/noise_option.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

namespace isosan {
namespace {

struct Noise {
  double probability = 0;
  std::uint64_t seed = 0;
};

template <class Number>
bool read_whole(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

std::optional<Noise> read(std::string_view text) {
  Noise noise;
  const std::size_t comma = text.find(',');
  if (!read_whole(text.substr(0, comma), noise.probability)) return std::nullopt;
  if (!(noise.probability >= 0 && noise.probability <= 1)) return std::nullopt;
  if (comma != std::string_view::npos && !read_whole(text.substr(comma + 1), noise.seed)) {
    return std::nullopt;
  }
  return noise;
}

}  // namespace

void NoiseOption::declare(CLI::App& parser) {
  const auto check = [](const std::string& given) {
    if (read(given)) return std::string();
    return fmt::format("'{}' is not a probability from 0 to 1, with or without ',SEED'", given);
  };
  parser
      .add_option("--noise", text,
                  "Threads give way at shared accesses and lock operations, so often (0 to 1)")
      ->type_name("PROBABILITY[,SEED]")
      ->check(CLI::Validator(check, ""));
}

std::uint32_t NoiseOption::probability() const {
  constexpr auto kCertain = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(read(text).value_or(Noise{}).probability * kCertain);
}

std::uint64_t NoiseOption::seed() const { return read(text).value_or(Noise{}).seed; }

NoiseOption NoiseOption::for_run(std::uint64_t number) const {
  if (text.empty()) return {};
  return {fmt::format("{},{}", text.substr(0, text.find(',')), seed() + number)};
}

}  // namespace isosan
