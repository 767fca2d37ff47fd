#include "campaign/slurm.h"

#include <fmt/format.h>

#include "base/user_error.h"
#include "suite/run/process.h"

namespace isosan::campaign {
namespace {

using suite::ProcessOutcome;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string submit(const std::string& script, const std::vector<std::string>& options,
                   const std::string& array, const std::atomic<bool>& stop) {
  std::vector<std::string> command = {"sbatch", "--parsable", "--requeue", "--array=" + array,
                                      "--output=/dev/null"};
  command.insert(command.end(), options.begin(), options.end());
  command.push_back(script);
  ProcessOutcome outcome;
  try {
    outcome = suite::run_process({.command = command, .folder = "", .environment = {}}, stop);
  } catch (const UserError&) {
    throw UserError(
        "--slurm: there is no Slurm here (sbatch cannot be run); --shard I/N and 'isosan merge' do "
        "without");
  }
  if (outcome.status != 0)
    throw UserError(fmt::format("--slurm: sbatch refuses: {}", first_line(outcome.errors)));
  const std::string line = first_line(outcome.output);
  return line.substr(0, line.find(';'));  // "12;cluster"
}

bool is_queued(const std::string& job, const std::atomic<bool>& stop) {
  const ProcessOutcome outcome = suite::run_process(
      {.command = {"squeue", "-h", "-j", job}, .folder = "", .environment = {}}, stop);
  // A job that has ended long ago is unknown. Anything else is trouble that may pass.
  const bool unknown = outcome.errors.find("Invalid job id") != outcome.errors.npos;
  return outcome.status == 0 ? !outcome.output.empty() : !unknown;
}

void cancel(const std::string& job) {
  const std::atomic<bool> never{false};
  suite::run_process({.command = {"scancel", job}, .folder = "", .environment = {}}, never);
}

}  // namespace isosan::campaign
