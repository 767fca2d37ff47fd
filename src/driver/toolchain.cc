#include "driver/toolchain.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "base/user_error.h"

namespace isosan::driver {
namespace fs = std::filesystem;

Parts find_parts() {
  std::error_code ignored;
  const fs::path root = fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
  return {.plugin = root / "lib/isosan_pass.so",
          .runtime = root / "lib/libisosan_rt.so",
          .gcc_plugins = root / "lib",
          .include = root / "include",
          .tsan_overlay = root / "lib/isosan-tsan"};
}

std::optional<fs::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (access(name.c_str(), X_OK) == 0) return name;
    return std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
  }
  return std::nullopt;
}

std::string compiler_name(Language language, Front front) {
  const bool cxx = language == Language::kCxx;
  const char* chosen = std::getenv(cxx ? "ISOSAN_CXX" : "ISOSAN_CC");
  if (chosen != nullptr && *chosen != 0) return chosen;
  switch (front) {
    case Front::kPass:
      return cxx ? "clang++-19" : "clang-19";
    case Front::kTsan:
      return cxx ? "g++" : "gcc";
  }
  return {};
}

Front choose_front(const std::string& option) {
  std::string name = option;
  const char* variable = std::getenv("ISOSAN_FRONT");
  if (name.empty() && variable != nullptr) name = variable;
  if (name.empty() || name == "pass") return Front::kPass;
  if (name == "tsan") return Front::kTsan;
  throw UserError("unknown front '" + name + "': use pass or tsan");
}

std::optional<fs::path> gcc_plugin_for(const fs::path& compiler, const Parts& parts) {
  std::error_code failed;
  std::string name = fs::canonical(compiler, failed).filename().string();
  for (const std::string part : {"-g++-", "-gcc-"}) {
    const std::size_t at = name.find(part);
    if (failed || at == name.npos) continue;
    const fs::path plugin =
        parts.gcc_plugins / ("isosan_gcc-" + name.replace(at, part.size(), "-") + ".so");
    if (fs::exists(plugin, failed)) return plugin;
  }
  return std::nullopt;
}

bool is_clang(const fs::path& compiler) {
  std::error_code failed;
  const fs::path target = fs::canonical(compiler, failed);
  return compiler.filename().string().find("clang") != std::string::npos ||
         (!failed && target.filename().string().find("clang") != std::string::npos);
}

}  // namespace isosan::driver
