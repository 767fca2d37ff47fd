// A reader of the log for tests: starts a program under the runtime, drains every ring, and puts
// the units into one order that respects the markers.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/contract/log_format.h"

namespace isosan::test {

struct Unit {
  std::uint32_t thread = 0;
  std::uint8_t code = 0;
  std::uint64_t address = 0;
  std::uint64_t place = 0;
  std::uint8_t detail = 0;
  std::uint16_t extra = 0;
  std::uint64_t number = 0;  // of the extension, where there is one
  std::uint64_t stride = 0;  // of a range: then `number` elements of `detail` bytes

  bool is(Kind kind) const { return code == log::code_of(kind); }
  std::uint64_t end() const { return address + (detail != 0 ? detail : number); }
};

struct Options {
  log::Mode mode = log::Mode::kLogged;
  bool strict = false;
  std::uint8_t function_flags = log::kFunctionLogged | log::kFunctionRegion;  // of the pass front
  std::vector<std::uint8_t> flags_in_order;  // of the first functions, in place of the above
  bool unlogged_outside = false;
  std::uint32_t max_threads = 64;
  std::uint32_t ring_units = 1 << 14;
  bool reader_dies = false;  // it answers the modules and is gone
  bool fixed_addresses = false;
  bool sealed = true;                        // the size of the log
  uid_t owner = geteuid();                   // of the log
  void (*forge)(log::LogHeader&) = nullptr;  // done to the header before the program starts
  bool kill_when_told = false;  // SIGKILL when the program has written a line to stdout
};

struct Result {
  int status = 0;  // as waitpid gives it
  std::string output;
  std::map<std::uint32_t, std::vector<log::LogUnit>> logs;  // by thread
  std::map<std::uint32_t, std::uint64_t> executed;          // by thread: ThreadBlock::executed
  std::uint32_t threads_started = 0;
  std::uint64_t accesses_seen = 0;
  std::uint64_t racy_transfers = 0;
  std::uint32_t attached = 0;
  std::vector<std::string> modules;
  std::vector<std::string> instrumented_modules;

  // All units in one order in which every marker holds; markers, extensions and ranges are left
  // out. Empty if there is no such order.
  std::vector<Unit> linear() const;
  std::uint64_t count(Kind kind) const;
  // The kinds of the operations of each thread, in its order.
  std::map<std::uint32_t, std::vector<Kind>> operations() const;
  // The address that the program printed as "name=0x...".
  std::uint64_t address(const std::string& name) const;
};

Result run(const std::string& program, const std::vector<std::string>& arguments = {},
           const Options& options = {});

}  // namespace isosan::test
