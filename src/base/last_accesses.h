// The last accesses of something: the last writer, and one mark per thread that has read it since.
//
// Model: all that a conflict check needs of the past of a location or of a synchronization object.
// An older writer or reader is ordered before one of these already. The first reader is stored
// inline; further ones, which most locations never have, in a separate table.
// Law: at most one reader per thread. No inline reader: no reader at all.
// Not here: what a mark means. A Mark has thread() (dense), is_none(), and Mark{} is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace isosan {

// One mark per thread, hashed by the thread's low bits: threads 0 to 2^n - 1 never collide, and a
// table is at most twice as large as it was ever full.
template <class Mark>
class MarkTable {
 public:
  MarkTable() = default;
  MarkTable(const MarkTable& other) {
    other.for_each([&](const Mark& mark) { set(mark); });
  }
  MarkTable& operator=(const MarkTable&) = delete;

  void set(Mark mark) {
    Mark& home = marks_[mark.thread() & last_];
    if (home.thread() == mark.thread() && !home.is_none()) [[likely]] {
      home = std::move(mark);
    } else {
      set_elsewhere(std::move(mark));
    }
  }

  void clear() {
    if (count_ == 0) return;
    for (std::uint32_t i = 0; i <= last_; ++i) marks_[i] = Mark{};
    count_ = 0;
  }

  template <class F>
  void for_each(F&& f) const {
    if (count_ == 0) return;
    for (std::uint32_t i = 0; i <= last_; ++i) {
      if (!marks_[i].is_none()) f(marks_[i]);
    }
  }

 private:
  [[gnu::noinline]] void set_elsewhere(Mark mark) {
    for (std::uint32_t i = 0; i <= last_; ++i) {
      Mark& slot = marks_[(mark.thread() + i) & last_];
      if (!slot.is_none() && slot.thread() != mark.thread()) continue;
      count_ += slot.is_none();
      slot = std::move(mark);
      return;
    }
    grow();
    set_elsewhere(std::move(mark));
  }

  void grow() {
    const std::uint32_t size = last_ + 1;
    const std::unique_ptr<Mark[]> old =
        std::exchange(marks_, std::make_unique<Mark[]>(std::size_t{size} * 2));
    last_ = size * 2 - 1;
    count_ = 0;
    for (std::uint32_t i = 0; i < size; ++i) set_elsewhere(std::move(old[i]));
  }

  static constexpr std::uint32_t kFirstSize = 4;

  std::unique_ptr<Mark[]> marks_ = std::make_unique<Mark[]>(kFirstSize);
  std::uint32_t last_ = kFirstSize - 1;  // slots - 1; their number is a power of two
  std::uint32_t count_ = 0;
};

template <class Mark>
class LastAccesses {
 public:
  LastAccesses() = default;
  LastAccesses(const LastAccesses& other)
      : writer_(other.writer_),
        reader_(other.reader_),
        others_(other.others_ ? std::make_unique<MarkTable<Mark>>(*other.others_) : nullptr) {}
  LastAccesses(LastAccesses&&) noexcept = default;
  LastAccesses& operator=(const LastAccesses& other) { return *this = LastAccesses(other); }
  LastAccesses& operator=(LastAccesses&&) noexcept = default;

  const Mark& writer() const { return writer_; }
  const Mark& reader() const { return reader_; }
  bool has_readers() const { return !reader_.is_none(); }

  // Replaces the writer and forgets the readers.
  void set_writer(Mark mark) {
    writer_ = std::move(mark);
    if (!has_readers()) return;
    reader_ = Mark{};
    if (others_) others_->clear();
  }

  // Replaces the thread's mark, or adds it.
  void set_reader(Mark mark) {
    if (!has_readers() || reader_.thread() == mark.thread()) {
      reader_ = std::move(mark);
      return;
    }
    if (!others_) [[unlikely]]
      others_ = std::make_unique<MarkTable<Mark>>();
    others_->set(std::move(mark));
  }

  template <class F>
  void for_each_reader(F&& f) const {
    if (!has_readers()) return;
    f(reader_);
    if (others_) others_->for_each(f);
  }

 private:
  Mark writer_;
  Mark reader_;
  std::unique_ptr<MarkTable<Mark>> others_;
};

// Has only one thread used it?
template <class Location>
bool is_of_one_thread(const Location& location) {
  bool is_shared = false;
  auto first = location.writer();
  location.for_each_reader([&](const auto& mark) {
    if (first.is_none()) first = mark;
    is_shared |= first.thread() != mark.thread();
  });
  return !is_shared;
}

}  // namespace isosan
