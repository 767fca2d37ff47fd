// The picture of the interleaving: one column per thread, one row per operation.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "hunt/story.h"
#include "report/names.h"

namespace isosan {
namespace {

constexpr std::size_t kMostColumns = 4;

// Lines of source files, read once.
class Sources {
 public:
  std::string line(const std::string& file, std::uint32_t number) {
    const auto [found, is_new] = files_.try_emplace(file);
    if (is_new) {
      std::ifstream in(file);
      for (std::string text; std::getline(in, text);) found->second.push_back(text);
    }
    if (number == 0 || number > found->second.size()) return {};
    const std::string& text = found->second[number - 1];
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? std::string() : text.substr(begin);
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

std::string clipped(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string what_happens(const FindingStep& step, const Names& names) {
  return fmt::format("{} {}", name_of(step.operation), names.operand(step));
}

}  // namespace

std::string draw_lanes(const Story& story, const Finding& finding, const Tables& tables) {
  const Names names(tables);
  Sources sources;
  std::vector<ThreadId> columns;
  for (const FindingTransaction& one : finding.transactions) {
    if (std::ranges::find(columns, one.thread) == columns.end()) columns.push_back(one.thread);
  }
  std::ranges::sort(columns, {}, [](ThreadId id) { return index(id); });
  const std::size_t width = columns.size() <= 2 ? 40 : columns.size() <= kMostColumns ? 30 : 22;
  std::string text = "           ";
  for (const ThreadId id : columns) {
    text += fmt::format("{:<{}}", fmt::format("{} ({})", names.thread(id), names.birth_path(id)),
                        width);
  }
  text += "\n";
  for (std::size_t i = 0; i < story.rows.size(); ++i) {
    const StoryRow& row = story.rows[i];
    const FindingStep& step = finding.steps[i];
    const auto column =
        static_cast<std::size_t>(std::ranges::find(columns, step.where.thread) - columns.begin());
    if (row.changes) text += "           ...\n";
    const Place place = names.place(step.where.site);
    const std::string where = place.file.empty()
                                  ? std::string()
                                  : fmt::format("{}:{}", base_name(place.file), place.line);
    const std::string indent(column * width, ' ');
    text += fmt::format("  {:<9}{}{}  {}\n", row.mark.empty() ? "" : "=> " + row.mark, indent,
                        clipped(what_happens(step, names), width - 2), where);
    if (const std::string line = sources.line(place.file, place.line); !line.empty()) {
      text += fmt::format("           {}  {}\n", indent, clipped(line, 76));
    }
  }
  return text;
}

}  // namespace isosan
