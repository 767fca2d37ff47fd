#include "cli/commands/slurm_campaign.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>
#include <vector>

#include "base/user_error.h"
#include "campaign/array_job.h"
#include "campaign/parts.h"
#include "campaign/slurm.h"
#include "cli/commands/merge.h"
#include "cli/options/number.h"
#include "cli/options/report_file.h"
#include "cli/options/task_words.h"
#include "cli/output/exit_status.h"
#include "cli/output/folder.h"
#include "cli/output/stop_signal.h"

namespace isosan {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

class Campaign {
 public:
  Campaign(const SlurmOptions& slurm, std::string folder, bool first, const SuiteOutputs& outputs)
      : slurm_(slurm),
        folder_(std::move(folder)),
        first_(first),
        outputs_(outputs),
        terminal_(::isatty(2) == 1) {}

  int run() {
    prepare();
    if (!left_.empty()) {
      const std::string job = campaign::submit(write_script(), split(*slurm_.options),
                                               campaign::array_text(left_), stop_signal());
      fmt::print(stderr, "isosan: job {}: {} of {} shards submitted\n", job, left_.size(),
                 slurm_.shards);
      watch(job);
    }
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
    if (stop_signal()) fmt::print(stderr, "isosan: ended; --resume goes on with what is missing\n");
    return merged();
  }

 private:
  void prepare() {
    make_folder(folder_);
    for (std::uint64_t index = 1; index <= slurm_.shards; ++index) {
      const std::string part = campaign::part_path(folder_, index);
      if (!slurm_.resume) fs::remove(part);
      if (slurm_.resume && fs::exists(part)) {
        ++done_;
        note_findings(part);
      } else {
        left_.push_back(index);
      }
    }
  }

  std::string write_script() const {
    const std::string path = folder_ + "/task.sh";
    write_report(path, campaign::task_script(fs::read_symlink("/proc/self/exe"),
                                             task_words(*slurm_.parser), folder_, slurm_.shards));
    return path;
  }

  // Until every result is there, or no task is left that could write one.
  void watch(const std::string& job) {
    constexpr std::chrono::seconds kLook{1};
    for (bool queued = true; queued && !left_.empty();) {
      queued = campaign::is_queued(job, stop_signal());  // before looking: what ends now is seen
      look();
      if (stop_signal() || (first_ && found_ != 0)) {
        campaign::cancel(job);
        look();
        return;
      }
      if (queued && !left_.empty()) std::this_thread::sleep_for(kLook);
    }
  }

  void look() {
    const std::size_t before = left_.size();
    std::erase_if(left_, [&](std::uint64_t index) {
      const std::string part = campaign::part_path(folder_, index);
      if (!fs::exists(part)) return false;
      note_findings(part);
      return true;
    });
    done_ += before - left_.size();
    if (before != left_.size()) show();
  }

  void note_findings(const std::string& part) {
    campaign::Parts one;
    const campaign::Json report = one.read(part);
    if (report.contains("findings")) found_ += !report.at("findings").empty();
  }

  void show() const {
    fmt::print(stderr, "{}isosan: {} of {} shards done, {} with findings{}",
               terminal_ ? "\r\x1b[K" : "", done_, slurm_.shards, found_, terminal_ ? "" : "\n");
  }

  int merged() const {
    MergeArguments merge{.results = {}, .output = folder_, .outputs = outputs_};
    for (std::uint64_t index = 1; index <= slurm_.shards; ++index) {
      const std::string part = campaign::part_path(folder_, index);
      if (fs::exists(part)) merge.results.push_back(part);
    }
    if (merge.results.empty())
      throw UserError(fmt::format("no task has written a result; see {}/*.log", folder_));
    const int status = merge_results(merge);
    return first_ && found_ != 0 ? kExitFindings : status;
  }

  const SlurmOptions& slurm_;
  const std::string folder_;
  const bool first_;
  const SuiteOutputs outputs_;
  const bool terminal_;
  std::vector<std::uint64_t> left_;   // shards without a result
  std::size_t done_ = 0, found_ = 0;  // shards with a result; of them those with findings
};

}  // namespace

void SlurmOptions::declare(CLI::App& command) {
  parser = &command;
  command
      .add_option(
          "--slurm", options,
          "As an array job of Slurm; OPTIONS for sbatch, '' for none (docs/howto/large-suites.md)")
      ->type_name("OPTIONS");
  command.add_option("--shards", shards, "Tasks of that job (default 16)")
      ->type_name("N")
      ->check(whole_number(1, 1000000));
}

int run_on_slurm(const SlurmOptions& slurm, const std::string& folder, bool first,
                 const SuiteOutputs& outputs) {
  stop_when_asked();
  return Campaign(slurm, fs::absolute(folder), first, outputs).run();
}

}  // namespace isosan
