#include "cli/output/process_result.h"

#include <nlohmann/json.hpp>

namespace isosan {

using Json = nlohmann::json;

namespace {

Json folded_to_json(const std::vector<FoldedRegion>& folded) {
  Json regions = Json::array();
  for (const FoldedRegion& one : folded) regions.push_back({one.region, one.why});
  return regions;
}

}  // namespace

std::string result_line(const WatchedProcess& process) {
  const Json line{{"number", process.number},
                  {"pid", process.pid},
                  {"command", process.command},
                  {"findings", process.findings},
                  {"threads", process.threads},
                  {"unobserved_threads", process.unobserved_threads},
                  {"error", process.error},
                  {"ended_by", process.ended_by},
                  {"uncontended", process.uncontended},
                  {"folded", folded_to_json(process.folded)},
                  {"unmatched", process.unmatched},
                  {"notes", process.notes},
                  {"json", process.json},
                  {"sarif", process.sarif}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<WatchedProcess> read_result(const std::string& line) {
  try {
    const Json json = Json::parse(line);
    WatchedProcess process;
    json.at("number").get_to(process.number);
    json.at("pid").get_to(process.pid);
    json.at("command").get_to(process.command);
    json.at("findings").get_to(process.findings);
    json.at("threads").get_to(process.threads);
    json.at("unobserved_threads").get_to(process.unobserved_threads);
    json.at("error").get_to(process.error);
    json.at("ended_by").get_to(process.ended_by);
    json.at("uncontended").get_to(process.uncontended);
    for (const Json& one : json.at("folded")) process.folded.push_back({one.at(0), one.at(1)});
    json.at("unmatched").get_to(process.unmatched);
    json.at("notes").get_to(process.notes);
    json.at("json").get_to(process.json);
    json.at("sarif").get_to(process.sarif);
    return process;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace isosan
