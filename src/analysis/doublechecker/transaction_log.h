// The read/write log of a transaction (section 3.2.4), for PCD to replay.
//
// Model: a sequence of events of one thread, in order, 32 bytes each. Its tail is in memory; the
// rest is spilled in pieces to an unnamed file that all logs share. A log
// is only ever appended to, read from its beginning, or dropped as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "event/event.h"

namespace isosan::icd {

struct LogEntry {
  std::uint64_t ordinal_and_kind;  // ordinal << 16 | detail << 8 | kind
  std::uint64_t address;
  std::uint64_t size_and_depth;  // size << 16 | depth; walks: stride << 40 | count << 16 | depth
  SiteId site;
  ContextId context;

  static LogEntry of(const Event& e, std::uint64_t ordinal) {
    return {ordinal << 16 | std::uint64_t{e.detail} << 8 | static_cast<std::uint64_t>(e.kind),
            e.address, e.size << 16 | e.depth, e.site, e.context};
  }
  std::uint64_t ordinal() const { return ordinal_and_kind >> 16; }
  Event event(ThreadId thread) const {
    Event e{static_cast<Kind>(ordinal_and_kind & 0xff),
            static_cast<std::uint8_t>(ordinal_and_kind >> 8),
            static_cast<std::uint16_t>(size_and_depth),
            thread,
            address,
            size_and_depth >> 16,
            site,
            context};
    if (is_walk_entry(e)) make_walk(e, walk_steps());
    return e;
  }

  // Walks (event.h) are entries, too, if they are not too long.
  static constexpr std::uint64_t kMostSteps = (1 << 24) - 1;
  static constexpr std::uint64_t kFarthestStep = 1 << 23;  // below, in either direction
  static bool fits(const WalkSteps& steps) {
    return fits_event(steps) && steps.count <= kMostSteps &&
           steps.stride + kFarthestStep < 2 * kFarthestStep;
  }
  static LogEntry of_walk(const Event& first, const WalkSteps& steps, std::uint64_t ordinal) {
    LogEntry entry = of(first, ordinal);
    entry.size_and_depth = steps.stride << 40 | steps.count << 16 | steps.size;
    return entry;
  }

 private:
  static bool is_walk_entry(const Event& e) {
    return e.depth != 0 && (e.kind == Kind::kRead || e.kind == Kind::kWrite);
  }
  WalkSteps walk_steps() const {
    return {size_and_depth & 0xffff, size_and_depth >> 16 & kMostSteps,
            static_cast<std::uint64_t>(static_cast<std::int64_t>(size_and_depth) >> 40)};
  }
};
static_assert(sizeof(LogEntry) == 32);

// An unnamed file in $TMPDIR, made when first needed; it disappears with the process.
class SpillFile {
 public:
  SpillFile() = default;
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // Returns the place of the entries in the file. Throws std::system_error if the disk is full.
  std::uint64_t write(const std::vector<LogEntry>& entries);
  void read(std::uint64_t place, LogEntry* entries, std::size_t count) const;
  void forget(std::uint64_t bytes);  // so many bytes are no longer needed

  std::uint64_t written() const { return written_; }  // bytes, ever

 private:
  int fd_ = -1;
  std::uint64_t end_ = 0, live_ = 0, written_ = 0;
};

class TransactionLog {
 public:
  void append(const LogEntry& entry) { tail_.push_back(entry); }
  std::size_t in_memory() const { return tail_.size(); }
  bool empty() const { return tail_.empty() && pieces_.empty(); }
  std::size_t size() const {
    std::size_t size = tail_.size();
    for (const Piece& piece : pieces_) size += piece.count;
    return size;
  }

  void spill(SpillFile& file);
  void clear(SpillFile& file);  // keeps a little room for the next transaction

  // The next transaction of this log begins. It may be compared with those that began since the
  // last forget_transactions().
  void begin_transaction();
  void forget_transactions() { begun_ = 0; }
  // Removes the entries of the last transaction if it adds nothing, and returns how many. Law: it
  // is left out if it repeats one of the few before it, and each one since that one, and that one
  // itself, repeats one from before. In "a b a" the last a is kept: b comes before it, and not
  // before the first. In "a b a b a" it is not.
  std::size_t drop_repetition();

 private:
  friend class LogReader;
  static constexpr std::uint32_t kCompared = 8;
  bool adds_nothing(std::uint32_t same) const;
  bool repeats(std::size_t first, std::size_t other, std::size_t count) const;

  struct Piece {
    std::uint64_t place;
    std::size_t count;
  };
  std::vector<Piece> pieces_;
  std::vector<LogEntry> tail_;
  std::size_t starts_[kCompared + 1] = {};      // in tail_, the latest transaction last
  std::uint32_t contents_[kCompared + 1] = {};  // equal: the transactions are
  std::uint32_t different_ = 0;                 // contents so far
  std::uint32_t begun_ = 0;                     // how many of them are valid
};

// Reads a log from its beginning; buffers so many of the spilled entries.
class LogReader {
 public:
  LogReader(const TransactionLog& log, ThreadId thread, const SpillFile& file,
            std::size_t buffered);

  // If `readers` read at a time: all their buffers have 4 MiB together, or a little more.
  static std::size_t buffered_by_each_of(std::size_t readers);

  const LogEntry* get() const { return at_; }  // null: the end
  ThreadId thread() const { return thread_; }
  void advance();

 private:
  void load();

  const TransactionLog* log_;
  const SpillFile* file_;
  ThreadId thread_;
  std::size_t buffered_;
  std::size_t piece_ = 0, in_piece_ = 0;
  std::vector<LogEntry> buffer_;
  const LogEntry* at_ = nullptr;
  const LogEntry* end_ = nullptr;
  bool in_tail_ = false;
};

}  // namespace isosan::icd
