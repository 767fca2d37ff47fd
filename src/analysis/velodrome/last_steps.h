// The last steps on a location (the last write, the reads since) or on a synchronization object
// (its slots W and R).
//
// Law: at most one read per thread is needed, the latest; older ones change no result. No first
// read: no read at all. What every access looks at (segments, threads) stands together, at the end,
// beside ByteMap's own fields: one cache line is loaded, the others are only stored to.
#pragma once

#include <cstdint>
#include <memory>

#include "analysis/velodrome/step.h"
#include "base/last_accesses.h"

namespace isosan::velodrome {

class LastSteps {
 public:
  LastSteps() = default;
  LastSteps(const LastSteps& other)
      : write_(other.write_),
        read_(other.read_),
        write_segment_(other.write_segment_),
        read_segment_(other.read_segment_),
        write_thread_(other.write_thread_),
        read_thread_(other.read_thread_),
        other_reads_(other.other_reads_ ? std::make_unique<MarkTable<Step>>(*other.other_reads_)
                                        : nullptr) {}
  LastSteps(LastSteps&&) noexcept = default;
  LastSteps& operator=(const LastSteps& other) { return *this = LastSteps(other); }
  LastSteps& operator=(LastSteps&&) noexcept = default;

  // 0: there is none.
  std::uint64_t write_segment() const { return write_segment_; }
  std::uint32_t write_thread() const { return write_thread_; }
  std::uint64_t read_segment() const { return read_segment_; }  // of the first read
  std::uint32_t read_thread() const { return read_thread_; }
  bool has_reads() const { return read_segment_ != 0; }

  Step write() const { return {write_segment_, write_thread_, write_}; }
  Step read() const { return {read_segment_, read_thread_, read_}; }
  template <class F>
  void for_each_read(F&& f) const {
    if (!has_reads()) return;
    f(read());
    if (other_reads_) other_reads_->for_each(f);
  }

  bool of_one_thread() const {
    const bool both = write_segment_ != 0 && has_reads();
    return !other_reads_ && !(both && write_thread_ != read_thread_);
  }

  // Replaces the write and forgets the reads.
  [[gnu::always_inline]] void set_write(std::uint64_t segment, std::uint32_t thread,
                                        const StepDetail& detail) {
    write_segment_ = segment;
    write_thread_ = thread;
    write_ = detail;
    if (!has_reads()) return;
    read_segment_ = 0;
    if (other_reads_) other_reads_->clear();
  }
  // Replaces the first read, which is its thread's or of no use any more.
  [[gnu::always_inline]] void set_read(std::uint64_t segment, std::uint32_t thread,
                                       const StepDetail& detail) {
    read_segment_ = segment;
    read_thread_ = thread;
    read_ = detail;
  }
  // Adds a read beside the first one.
  void add_read(const Step& step) {
    if (!other_reads_) other_reads_ = std::make_unique<MarkTable<Step>>();
    other_reads_->set(step);
  }

 private:
  StepDetail write_, read_;
  std::uint64_t write_segment_ = 0, read_segment_ = 0;
  std::uint32_t write_thread_ = 0, read_thread_ = 0;
  std::unique_ptr<MarkTable<Step>> other_reads_;
};
static_assert(sizeof(LastSteps) == 112);

}  // namespace isosan::velodrome
