// Reader of RapidBin (rapid_format.h).
//
// Thread n is T<n>, variable n V<n>, lock n L<n>; location n is a Site with line n. A begin makes a
// Region: `region<operand>`, or `region@LOC` where the operand is 0. The header's number of events
// must be right; its other numbers are ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/input_error.h"
#include "trace/stream/implied.h"
#include "trace/stream/input_file.h"
#include "trace/stream/trace_source.h"

namespace isosan {

class RapidReader final : public TraceSource {
 public:
  RapidReader(InputFile file, const TraceOptions& options);

  std::span<const Event> next() override;
  const Tables& tables() const override { return implied_.tables; }
  std::string where(std::size_t i) const override;
  TraceFormat format() const override { return TraceFormat::kRapid; }
  ReadProgress progress() const override { return {file_.offset(), file_.size()}; }
  PassedOver passed_over() const override { return passed_over_; }

 private:
  // Numbers of the file to our own, dense ones, in order of first appearance.
  class Numbering {
   public:
    template <class Add>
    std::uint32_t of(std::uint64_t number, Add&& add) {
      if (number < kDirect) {
        if (number >= direct_.size()) direct_.resize(number + 1, kNew);
        std::uint32_t& ours = direct_[number];
        if (ours == kNew) [[unlikely]]
          ours = add();
        return ours;
      }
      const auto [entry, is_new] = others_.try_emplace(number);
      if (is_new) entry->second = add();
      return entry->second;
    }

   private:
    static constexpr std::uint64_t kDirect = 1 << 16;
    static constexpr std::uint32_t kNew = ~std::uint32_t{0};
    std::vector<std::uint32_t> direct_;
    absl::flat_hash_map<std::uint64_t, std::uint32_t> others_;
  };

  void read_header();
  void read_event(std::uint64_t word);
  void damaged(const std::string& what);
  ThreadId thread_of(std::uint64_t number);
  Address variable_of(std::uint64_t number);
  std::uint32_t lock_of(std::uint64_t number);
  SiteId site_of(std::uint64_t location);
  RegionId region_of(std::uint64_t operand, std::uint64_t location, SiteId site);

  InputFile file_;
  bool lenient_;
  Implied implied_;
  Numbering threads_, variables_, locks_, sites_, regions_;
  bool header_read_ = false;
  bool ended_ = false;
  std::uint64_t events_expected_ = 0;
  std::uint64_t words_read_ = 0;
  std::vector<Event> batch_;
  std::vector<std::uint64_t> offsets_;  // of the events of batch_
  std::optional<InputError> error_;
  PassedOver passed_over_;
};

}  // namespace isosan
