// Bytes of a file or a pipe through a window, or bytes in memory (tests, fuzzers).
//
// Law: peek(n) shows at least n unread bytes unless the input ends before; what it shows stays
// valid until the next peek. Behind the last byte shown there are kPadding further bytes that may
// be loaded, all '\n': a scanner that stops at a newline never runs off. Memory is bounded by the
// largest peek, whatever the size of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace isosan {

class InputFile {
 public:
  static constexpr std::size_t kPadding = 32;

  explicit InputFile(const std::string& path);  // throws InputError if it cannot be opened
  InputFile(std::string name, std::string_view bytes);
  ~InputFile();
  InputFile(InputFile&&) noexcept;
  InputFile& operator=(InputFile&&) = delete;

  std::string_view peek(std::size_t n) {
    if (end_ - begin_ < n) refill(n);
    return {buffer_.get() + begin_, end_ - begin_};
  }
  void skip(std::size_t n) {
    begin_ += n;
    offset_ += n;
  }

  std::uint64_t offset() const { return offset_; }  // of the first unread byte
  std::uint64_t size() const { return size_; }      // 0: not known
  const std::string& name() const { return name_; }

 private:
  void refill(std::size_t n);
  void pad();

  std::string name_;
  int fd_ = -1;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  // unread bytes are [begin_, end_) of buffer_
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
  bool at_end_ = false;
};

}  // namespace isosan
