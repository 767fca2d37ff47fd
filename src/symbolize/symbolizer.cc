#include "symbolize/symbolizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "base/unnamed_file.h"
#include "symbolize/llvm_tool.h"

namespace isosan {
namespace {

std::string quoted(const std::string& text) {  // as the symbolizer reads file names
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;  // one query is one line
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
  explicit QueryFile(const std::vector<PcQuery>& queries) : file_(opened()) {
    if (file_ == nullptr) return;
    for (const PcQuery& query : queries) {
      const bool plain = is_plain_file(query.module_path);  // reading a pipe would block
      ::fprintf(file_, "%s 0x%llx\n", quoted(plain ? query.module_path : "/dev/null").c_str(),
                static_cast<unsigned long long>(query.pc));
    }
    ::fflush(file_);
  }
  ~QueryFile() {
    if (file_ != nullptr) ::fclose(file_);
  }
  QueryFile(const QueryFile&) = delete;
  QueryFile& operator=(const QueryFile&) = delete;
  std::string path() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(::fileno(file_));
  }
  bool is_open() const { return file_ != nullptr; }

 private:
  // Null: places stay addresses.
  static FILE* opened() {
    try {
      return ::fdopen(open_unnamed_file("questions to the symbolizer"), "w");
    } catch (const std::system_error&) {
      return nullptr;
    }
  }

  FILE* file_;
};

}  // namespace

std::string symbolizer_path() { return llvm_tool_path("llvm-symbolizer"); }

std::vector<std::vector<SourceFrame>> symbolize(const std::vector<PcQuery>& queries) {
  std::vector<std::vector<SourceFrame>> answers(queries.size());
  const std::string program = symbolizer_path();
  if (queries.empty() || program.empty()) return answers;
  const QueryFile file(queries);
  if (!file.is_open()) return answers;
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
