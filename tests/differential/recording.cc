#include "differential/recording.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "differential/objects.h"
#include "runtime/contract/log_format.h"
#include "spec/region_stage.h"
#include "symbolize/symbolizer.h"
#include "trace/open_trace.h"

namespace isosan::test {
namespace {

// Lines of all sites that have none yet (the __tsan_* front tells program counters).
void fill_lines(Tables& tables) {
  std::vector<PcQuery> queries;
  std::vector<Site*> sites;
  for (Site& site : tables.sites) {
    if (site.pc == 0 || site.line != 0) continue;
    queries.push_back({tables.modules.at(index(site.module)).path, site.pc - 1});
    sites.push_back(&site);
  }
  const auto answers = symbolize(queries);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (!answers[i].empty()) sites[i]->line = answers[i].front().line;
  }
}

class Cutter {
 public:
  Cutter(const Tables& tables, const SourceText& source, std::size_t programs, Address objects)
      : tables_(tables), source_(source), result_(programs), objects_(objects) {}

  void take(const Event& event) {
    if (event.kind == Kind::kCall || event.kind == Kind::kReturn) return edge_of_run(event);
    if (program_ == kNone) return;
    RecordedEvent recorded{event};
    Event& e = recorded.event;
    if (!local_thread(e) || !local_operand(recorded)) return;
    e.site = kNoSite;
    e.context = kEmptyStack;
    result_[program_].push_back(recorded);
  }
  std::vector<std::vector<RecordedEvent>> result() && { return std::move(result_); }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  void edge_of_run(const Event& event) {
    const std::string& name = tables_.functions[event.size].name;
    if (!name.ends_with("::run")) return;
    program_ = event.kind == Kind::kReturn ? kNone : std::stoul(name.substr(1));
    forked_before_ += static_cast<std::uint32_t>(threads_.size()) - 1;
    threads_ = {{ThreadId{0}, ThreadId{0}}};
  }

  // Threads are numbered as they were forked, whatever the order of forks in the linear trace is.
  bool local_thread(Event& e) {
    if (e.kind == Kind::kFork) {
      const auto number = static_cast<std::uint32_t>(e.address) - forked_before_;
      threads_[static_cast<ThreadId>(e.address)] = ThreadId{number};
    }
    if (e.kind == Kind::kFork || e.kind == Kind::kJoin)
      e.address = index(threads_.at(static_cast<ThreadId>(e.address)));
    e.thread = threads_.at(e.thread);
    return true;
  }

  bool local_operand(RecordedEvent& recorded) {
    Event& e = recorded.event;
    switch (e.kind) {
      case Kind::kFork:
      case Kind::kJoin:
      case Kind::kFence:
      case Kind::kThreadStart:
      case Kind::kThreadEnd:
        return true;
      case Kind::kBegin:
      case Kind::kEnd:
        return local_region(e);
      case Kind::kCall:
      case Kind::kReturn:
      case Kind::kAllocate:
      case Kind::kFree:
        return false;
      default:
        break;
    }
    const Address first = objects_ + program_ * sizeof(Objects);
    if (e.address < first || e.address >= first + sizeof(Objects)) return false;
    e.address -= first;
    if (is_access(e.kind)) return local_access(recorded);
    return true;
  }

  bool local_region(Event& e) {
    const std::string& name = tables_.regions[e.size].name;
    const std::string prefix = fmt::format("c{}::", program_);
    if (!name.starts_with(prefix)) return false;
    const std::size_t number = name.rfind('_');
    if (number == std::string::npos) return false;
    e.size = std::stoul(name.substr(number + 1)) + 1;
    e.address = 0;
    return true;
  }

  bool local_access(RecordedEvent& recorded) {
    if (recorded.event.address >= sizeof(Objects::cells)) return false;
    const std::uint32_t line = tables_.sites[index(recorded.event.site)].line;
    const auto found = source_.lines.find(line);
    if (found == source_.lines.end() || found->second.program != program_) {
      throw std::runtime_error(fmt::format("c{}: an access at line {}", program_, line));
    }
    recorded.step = found->second.step;
    return true;
  }

  const Tables& tables_;
  const SourceText& source_;
  std::vector<std::vector<RecordedEvent>> result_;
  Address objects_;
  std::size_t program_ = kNone;
  std::map<ThreadId, ThreadId> threads_{{ThreadId{0}, ThreadId{0}}};  // of the program
  std::uint32_t forked_before_ = 0;                                   // by other programs
};

}  // namespace

std::vector<std::vector<RecordedEvent>> read_recording(const std::string& path,
                                                       const RegionRules& rules,
                                                       const SourceText& source,
                                                       std::size_t programs, Address objects) {
  const auto trace = open_trace(path);
  RegionStage stage(*trace, rules);
  std::vector<Event> events;
  for (auto batch = stage.next(); !batch.empty(); batch = stage.next()) {
    events.insert(events.end(), batch.begin(), batch.end());
  }
  fill_lines(stage.tables());
  Cutter cutter(stage.tables(), source, programs, objects);
  for (const Event& event : events) cutter.take(event);
  return std::move(cutter).result();
}

}  // namespace isosan::test
