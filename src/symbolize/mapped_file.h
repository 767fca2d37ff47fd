// A plain file, mapped to be read.
//
// Another process can truncate the file meanwhile; reading behind its end would then raise
// SIGBUS. Law: it reads as zeros instead. (One handler for the process has a list of the mappings;
// any other SIGBUS ends the process as usual.)
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace isosan {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);  // throws InputError
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t slot_ = 0;
};

}  // namespace isosan
