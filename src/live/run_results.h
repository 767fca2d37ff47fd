// What the processes of a run leave for its report: lines in unnamed memory that all who watch have
// open, and no program of the run has.
#pragma once

#include <string>
#include <vector>

namespace isosan {

// As long as it is there, no other process has one. Not for two at a time in one process.
class ResultsLock {
 public:
  explicit ResultsLock(int results);
  ~ResultsLock();
  ResultsLock(const ResultsLock&) = delete;
  ResultsLock& operator=(const ResultsLock&) = delete;

 private:
  int results_;
};

void write_whole(int fd, const std::string& text);  // as far as it can be written

int make_results();  // the descriptor, closed by exec; negative: errno says why
// Whole, however many add at the same time. `line` has no line end in it.
void add_result(int results, const std::string& line);
std::vector<std::string> read_results(int results);  // in the order in which they were added

}  // namespace isosan
