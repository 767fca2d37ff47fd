#include "cli/options/atomizer_rules.h"

#include <memory>
#include <optional>

#include "report/source_lines.h"
#include "spec/intent.h"

namespace isosan {
namespace {

constexpr const char* kNoWarn = "/*# no_warn */";  // as in the paper

class NoWarnLines {
 public:
  NoWarnLines(const Regions& regions, const Tables& tables, bool reads_source)
      : regions_(regions), tables_(tables), reads_source_(reads_source) {}

  bool has(SiteId id) {
    const Site& site = tables_.sites[index(line_of(id))];
    if (site.file.empty()) return false;
    if (regions_.rules().assumptions().has_no_warn_line(site)) return true;
    if (!source_) source_.emplace(tables_, reads_source_);  // now the modules are known
    return source_->contains(site.file, site.line, kNoWarn);
  }

 private:
  // The line that the user wrote: where the library is inlined, its call.
  SiteId line_of(SiteId id) const {
    const auto is_library = [&](const Site& site) {
      return is_library_name(tables_.functions[index(site.function)].name);
    };
    while (is_library(tables_.sites[index(id)]) && tables_.sites[index(id)].inlined_at != kNoSite) {
      id = tables_.sites[index(id)].inlined_at;
    }
    return id;
  }

  const Regions& regions_;
  const Tables& tables_;
  const bool reads_source_;
  std::optional<SourceLines> source_;
};

}  // namespace

void tell_atomizer(const Regions& regions, const Tables& tables, bool reads_source,
                   AtomizerOptions& options) {
  options.is_suppressed = [&regions, &tables](RegionId region) {
    return regions.suppresses("atomizer", region, tables);
  };
  const auto lines = std::make_shared<NoWarnLines>(regions, tables, reads_source);
  options.declarations.no_warn_where([lines](SiteId site) { return lines->has(site); });
}

}  // namespace isosan
