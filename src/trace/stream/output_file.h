// Buffered output to a file; errors name the file.
//
// Law: nothing is lost silently. close() must be called; a file destroyed without it is incomplete.
// The file gets its name with the first flush (base/fresh_file.h): what is flushed before this
// process is killed can be read, and a file that nothing was written to replaces none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/fresh_file.h"

namespace isosan {

class OutputFile {
 public:
  explicit OutputFile(const std::string& path);  // throws InputError if it cannot be made
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kBuffer) flush();
  }
  void flush();
  void rewrite(std::uint64_t offset, std::string_view bytes);  // of what was written before
  void close();

  std::uint64_t written() const { return flushed_ + buffer_.size(); }
  const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t kBuffer = std::size_t{256} << 10;
  [[noreturn]] void fail(std::string_view what) const;

  std::string name_;
  FreshFile file_;
  std::string buffer_;
  std::uint64_t flushed_ = 0;
};

}  // namespace isosan
