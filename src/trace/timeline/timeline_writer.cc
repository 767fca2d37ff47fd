#include "trace/timeline/timeline_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trace/stream/event_text.h"

namespace isosan {
namespace {

// As a JSON string; names in a trace may be any bytes.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string place_of(const Event& e, const Tables& tables) {
  const std::string place = place_text(e.site, tables);
  return place.empty() ? "" : fmt::format(R"(,"args":{{"at":{}}})", quoted(place));
}

}  // namespace

TimelineWriter::TimelineWriter(const std::string& path) : file_(path) {
  file_.write(R"({"traceEvents":[)");
}

void TimelineWriter::entry(const std::string& text) {
  file_.write(is_first_ ? "\n" : ",\n");
  is_first_ = false;
  file_.write(text);
}

void TimelineWriter::write(std::span<const Event> events, const Tables& tables) {
  for (const Event& e : events) {
    write(e, tables);
    ++ordinal_;
  }
}

void TimelineWriter::write(const Event& e, const Tables& tables) {
  if (index(e.thread) >= open_.size()) open_.resize(index(e.thread) + 1);
  switch (e.kind) {
    case Kind::kBegin:
    case Kind::kCall:
      return begin(e, tables);
    case Kind::kEnd:
    case Kind::kReturn:
      return end(index(e.thread));
    default:
      break;
  }
  const std::string operand = operand_text(e, tables);
  const std::string name =
      fmt::format("{}{}{}", name_of(e.kind), operand.empty() ? "" : " ", operand);
  entry(fmt::format(R"({{"ph":"X","pid":1,"tid":{},"ts":{},"dur":1,"name":{}{}}})", index(e.thread),
                    ordinal_, quoted(name), place_of(e, tables)));
}

void TimelineWriter::begin(const Event& e, const Tables& tables) {
  ++open_[index(e.thread)];
  entry(fmt::format(R"({{"ph":"B","pid":1,"tid":{},"ts":{},"cat":"{}","name":{}{}}})",
                    index(e.thread), ordinal_, e.kind == Kind::kBegin ? "region" : "call",
                    quoted(operand_text(e, tables)), place_of(e, tables)));
}

void TimelineWriter::end(std::uint32_t thread) {
  if (open_[thread] == 0) return;
  --open_[thread];
  entry(fmt::format(R"({{"ph":"E","pid":1,"tid":{},"ts":{}}})", thread, ordinal_));
}

void TimelineWriter::finish(const Tables& tables) {
  for (std::uint32_t thread = 0; thread < open_.size(); ++thread) {
    while (open_[thread] > 0) end(thread);
    entry(fmt::format(R"({{"ph":"M","pid":1,"tid":{},"name":"thread_name","args":{{"name":{}}}}})",
                      thread, quoted(thread_text(thread, tables))));
  }
  file_.write("\n]}\n");
  file_.close();
}

}  // namespace isosan
