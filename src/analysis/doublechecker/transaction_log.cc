#include "analysis/doublechecker/transaction_log.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

#include "base/unnamed_file.h"

namespace isosan::icd {
namespace {

// Entries of spilled logs in memory while they are read: of one, and of all together.
constexpr std::size_t kFewestBuffered = 16;
constexpr std::size_t kMostBuffered = 1 << 12;
constexpr std::size_t kAllBuffered = 1 << 17;
constexpr std::size_t kKeptRoom = 32;  // entries for which a dropped log keeps its memory

constexpr const char* kPurpose = "the log of long transactions";

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category(), kPurpose); }

}  // namespace

SpillFile::~SpillFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::uint64_t SpillFile::write(const std::vector<LogEntry>& entries) {
  if (fd_ < 0) fd_ = open_unnamed_file(kPurpose);
  const std::uint64_t place = end_;
  const char* from = reinterpret_cast<const char*>(entries.data());
  for (std::size_t left = entries.size() * sizeof(LogEntry); left > 0;) {
    const ssize_t n = ::pwrite(fd_, from, left, static_cast<off_t>(end_));
    if (n <= 0) fail();
    from += n;
    left -= static_cast<std::size_t>(n);
    end_ += static_cast<std::uint64_t>(n);
  }
  live_ += end_ - place;
  written_ += end_ - place;
  return place;
}

void SpillFile::read(std::uint64_t place, LogEntry* entries, std::size_t count) const {
  char* to = reinterpret_cast<char*>(entries);
  for (std::size_t left = count * sizeof(LogEntry); left > 0;) {
    const ssize_t n = ::pread(fd_, to, left, static_cast<off_t>(place));
    if (n <= 0) fail();
    to += n;
    left -= static_cast<std::size_t>(n);
    place += static_cast<std::uint64_t>(n);
  }
}

void SpillFile::forget(std::uint64_t bytes) {
  live_ -= bytes;
  if (live_ > 0 || end_ == 0) return;
  end_ = 0;
  if (::ftruncate(fd_, 0) != 0) fail();
}

void TransactionLog::spill(SpillFile& file) {
  if (tail_.empty()) return;
  pieces_.push_back({file.write(tail_), tail_.size()});
  forget_transactions();
  std::vector<LogEntry>().swap(tail_);
}

void TransactionLog::clear(SpillFile& file) {
  for (const Piece& piece : pieces_) file.forget(piece.count * sizeof(LogEntry));
  pieces_.clear();
  tail_.clear();
  forget_transactions();
  if (tail_.capacity() > kKeptRoom) std::vector<LogEntry>().swap(tail_);
}

void TransactionLog::begin_transaction() {
  if (begun_ == std::size(starts_)) {
    std::copy(starts_ + 1, std::end(starts_), starts_);
    std::copy(contents_ + 1, std::end(contents_), contents_);
    --begun_;
  }
  starts_[begun_++] = tail_.size();
}

std::size_t TransactionLog::drop_repetition() {
  if (begun_ == 0) return 0;
  const std::uint32_t last = begun_ - 1;
  const std::size_t first = starts_[last];
  const std::size_t count = tail_.size() - first;
  for (std::uint32_t i = last; i-- > 0;) {
    if (starts_[i + 1] - starts_[i] != count || !repeats(first, starts_[i], count)) continue;
    contents_[last] = contents_[i];
    if (!adds_nothing(i)) return 0;
    tail_.resize(first);
    --begun_;
    return count;
  }
  contents_[last] = ++different_;
  return 0;
}

// The last transaction repeats this one, and none after it.
bool TransactionLog::adds_nothing(std::uint32_t same) const {
  const std::uint32_t* before = contents_ + same;
  return std::all_of(before, contents_ + begun_ - 1, [&](std::uint32_t content) {
    return std::find(contents_, before, content) != before;
  });
}

// Equal except for their time and place in the code?
bool TransactionLog::repeats(std::size_t first, std::size_t other, std::size_t count) const {
  const auto same = [](const LogEntry& a, const LogEntry& b) {
    return ((a.ordinal_and_kind ^ b.ordinal_and_kind) & 0xffff) == 0 && a.address == b.address &&
           a.size_and_depth == b.size_and_depth;
  };
  const LogEntry* mine = tail_.data() + first;
  return std::equal(mine, mine + count, tail_.data() + other, same);
}

LogReader::LogReader(const TransactionLog& log, ThreadId thread, const SpillFile& file,
                     std::size_t buffered)
    : log_(&log), file_(&file), thread_(thread), buffered_(buffered) {
  load();
}

std::size_t LogReader::buffered_by_each_of(std::size_t readers) {
  return std::clamp(kAllBuffered / readers, kFewestBuffered, kMostBuffered);
}

void LogReader::load() {
  if (piece_ < log_->pieces_.size()) {
    const TransactionLog::Piece& piece = log_->pieces_[piece_];
    buffer_.resize(std::min(buffered_, piece.count - in_piece_));
    file_->read(piece.place + in_piece_ * sizeof(LogEntry), buffer_.data(), buffer_.size());
    in_piece_ += buffer_.size();
    if (in_piece_ == piece.count) {
      ++piece_;
      in_piece_ = 0;
    }
    at_ = buffer_.data();
    end_ = at_ + buffer_.size();
    return;
  }
  const bool more = !in_tail_ && !log_->tail_.empty();
  in_tail_ = true;
  at_ = more ? log_->tail_.data() : nullptr;
  end_ = more ? at_ + log_->tail_.size() : nullptr;
}

void LogReader::advance() {
  if (++at_ == end_) load();
}

}  // namespace isosan::icd
