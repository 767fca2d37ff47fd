// isosan cc, c++, doctor: the compiler driver (src/driver) as sub-commands.
#include <fmt/format.h>

#include "cli/commands/command.h"
#include "cli/output/exit_status.h"
#include "driver/doctor.h"
#include "driver/driver.h"

namespace isosan {
namespace {

int print_doctor() {
  int status = kExitClean;
  for (const driver::DoctorLine& line : driver::doctor()) {
    fmt::print("{:<4} {}\n", line.ok ? "ok" : "BAD", line.what);
    if (line.ok) continue;
    fmt::print("     {}\n", line.advice);
    status = kExitError;
  }
  return status;
}

}  // namespace

int run_cc(const std::vector<std::string>& arguments) {
  return driver::run_driver(driver::Language::kC, arguments);
}

int run_cxx(const std::vector<std::string>& arguments) {
  return driver::run_driver(driver::Language::kCxx, arguments);
}

Action declare_doctor(CLI::App&) { return print_doctor; }

}  // namespace isosan
