#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/shown.h"
#include "report/fold.h"
#include "report/kinds.h"
#include "report/names.h"
#include "report/timeline.h"

namespace isosan {
namespace {

constexpr std::string_view kRule = "==================\n";

std::string_view text_of(EdgeReason reason) {
  switch (reason) {
    case EdgeReason::kData:
      return "data";
    case EdgeReason::kSynchronization:
      return "synchronization";
    case EdgeReason::kProgramOrder:
      return "program order";
  }
  return "";
}

class TextReport {
 public:
  TextReport(const Finding& finding, const Tables& tables, Colour colour, const Evidence* evidence,
             SourceLines* source)
      : finding_(finding),
        names_(tables),
        timeline_(finding, names_),
        colour_(colour),
        evidence_(evidence),
        source_(source) {}

  std::string print() const {
    return std::string(kRule) + headline() + section("", message()) +
           section(of_units() ? "Units of work:" : "Transactions:", transactions()) +
           section("Places:", places()) + section("What happened, in this order:", diagram()) +
           section("Steps:", steps_without_diagram()) + section("Dependences:", edges()) +
           section("", why()) + details() + section("", notes()) + std::string(kRule);
  }

 private:
  std::string section(const std::string& title, const std::string& body) const {
    if (body.empty()) return "";
    return (title.empty() ? "" : "  " + title + "\n") + body + "\n";
  }

  std::string paint(std::string_view escape, const std::string& text) const {
    return colour_ == Colour::kNever ? text : fmt::format("\033[{}m{}\033[0m", escape, text);
  }

  std::string headline() const {
    const std::string subject = names_.subject(finding_);
    const std::string_view what = names_.blames_region(finding_) ? "region " : "";
    std::string line = fmt::format("WARNING: IsoSan: {}", isosan::text_of(finding_.kind).title);
    if (!subject.empty()) line += fmt::format(" ({}{})", what, subject);
    line += fmt::format(" [{}]", finding_.analysis);
    if (finding_.times > 1) line += fmt::format(", seen {} times", finding_.times);
    return paint("1;31", line) + "\n";
  }

  std::string message() const {
    if (finding_.message.empty()) return "";
    std::string text = "  " + names_.with_names(finding_, finding_.message) + "\n";
    if (const std::string ratio = isosan::text_of(finding_.executions); !ratio.empty())
      text += "  The region was " + ratio + ".\n";
    return text;
  }

  bool of_units() const { return finding_.kind == FindingKind::kSetViolation; }
  static bool is_named(const FindingTransaction& t) {
    return t.region != kNoRegion || t.function != kNoFunction;
  }

  // Empty if every transaction is a single access, as in a race.
  std::string transactions() const {
    if (std::ranges::all_of(finding_.transactions, [](const auto& t) { return !is_named(t); })) {
      return "";
    }
    std::string text;
    for (std::size_t i = 0; i < finding_.transactions.size(); ++i) {
      const FindingTransaction& t = finding_.transactions[i];
      if (!t.region_known) continue;
      std::string line = transaction(i);
      if (!is_named(t)) line += fmt::format(", outside every {}", of_units() ? "unit" : "region");
      Place begun = names_.begin_of(t);
      if (begun.function == names_.region(t.region) || t.region == kNoRegion) {
        begun.function.clear();
        begun.definition = false;
      }
      if (is_named(t) && begun.known() && timeline_.begin_is_known(i))
        line += ", begun at " + to_string(begun);
      if (!t.finished) line += ", still running";
      if (t.blamed) line = paint("1", line + "  <== blamed");
      text += "    " + line + "\n";
    }
    return text;
  }

  // "deposit (T1)"; numbered where two transactions of the finding would be called the same.
  std::string transaction(std::size_t i) const {
    std::size_t same = 0, before = 0;
    const std::string name = names_.transaction(finding_.transactions[i]);
    for (std::size_t j = 0; j < finding_.transactions.size(); ++j) {
      if (names_.transaction(finding_.transactions[j]) != name) continue;
      ++same;
      if (finding_.transactions[j].begin.ordinal < finding_.transactions[i].begin.ordinal) ++before;
    }
    return same == 1 ? name : fmt::format("{} #{}", name, before + 1);
  }

  bool roles_explain_all() const {
    return finding_.edges.empty() &&
           std::ranges::none_of(finding_.steps, [](const auto& s) { return s.role.empty(); });
  }

  // Steps whose role says what they are: atomizer's three places, the two accesses of a race.
  std::string places() const {
    std::size_t width = 0;
    for (const FindingStep& step : finding_.steps) width = std::max(width, step.role.size());
    std::string text;
    for (const std::size_t i : timeline_.steps()) {
      const FindingStep& step = finding_.steps[i];
      if (step.role.empty()) continue;
      text += fmt::format("    [{}] {:<{}}  {}: {}\n", timeline_.row_of(i), step.role, width,
                          to_string(names_.place(finding_, step)), sentence_of(step));
    }
    return text;
  }

  std::string diagram() const { return roles_explain_all() ? "" : timeline_.diagram("  "); }

  std::string sentence_of(const FindingStep& step) const {
    std::string text =
        fmt::format("{} by thread {}", describe(step, names_), names_.thread(step.where.thread));
    if (is_access(step.operation) && step.size != 0) text += fmt::format(", {} bytes", step.size);
    if (!step.locks.empty()) {
      std::vector<std::string> locks;
      for (const Address lock : step.locks) locks.push_back(names_.location(lock));
      text += fmt::format(", holding {}", fmt::join(locks, ", "));
    }
    return text;
  }

  // The steps as a list, for findings with too many lanes for the diagram.
  std::string steps_without_diagram() const {
    if (roles_explain_all() || !diagram().empty()) return "";
    std::string text;
    for (const std::size_t i : timeline_.steps()) {
      const FindingStep& step = finding_.steps[i];
      text += fmt::format("    [{}] {}  {}\n", timeline_.row_of(i), sentence_of(step),
                          to_string(names_.place(finding_, step)));
    }
    return text;
  }

  // In the order in which the dependences arose.
  std::vector<FindingEdge> edges_as_they_happened() const {
    std::vector<FindingEdge> edges = finding_.edges;
    std::ranges::stable_sort(
        edges, {}, [&](const FindingEdge& edge) { return finding_.steps[edge.to].where.ordinal; });
    return edges;
  }

  std::string edges() const {
    std::string text;
    for (const FindingEdge& edge : edges_as_they_happened()) {
      const FindingStep& from = finding_.steps[edge.from];
      const FindingStep& to = finding_.steps[edge.to];
      text += fmt::format("    [{}] -> [{}]  {} before {}: {}, then {} ({})\n",
                          timeline_.row_of(edge.from), timeline_.row_of(edge.to),
                          transaction(from.transaction), transaction(to.transaction),
                          describe(from, names_), describe(to, names_), text_of(edge.reason));
    }
    return text;
  }

  // The edges as one cycle from the blamed transaction back to it; empty: they are no cycle.
  std::vector<FindingEdge> cycle() const {
    const auto blamed = std::ranges::find_if(finding_.transactions, &FindingTransaction::blamed);
    std::size_t at = blamed == finding_.transactions.end()
                         ? 0
                         : static_cast<std::size_t>(blamed - finding_.transactions.begin());
    std::vector<FindingEdge> left = edges_as_they_happened(), way;
    while (!left.empty()) {
      const auto next = std::ranges::find_if(left, [&](const FindingEdge& edge) {
        return finding_.steps[edge.from].transaction == at;
      });
      if (next == left.end()) return {};
      at = finding_.steps[next->to].transaction;
      way.push_back(*next);
      left.erase(next);
    }
    const bool closed = !way.empty() && at == finding_.steps[way.front().from].transaction;
    return closed ? way : std::vector<FindingEdge>{};
  }

  std::string why() const {
    const std::vector<FindingEdge> way = cycle();
    if (way.empty()) {
      if (!finding_.message.empty()) return "";  // the message explains it
      return "  " + std::string(isosan::text_of(finding_.kind).meaning) + "\n";
    }
    std::string text = "  No serial order explains this run: ";
    for (std::size_t i = 0; i < way.size(); ++i) {
      const bool first = i == 0, last = i + 1 == way.size();
      text +=
          fmt::format("{}{}{} before {} ([{}] before [{}])",
                      first  ? ""
                      : last ? ", and "
                             : ", ",
                      transaction(finding_.steps[way[i].from].transaction),
                      first ? " must come" : "", transaction(finding_.steps[way[i].to].transaction),
                      timeline_.row_of(way[i].from), timeline_.row_of(way[i].to));
    }
    return text + ".\n";
  }

  // Each step with its source line, the memory it used, the locks held and the stack.
  std::string details() const {
    std::string text;
    for (const std::size_t i : timeline_.steps()) {
      const FindingStep& step = finding_.steps[i];
      const std::string known = source_line(step) + memory(step) + locks(step) + stack(step);
      if (known.empty()) continue;
      text += fmt::format("  [{}] {} by thread {}:\n{}\n", timeline_.row_of(i),
                          describe(step, names_), names_.thread(step.where.thread), known);
    }
    return text;
  }

  std::string source_line(const FindingStep& step) const {
    const Place at = names_.spot(step.where);
    if (source_ == nullptr || at.definition) return "";
    const std::string line = source_->line(at.file, at.line);
    return line.empty() ? "" : fmt::format("    {} | {}\n", at.line, paint("1", line));
  }

  const StepEvidence* evidence_of(const FindingStep& step) const {
    if (evidence_ == nullptr) return nullptr;
    const auto found = evidence_->find(step.where.ordinal);
    return found == evidence_->end() ? nullptr : &found->second;
  }

  std::string memory(const FindingStep& step) const {
    const StepEvidence* evidence = evidence_of(step);
    if (evidence == nullptr || !evidence->block) return "";
    const MemoryBlock& block = *evidence->block;
    return fmt::format("    byte {} of a block of {} bytes, allocated by thread {} at {}\n",
                       step.address - block.address, block.size,
                       names_.thread(block.allocated.thread),
                       to_string(names_.spot(block.allocated)));
  }

  std::string locks(const FindingStep& step) const {
    const StepEvidence* evidence = evidence_of(step);
    if (evidence == nullptr) return "";
    std::string text;
    for (const HeldLock& held : evidence->locks) {
      if (held.taken.ordinal == step.where.ordinal) continue;
      text += fmt::format("    holding {}{}, taken at {}\n", names_.location(held.lock),
                          held.mode == LockMode::kShared ? " (shared)" : "",
                          to_string(names_.spot(held.taken)));
    }
    return text;
  }

  std::string stack(const FindingStep& step) const {
    const std::vector<Place> frames = names_.own_stack(step.where);
    std::string text;
    for (std::size_t frame = 0; frame < frames.size(); ++frame) {
      text += fmt::format("    #{} {}\n", frame, to_string(frames[frame]));
    }
    return text;
  }

  std::string notes() const {
    std::string text;
    for (const std::string& note : finding_.notes)
      text += "  Note: " + names_.with_names(finding_, note) + "\n";
    return text;
  }

  const Finding& finding_;
  Names names_;
  Timeline timeline_;
  Colour colour_;
  const Evidence* evidence_;
  SourceLines* source_;
};

}  // namespace

std::string text_of(const Executions& executions) {
  const auto [contended, broken] = executions;
  if (contended < 2) return {};
  return fmt::format("atomic in {} of {} contended executions", contended - broken, contended);
}

std::string text_report(const Finding& finding, const Tables& tables, Colour colour,
                        const Evidence* evidence, SourceLines* source) {
  return TextReport(finding, tables, colour, evidence, source).print();
}

}  // namespace isosan
