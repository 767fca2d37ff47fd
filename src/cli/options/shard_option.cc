#include "cli/options/shard_option.h"

#include <fmt/format.h>

#include <charconv>

#include "base/user_error.h"

namespace isosan {
namespace {

constexpr std::uint64_t kMost = 1000000;

std::uint64_t number(std::string_view text) {  // 0: none
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : 0;
}

}  // namespace

void declare_shard(CLI::App& parser, std::string& text) {
  parser.add_option("--shard", text, "Only part I of N of the work, for 'isosan merge'")
      ->type_name("I/N");
}

Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t at = std::min(text.find('/'), text.size() - 1);
  const Shard shard{number(std::string_view(text).substr(0, at)),
                    number(std::string_view(text).substr(at + 1))};
  if (shard.index == 0 || shard.index > shard.count || shard.count > kMost)
    throw UserError(fmt::format("--shard: '{}' is not a part I/N, such as 3/7", text));
  return shard;
}

nlohmann::json shard_header(const Shard& shard, const std::string& program,
                            const std::vector<std::string>& builds, const nlohmann::json& options) {
  return {{"index", shard.index},
          {"count", shard.count},
          {"program", program},
          {"builds", builds},
          {"options", options}};
}

}  // namespace isosan
