// What `isosan test` was asked to do.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace isosan::suite {

struct WorkOptions {
  std::string isosan;                // the program: each step of a test is a run of it
  std::string folder;                // for everything that is kept; absolute
  unsigned jobs = 1;                 // tests at one time
  std::chrono::seconds budget{600};  // of all hunts together
  double seconds = 300;              // a test that takes longer hangs, unless it has a limit itself
  std::vector<std::string> run_options;  // for every run: --spec FILE and its like
  std::string contents;                  // of the files that they name
  std::string corpus;                    // a folder, with one for each test; empty: none
  bool again = false;                    // hunt tests that have not changed, too
  bool resume = false;                   // take the results of tests that have not changed
  // Identifies the contents of a program file.
  std::function<std::string(const std::string& path)> build_id;
};

}  // namespace isosan::suite
