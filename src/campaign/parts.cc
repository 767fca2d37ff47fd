#include "campaign/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "base/user_error.h"

namespace isosan::campaign {
namespace {

constexpr std::size_t kMostNamed = 20;

// The first option that differs, as "seed is 2, not 1".
std::string difference(const Json& ours, const Json& theirs) {
  for (const auto& [name, value] : ours.items()) {
    const Json other = theirs.value(name, Json());
    if (other != value) return fmt::format("{} is {}, not {}", name, other.dump(), value.dump());
  }
  return "others";
}

}  // namespace

Json Parts::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    problems_.push_back(fmt::format("{}: cannot be opened; passed over", path));
    return {};
  }
  Json report = Json::parse(file, nullptr, false);
  if (report.is_discarded()) {
    problems_.push_back(
        fmt::format("{}: is damaged, or was not written to its end; passed over", path));
    return {};
  }
  try {
    Json header = report.at("shard");
    const std::uint64_t index = header.at("index");
    header.erase("index");
    accept(path, header);
    return read_.insert(index).second ? report : Json();
  } catch (const Json::exception&) {
    problems_.push_back(fmt::format("{}: is not a result of a shard (--shard); passed over", path));
    return {};
  }
}

void Parts::accept(const std::string& path, const Json& header) {
  const auto same = [&](const char* what) { return header.at(what) == header_.at(what); };
  if (header_.is_null()) {
    for (const char* what : {"count", "program", "builds", "options"}) header.at(what);
    header_ = header;
    first_ = path;
  } else if (!same("program") || !same("builds")) {
    throw UserError(fmt::format("{} is of another build of the program than {}", path, first_));
  } else if (!same("options")) {
    throw UserError(fmt::format("{} was made with other options than {}: {}", path, first_,
                                difference(header_.at("options"), header.at("options"))));
  } else if (!same("count")) {
    throw UserError(fmt::format("{} is one of {} shards, {} one of {}", path,
                                header.at("count").dump(), first_, header_.at("count").dump()));
  }
}

std::vector<std::uint64_t> Parts::missing() const {
  std::vector<std::uint64_t> missing;
  const std::uint64_t count = header_.is_null() ? 0 : header_.at("count").get<std::uint64_t>();
  for (std::uint64_t index = 1; index <= count; ++index) {
    if (!read_.contains(index)) missing.push_back(index);
  }
  return missing;
}

std::string Parts::missing_text() const {
  std::vector<std::uint64_t> indices = missing();
  if (indices.empty()) return {};
  const std::size_t count = indices.size();
  const bool more = count > kMostNamed;
  if (more) indices.resize(kMostNamed);
  return fmt::format("{} of {} shards {} missing: {}{}", count, header_.at("count").dump(),
                     count == 1 ? "is" : "are", fmt::join(indices, ", "), more ? ", ..." : "");
}

}  // namespace isosan::campaign
