#include "symbolize/symbolizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace isosan {
namespace {

constexpr const char* kCandidates[] = {"/usr/bin/llvm-symbolizer-19",
                                       "/usr/lib/llvm-19/bin/llvm-symbolizer",
                                       "/usr/bin/llvm-symbolizer-14", "/usr/bin/llvm-symbolizer"};

std::string quoted(const std::string& text) {  // as the symbolizer reads file names
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::vector<SourceFrame> frames_of(const std::string& line) {
  const nlohmann::json answer = nlohmann::json::parse(line, nullptr, false);
  std::vector<SourceFrame> frames;
  if (!answer.is_object() || !answer.contains("Symbol")) return frames;
  for (const nlohmann::json& symbol : answer["Symbol"]) {
    SourceFrame frame;
    frame.function = symbol.value("FunctionName", "");
    frame.file = symbol.value("FileName", "");
    frame.line = symbol.value("Line", 0u);
    frame.column = symbol.value("Column", 0u);
    if (!frame.function.empty() || !frame.file.empty()) frames.push_back(std::move(frame));
  }
  return frames;
}

// The queries go through a file: two pipes to one child could block each other.
class QueryFile {
 public:
  explicit QueryFile(const std::vector<PcQuery>& queries) {
    const int fd = ::mkstemp(path_.data());
    FILE* file = fd < 0 ? nullptr : ::fdopen(fd, "w");
    if (file == nullptr) return;
    for (const PcQuery& query : queries) {
      ::fprintf(file, "%s 0x%llx\n", quoted(query.module_path).c_str(),
                static_cast<unsigned long long>(query.pc));
    }
    ::fclose(file);
  }
  ~QueryFile() { ::unlink(path_.c_str()); }
  QueryFile(const QueryFile&) = delete;
  QueryFile& operator=(const QueryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/isosan-symbolize-XXXXXX";
};

}  // namespace

std::string symbolizer_path() {
  for (const char* path : kCandidates) {
    if (::access(path, X_OK) == 0) return path;
  }
  return {};
}

std::vector<std::vector<SourceFrame>> symbolize(const std::vector<PcQuery>& queries) {
  std::vector<std::vector<SourceFrame>> answers(queries.size());
  const std::string program = symbolizer_path();
  if (queries.empty() || program.empty()) return answers;
  const QueryFile file(queries);
  const std::string command =
      program + " --output-style=JSON --demangle --inlines < " + file.path() + " 2>/dev/null";
  FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return answers;
  char* line = nullptr;
  std::size_t capacity = 0;
  for (auto& answer : answers) {
    if (::getline(&line, &capacity, pipe) < 0) break;
    answer = frames_of(line);
  }
  ::free(line);
  ::pclose(pipe);
  return answers;
}

}  // namespace isosan
