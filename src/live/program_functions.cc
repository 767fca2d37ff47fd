#include "live/program_functions.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/input_error.h"
#include "live/module_table.h"
#include "runtime/contract/records.h"
#include "symbolize/elf_file.h"
#include "symbolize/names.h"

namespace isosan {
namespace {

// Libraries that nobody instruments.
constexpr std::string_view kSystemLibraries[] = {
    "ld-linux",        "libatomic.so", "libc.so",  "libdl.so",      "libgcc_s.so",
    "libisosan_rt.so", "libm.so",      "librt.so", "libpthread.so", "libstdc++.so"};

// By these another instrumented module or program can come, or functions without a record.
constexpr std::string_view kLeadsElsewhere[] = {"__tsan_", "dlopen",      "dlmopen", "exec",
                                                "fexecve", "posix_spawn", "popen",   "system"};

bool starts_like_one_of(std::string_view name, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes,
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_all_that_is_instrumented(const ElfFile& file) {
  if (std::getenv("LD_PRELOAD") != nullptr || std::getenv("LD_AUDIT") != nullptr) return false;
  const std::vector<std::string_view> libraries = file.needed_libraries();
  return std::ranges::all_of(
             libraries,
             [](std::string_view name) { return starts_like_one_of(name, kSystemLibraries); }) &&
         std::ranges::none_of(kLeadsElsewhere,
                              [&](std::string_view prefix) { return file.needs_symbol(prefix); });
}

// As execvp finds it; empty: nowhere.
std::string path_of(const std::string& program) {
  if (program.find('/') != program.npos) return program;
  const char* folders = std::getenv("PATH");
  if (folders == nullptr) return {};
  for (std::string_view rest = folders;;) {
    const std::size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    const std::string path = std::string(folder.empty() ? "." : folder) + "/" + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
    if (end == rest.npos) return {};
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<std::vector<Function>> functions_before_run(const std::string& program) {
  const std::string path = path_of(program);
  log::ModuleRecord record;
  if (path.empty() || path.size() > sizeof record.path) return std::nullopt;
  record.instrumented = 1;
  record.path_length = static_cast<std::uint32_t>(path.copy(record.path, sizeof record.path));
  try {
    const ElfFile file(path);
    if (file.section(rt::kFunctionSection).bytes.empty() || !is_all_that_is_instrumented(file))
      return std::nullopt;
    Tables tables;
    ModuleTable(tables).add(record);
    for (const ElfSymbol& symbol : file.symbols(SymbolKind::kFunction)) {
      // Code without a record has a name in the report, too, where it calls the runtime.
      Function function;
      function.name = qualified_name(demangled(std::string(symbol.name)));
      tables.functions.push_back(std::move(function));
    }
    return std::move(tables.functions);
  } catch (const InputError&) {
    return std::nullopt;  // a script, or no file at all
  }
}

}  // namespace isosan
