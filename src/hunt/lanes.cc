// Draws the interleaving: one column per thread, one row per operation; a bar runs down a
// column while its thread holds a lock.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hunt/sources.h"
#include "hunt/story.h"
#include "report/names.h"
#include "report/timeline.h"

namespace isosan {
namespace {

constexpr std::size_t kMostColumns = 4;

std::string clipped(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// How many locks each thread holds, operation by operation.
class LockSpans {
 public:
  explicit LockSpans(const std::vector<Event>& order) : order_(order) {}

  // '+' where a span begins or ends, '|' inside it. To be called row by row.
  std::string mark(ThreadId thread, std::size_t row) {
    for (; next_ <= row; ++next_) {
      const Event& event = order_[next_];
      if (event.depth != 0) continue;
      if (event.kind == Kind::kAcquire) ++held_[index(event.thread)];
      if (event.kind == Kind::kRelease) --held_[index(event.thread)];
    }
    const Event& now = order_[row];
    const bool edge = now.thread == thread && now.depth == 0 &&
                      (now.kind == Kind::kAcquire || now.kind == Kind::kRelease);
    return edge ? "+ " : held_[index(thread)] > 0 ? "| " : "  ";
  }

 private:
  const std::vector<Event>& order_;
  std::size_t next_ = 0;
  std::map<std::uint32_t, int> held_;
};

// Overwrites part of the line with `text`.
void put(std::string& line, std::size_t at, const std::string& text) {
  if (line.size() < at + text.size()) line.resize(at + text.size(), ' ');
  line.replace(at, text.size(), text);
}

std::string without_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

class LaneDiagram {
 public:
  LaneDiagram(const Story& story, const Finding& finding, const Tables& tables)
      : story_(story), finding_(finding), names_(tables), spans_(story.order) {
    for (const FindingTransaction& one : finding.transactions) {
      if (std::ranges::find(columns_, one.thread) == columns_.end()) columns_.push_back(one.thread);
    }
    std::ranges::sort(columns_, {}, [](ThreadId id) { return index(id); });
    width_ = columns_.size() <= 2 ? 42 : columns_.size() <= kMostColumns ? 32 : 24;
  }

  std::string draw() {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      put(line, start_of(i),
          fmt::format("{} ({})", names_.thread(columns_[i]), names_.birth_path(columns_[i])));
    }
    std::string text = without_end(line);
    for (std::size_t i = 0; i < story_.rows.size(); ++i) text += row(i);
    return text;
  }

 private:
  std::size_t start_of(std::size_t column) const { return kMargin + column * width_; }

  std::string row(std::size_t i) {
    const StoryRow& row = story_.rows[i];
    const FindingStep& step = finding_.steps[i];
    const auto column =
        static_cast<std::size_t>(std::ranges::find(columns_, step.where.thread) - columns_.begin());
    const Place place = names_.spot(step.where);
    std::string first;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      put(first, start_of(c), spans_.mark(columns_[c], row.event));
    }
    std::string second = first;  // the source, if the row before has another line
    std::ranges::replace(second, '+', '|');
    if (step.operation == Kind::kRelease) put(second, start_of(column), " ");
    put(first, 2, row.mark.empty() ? "" : "=> " + row.mark);
    put(first, start_of(column) + 2, fit(describe(step, names_), width_ - 3));
    if (!place.file.empty()) {
      put(first, start_of(columns_.size()),
          fmt::format("{}:{}", base_name(place.file), place.line));
    }
    std::string text = row.changes ? std::string(kMargin, ' ') + "...\n" : "";
    text += without_end(first);
    const std::string source = sources_.line(place.file, place.line);
    const std::string key = fmt::format("{}:{}:{}", column, place.file, place.line);
    if (!source.empty() && (key != shown_ || row.changes)) {
      put(second, start_of(column) + 4, clipped(source, 76));
      text += without_end(second);
    }
    shown_ = key;
    return text;
  }

  static constexpr std::size_t kMargin = 11;
  const Story& story_;
  const Finding& finding_;
  Names names_;
  LockSpans spans_;
  Sources sources_;
  std::vector<ThreadId> columns_;
  std::size_t width_ = 0;
  std::string shown_;  // source line of the row before
};

}  // namespace

std::string draw_lanes(const Story& story, const Finding& finding, const Tables& tables) {
  return LaneDiagram(story, finding, tables).draw();
}

}  // namespace isosan
