// Who touched something last: the last writer, and one mark per thread that has read it since.
//
// Model: all that a conflict check needs of the past of a location or of a synchronization object.
// An older writer or reader is ordered before one of these already. The first reader stands in
// place; further ones, which most locations never have, in a list of their own, found in O(1) by a
// sparse set: a thread's entry of `position` counts only if the entry it points to is that
// thread's, so that forgetting the readers costs nothing.
// Law: at most one reader per thread. No reader in place: no reader at all.
// Not here: what a mark means. A Mark has thread() (dense), is_none(), and Mark{} is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace isosan {

template <class Mark>
class LastAccesses {
 public:
  LastAccesses() = default;
  LastAccesses(const LastAccesses& other)
      : writer_(other.writer_),
        reader_(other.reader_),
        others_(other.others_ ? std::make_unique<Others>(*other.others_) : nullptr) {}
  LastAccesses(LastAccesses&&) noexcept = default;
  LastAccesses& operator=(const LastAccesses& other) { return *this = LastAccesses(other); }
  LastAccesses& operator=(LastAccesses&&) noexcept = default;

  const Mark& writer() const { return writer_; }
  const Mark& reader() const { return reader_; }
  bool has_readers() const { return !reader_.is_none(); }

  // Replaces the writer and forgets the readers.
  void set_writer(const Mark& mark) {
    writer_ = mark;
    if (has_readers()) forget_readers();
  }

  // Replaces the thread's mark, or adds it.
  void set_reader(const Mark& mark) {
    if (!has_readers() || reader_.thread() == mark.thread()) {
      reader_ = mark;
    } else {
      set_other(mark);
    }
  }

  const Mark* reader_of(std::uint32_t thread) const {
    if (has_readers() && reader_.thread() == thread) return &reader_;
    return others_ ? others_->find(thread) : nullptr;
  }

  template <class F>
  void for_each_reader(F&& f) const {
    if (!has_readers()) return;
    f(reader_);
    if (!others_) return;
    for (const Mark& mark : others_->marks) f(mark);
  }

 private:
  struct Others {
    std::vector<Mark> marks;
    std::vector<std::uint32_t> position;  // by thread: where in `marks` it may stand

    Mark* find(std::uint32_t thread) {
      if (thread >= position.size()) return nullptr;
      const std::size_t at = position[thread];
      return at < marks.size() && marks[at].thread() == thread ? &marks[at] : nullptr;
    }
  };

  void forget_readers() {
    reader_ = Mark{};
    if (others_) others_->marks.clear();
  }

  [[gnu::noinline]] void set_other(const Mark& mark) {
    if (!others_) others_ = std::make_unique<Others>();
    if (Mark* known = others_->find(mark.thread())) {
      *known = mark;
      return;
    }
    if (mark.thread() >= others_->position.size()) others_->position.resize(mark.thread() + 1);
    others_->position[mark.thread()] = static_cast<std::uint32_t>(others_->marks.size());
    others_->marks.push_back(mark);
  }

  Mark writer_;
  Mark reader_;
  std::unique_ptr<Others> others_;
};

}  // namespace isosan
