#include "hunt/corpus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <queue>
#include <set>
#include <sstream>
#include <tuple>

#include "absl/container/flat_hash_set.h"
#include "base/fresh_file.h"
#include "base/input_error.h"
#include "base/shard.h"
#include "base/user_error.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPairsNote = "pairs";
constexpr char kEnding[] = ".schedule";

std::string name_of(std::string_view text) {
  return fmt::format("{:016x}{}", Shard::hash(text), kEnding);
}

std::string text_of(const CorpusEntry& entry) {
  Schedule schedule = entry.schedule;
  schedule.notes = {fmt::format("{} {:x}", kPairsNote, fmt::join(entry.pairs, " "))};
  return print_schedule(schedule);
}

std::vector<std::uint64_t> pairs_in(const Schedule& schedule) {
  std::vector<std::uint64_t> pairs;
  for (const std::string& note : schedule.notes) {
    std::istringstream words(note);
    std::string word;
    if (!(words >> word) || word != kPairsNote) continue;
    for (std::uint64_t pair = 0; words >> std::hex >> pair;) pairs.push_back(pair);
  }
  return pairs;
}

// Throws InputError: it is none.
CorpusEntry read_entry(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (name_of(text) != path.filename())
    throw InputError(fmt::format("{}: is damaged, or no file of a corpus", path.string()));
  Schedule schedule = parse_schedule(text, path);
  std::vector<std::uint64_t> pairs = pairs_in(schedule);
  schedule.notes.clear();
  return {std::move(schedule), std::move(pairs), path};
}

std::vector<fs::path> files_of(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& one : fs::directory_iterator(folder)) {
    if (one.path().extension() == kEnding) files.push_back(one.path());
  }
  return files;
}

void move_into(const std::string& folder, const fs::path& file) {
  fs::rename(file, fs::path(folder) / file.filename());
}

// What is left to be shown, of one build of the program.
class Cover {
 public:
  explicit Cover(const std::vector<CorpusEntry>& entries) : entries_(entries) {}

  // A gain only becomes smaller. So the first one whose gain is still what it was is the best.
  void choose(const std::vector<std::size_t>& among, std::vector<std::size_t>& chosen) {
    std::priority_queue<Gain> waiting;
    for (const std::size_t at : among) waiting.push(gain_of(at));
    while (!waiting.empty()) {
      const Gain known = waiting.top();
      waiting.pop();
      const Gain now = gain_of(at_of(known));
      if (std::get<0>(now) == 0) continue;
      if (now != known) {
        waiting.push(now);
        continue;
      }
      chosen.push_back(at_of(now));
      const auto& pairs = entries_[at_of(now)].pairs;
      shown_.insert(pairs.begin(), pairs.end());
    }
  }

 private:
  using Gain = std::tuple<std::size_t, std::ptrdiff_t, std::ptrdiff_t>;  // new, -length, -index

  static std::size_t at_of(const Gain& gain) {
    return static_cast<std::size_t>(-std::get<2>(gain));
  }
  Gain gain_of(std::size_t at) const {
    const CorpusEntry& entry = entries_[at];
    const auto fresh =
        std::ranges::count_if(entry.pairs, [&](auto pair) { return !shown_.contains(pair); });
    return {static_cast<std::size_t>(fresh), -std::ssize(entry.schedule.steps),
            -static_cast<std::ptrdiff_t>(at)};
  }

  const std::vector<CorpusEntry>& entries_;
  absl::flat_hash_set<std::uint64_t> shown_;
};

}  // namespace

Corpus::Corpus(const std::string& folder) : folder_(folder), added_(folder + "/new") {
  std::error_code error;
  fs::create_directories(added_, error);
  if (error) throw UserError(fmt::format("cannot make {}: {}", added_, error.message()));
}

CorpusContents Corpus::read(Part part) const {
  std::vector<fs::path> files = files_of(folder_);
  if (part == Part::kAll) std::ranges::copy(files_of(added_), std::back_inserter(files));
  std::ranges::stable_sort(files, {}, [](const fs::path& path) { return path.filename(); });
  CorpusContents contents;
  std::string names;
  for (const fs::path& file : files) {
    names += file.filename().string() + "\n";
    try {
      contents.entries.push_back(read_entry(file));
    } catch (const InputError& broken) {
      contents.problems.push_back(fmt::format("{}; passed over", broken.what()));
    }
  }
  contents.identity =
      fmt::format("{} schedules ({:016x})", contents.entries.size(), Shard::hash(names));
  return contents;
}

void Corpus::add(const CorpusEntry& entry) const {
  const std::string text = text_of(entry), name = name_of(text);
  if (fs::exists(fs::path(folder_) / name)) return;
  FreshFile file(added_ + "/" + name);
  if (!file.is_open() || !file.complete(text))
    throw InputError(fmt::format("cannot write {}: {}", file.path(), std::strerror(errno)));
}

void Corpus::take_in_added() const {
  for (const fs::path& file : files_of(added_)) move_into(folder_, file);
}

Corpus::Minimised Corpus::minimise() const {
  CorpusContents all = read(Part::kAll);
  const std::vector<std::size_t> chosen = smallest_cover(all.entries);
  const std::set<std::size_t> kept(chosen.begin(), chosen.end());
  absl::flat_hash_set<std::uint64_t> pairs;
  for (std::size_t at = 0; at < all.entries.size(); ++at) {
    const CorpusEntry& entry = all.entries[at];
    pairs.insert(entry.pairs.begin(), entry.pairs.end());
    if (kept.contains(at)) move_into(folder_, entry.file);
  }
  for (std::size_t at = 0; at < all.entries.size(); ++at) {
    if (!kept.contains(at)) fs::remove(all.entries[at].file);
  }
  return {all.entries.size(), chosen.size(), pairs.size(), std::move(all.problems)};
}

std::vector<std::size_t> smallest_cover(const std::vector<CorpusEntry>& entries) {
  std::map<std::vector<std::string>, std::vector<std::size_t>> builds;
  for (std::size_t at = 0; at < entries.size(); ++at)
    builds[entries[at].schedule.build_ids].push_back(at);
  std::vector<std::size_t> chosen;
  for (const auto& [build, among] : builds) Cover(entries).choose(among, chosen);
  return chosen;
}

}  // namespace isosan
