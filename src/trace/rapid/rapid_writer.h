// Writer of RapidBin (rapid_format.h). It can express what STD can (std_writer.h), within its
// limits: 1024 threads, 32767 locations. Names are lost. The header is completed at the end:
// the file must be seekable.
#pragma once

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "trace/stream/event_writer.h"
#include "trace/stream/output_file.h"
#include "trace/stream/variable_names.h"

namespace isosan {

class RapidWriter final : public EventWriter {
 public:
  explicit RapidWriter(const std::string& path);

  void write(std::span<const Event> events, const Tables& tables) override;
  void finish(const Tables& tables) override;

 private:
  struct Coded {
    std::uint64_t op;
    std::uint64_t operand;
  };
  void write(const Event& e, const Tables& tables);
  Coded coded(const Event& e, const Tables& tables);
  std::uint64_t location(const Event& e, const Tables& tables);
  [[noreturn]] void refuse(const Event& e, const std::string& why) const;

  OutputFile file_;
  std::uint64_t ordinal_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t threads_ = 0;  // highest number + 1
  VariableNames variables_, locks_;
  std::vector<std::uint32_t> locations_;  // by site; 0: none given yet
  absl::flat_hash_set<std::uint32_t> used_locations_;
};

}  // namespace isosan
