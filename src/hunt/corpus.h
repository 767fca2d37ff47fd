// The corpus of a hunt: a folder of schedules, each of which reached an order of two conflicting
// operations that no schedule before it had reached (docs/howto/large-suites.md).
//
// Model: a file is a schedule (trace/schedule_file.h) with a note of the ordered pairs (coverage.h)
// of its run. Its name is a hash of its contents: the same schedule is one file, and a file that was
// damaged is known as such. Hunts add files to FOLDER/new. A shard begins with FOLDER/*.schedule
// alone, so all shards of a campaign begin with the same, whatever the others have added by then.
//
// Law: a file has its name once it is complete; nothing is lost if a process is killed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/schedule.h"

namespace isosan {

struct CorpusEntry {
  Schedule schedule;                 // with the build ids that it is for
  std::vector<std::uint64_t> pairs;  // ordered pairs that its run showed
  std::string file;                  // where it was read
};

struct CorpusContents {
  std::vector<CorpusEntry> entries;   // by the names of their files
  std::vector<std::string> problems;  // files that were passed over, and why; one line each
  std::string identity;               // the same for the same files
};

class Corpus {
 public:
  // Makes the folder if it does not exist. Throws UserError: it cannot.
  explicit Corpus(const std::string& folder);

  enum class Part { kBegun, kAll };  // without what hunts have added, and with it
  CorpusContents read(Part part) const;
  void add(const CorpusEntry& entry) const;  // throws InputError
  // Shards that begin from now on begin with what was added, too.
  void take_in_added() const;
  // Leaves a small set of schedules that show the same pairs. Files that cannot be read stay.
  struct Minimised {
    std::size_t before = 0, after = 0, pairs = 0;
    std::vector<std::string> problems;
  };
  Minimised minimise() const;

 private:
  std::string folder_, added_;
};

// Indices of entries that show all pairs of `entries`; for each build of the program apart. Greedy:
// the one with the most pairs that are not shown yet comes first, of equal ones the shorter schedule.
std::vector<std::size_t> smallest_cover(const std::vector<CorpusEntry>& entries);

}  // namespace isosan
