// parse_trace and print_trace: STD text, widened. One table names every event; both directions read
// it.
#include <array>
#include <charconv>
#include <cstddef>
#include <span>

#include "base/check.h"
#include "oracle/trace_builder.h"

namespace isosan::test {
namespace {

enum class Operand { kNone, kBytes, kObject, kGeneration, kThread, kRegion };

using Modifiers = std::span<const std::string_view>;  // names of the values of Event::detail
constexpr std::array<std::string_view, 6> kOrders = {"relaxed", "consume", "acquire",
                                                     "release", "acq_rel", "seq_cst"};
// 6 and 7 are none; a compare-exchange has kCompareExchange beside its order.
constexpr std::array<std::string_view, 14> kExchangeOrders = {
    "relaxed", "consume",     "acquire",     "release",     "acq_rel",     "seq_cst",     "none",
    "none",    "cas_relaxed", "cas_consume", "cas_acquire", "cas_release", "cas_acq_rel", "cas"};
constexpr std::array<std::string_view, 1> kNoModifier = {""};
constexpr std::array<std::string_view, 2> kModes = {"", "shared"};
// 2 to 7 are none; a release can have kBacksOff beside its mode.
constexpr std::array<std::string_view, 10> kReleaseModes = {
    "", "shared", "none", "none", "none", "none", "none", "none", "in_vain", "shared_in_vain"};
constexpr std::array<std::string_view, 3> kRegions = {"", "deterministic", "unit"};
constexpr std::array<std::string_view, 2> kOutcomes = {"", "timed_out"};
constexpr std::array<std::string_view, 2> kScopes = {"", "all"};
constexpr std::array<std::string_view, 3> kOrigins = {"", "mapping", "stack"};

struct Word {
  Kind kind;
  std::string_view text;
  Operand operand;
  Modifiers modifiers;
};

constexpr Word kWords[] = {
    {Kind::kRead, "r", Operand::kBytes, kNoModifier},
    {Kind::kWrite, "w", Operand::kBytes, kNoModifier},
    {Kind::kAtomicLoad, "aload", Operand::kBytes, kExchangeOrders},
    {Kind::kAtomicStore, "astore", Operand::kBytes, kOrders},
    {Kind::kAtomicRmw, "armw", Operand::kBytes, kExchangeOrders},
    {Kind::kFence, "fence", Operand::kNone, kOrders},
    {Kind::kAcquire, "acq", Operand::kObject, kModes},
    {Kind::kRelease, "rel", Operand::kObject, kReleaseModes},
    {Kind::kFork, "fork", Operand::kThread, kNoModifier},
    {Kind::kJoin, "join", Operand::kThread, kNoModifier},
    {Kind::kThreadStart, "start", Operand::kNone, kNoModifier},
    {Kind::kThreadEnd, "exit", Operand::kNone, kNoModifier},
    {Kind::kBegin, "begin", Operand::kRegion, kRegions},
    {Kind::kEnd, "end", Operand::kRegion, kRegions},
    {Kind::kCall, "call", Operand::kNone, kNoModifier},
    {Kind::kReturn, "return", Operand::kNone, kNoModifier},
    {Kind::kWaitBegin, "wait", Operand::kObject, kNoModifier},
    {Kind::kWaitEnd, "woken", Operand::kObject, kOutcomes},
    {Kind::kNotify, "notify", Operand::kObject, kScopes},
    {Kind::kBarrierArrive, "arrive", Operand::kGeneration, kNoModifier},
    {Kind::kBarrierDepart, "depart", Operand::kGeneration, kNoModifier},
    {Kind::kSemaphorePost, "post", Operand::kObject, kNoModifier},
    {Kind::kSemaphoreWait, "take", Operand::kObject, kNoModifier},
    {Kind::kOnceDone, "once", Operand::kObject, kNoModifier},
    {Kind::kOnceSeen, "seen", Operand::kObject, kNoModifier},
    {Kind::kPublish, "publish", Operand::kObject, kNoModifier},
    {Kind::kObserve, "observe", Operand::kObject, kNoModifier},
    {Kind::kAllocate, "alloc", Operand::kBytes, kOrigins},
    {Kind::kFree, "free", Operand::kBytes, kOrigins},
};
static_assert(std::size(kWords) == kKindCount);

std::uint64_t number_in(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  ISOSAN_CHECK(error == std::errc{} && end == digits.data() + digits.size());
  return value;
}

std::uint64_t thread_in(std::string_view name) {
  ISOSAN_CHECK(name.starts_with('T'));
  return number_in(name.substr(1));
}

// Cuts off and returns what stands before `separator`, or everything.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return head;
}

void parse_line(std::string_view line, TraceBuilder& out) {
  const ThreadId thread{static_cast<std::uint32_t>(thread_in(take_until(line, '|')))};
  std::string_view operation = take_until(line, '|');  // what is left is the location
  std::string_view word = take_until(operation, '(');
  const std::string_view operand =
      operation.empty() ? operation : operation.substr(0, operation.size() - 1);
  const std::string_view text = take_until(word, '.');
  for (const Word& w : kWords) {
    if (w.text != text) continue;
    Event e{.kind = w.kind, .thread = thread};
    std::size_t detail = 0;
    while (detail < w.modifiers.size() && w.modifiers[detail] != word) ++detail;
    ISOSAN_CHECK(detail < w.modifiers.size());
    e.detail = static_cast<std::uint8_t>(detail);
    switch (w.operand) {
      case Operand::kNone:
        break;
      case Operand::kBytes: {
        std::string_view rest = operand;
        std::string_view place = take_until(rest, ':');
        e.size = rest.empty() ? 8 : number_in(rest);
        e.address = out.address_of(take_until(place, '+'));
        if (!place.empty()) e.address += number_in(place);
        break;
      }
      case Operand::kObject:
        e.address = out.address_of(operand);
        break;
      case Operand::kGeneration: {
        std::string_view rest = operand;
        e.address = out.address_of(take_until(rest, '@'));
        e.size = rest.empty() ? 0 : number_in(rest);
        break;
      }
      case Operand::kThread:
        e.address = thread_in(operand);
        break;
      case Operand::kRegion:
        if (e.kind == Kind::kBegin)
          e.size = index(out.region_of(operand.empty() ? "region" : operand,
                                       static_cast<RegionKind>(e.detail)));
        break;
    }
    out.add(e);
    return;
  }
  ISOSAN_CHECK(false && "an operation of kWords");
}

std::string name_at(const Tables& tables, Address address) {
  for (const Symbol& s : tables.symbols) {
    if (address < s.address || address >= s.address + s.size) continue;
    const Address offset = address - s.address;
    return offset == 0 ? s.name : s.name + "+" + std::to_string(offset);
  }
  return std::to_string(address);
}

std::string operand_text(const Tables& tables, const Word& word, const Event& e) {
  switch (word.operand) {
    case Operand::kNone:
      return "";
    case Operand::kBytes: {
      const std::string size = e.size == 8 ? "" : ":" + std::to_string(e.size);
      return "(" + name_at(tables, e.address) + size + ")";
    }
    case Operand::kObject:
      return "(" + name_at(tables, e.address) + ")";
    case Operand::kGeneration:
      return "(" + name_at(tables, e.address) + "@" + std::to_string(e.size) + ")";
    case Operand::kThread:
      return "(T" + std::to_string(e.address) + ")";
    case Operand::kRegion:
      return "(" + tables.regions.at(e.size).name + ")";
  }
  return "";
}

}  // namespace

Trace parse_trace(std::string_view text) {
  TraceBuilder builder;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    while (line.starts_with(' ')) line.remove_prefix(1);
    if (!line.empty()) parse_line(line, builder);
  }
  return builder.trace();
}

std::string print_trace(const Trace& trace) {
  std::string out;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    const Event& e = trace.events[i];
    const Word& word = kWords[static_cast<std::size_t>(e.kind)];
    out += "T" + std::to_string(index(e.thread)) + "|" + std::string(word.text);
    const std::string_view modifier = word.modifiers[word.modifiers.size() == 1 ? 0 : e.detail];
    if (!modifier.empty()) out += "." + std::string(modifier);
    out += operand_text(trace.tables, word, e) + "|" + std::to_string(i + 1) + "\n";
  }
  return out;
}

}  // namespace isosan::test
