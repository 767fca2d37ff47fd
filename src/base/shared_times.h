// Times by index, in pieces that copies share until one of them writes.
//
// Model: an index maps to a time, 0 where none was set. A piece has kPiece times; a missing piece is
// all zero. Copies and joins take the other's pieces over where that is exact, so a thousand clocks
// that know the same of a thousand ended threads hold that once. Law: a piece that more than one
// user has is never written. Users are of one thread of this process.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace isosan {

class SharedTimes {
 public:
  std::uint64_t operator[](std::size_t index) const {
    const std::size_t piece = index / kPiece;
    return piece < pieces_.size() && pieces_[piece] ? (*pieces_[piece])[index % kPiece] : 0;
  }

  std::uint64_t& entry(std::size_t index) {  // to be written
    const std::size_t piece = index / kPiece;
    if (piece >= pieces_.size()) pieces_.resize(piece + 1);
    return pieces_[piece].own()[index % kPiece];
  }

  bool covers(const SharedTimes& other) const {
    for (std::size_t i = 0; i < other.pieces_.size(); ++i) {
      const Piece mine = i < pieces_.size() ? pieces_[i] : Piece{};
      if (!mine.covers(other.pieces_[i])) return false;
    }
    return true;
  }

  void join(const SharedTimes& other) {
    if (pieces_.size() < other.pieces_.size()) pieces_.resize(other.pieces_.size());
    for (std::size_t i = 0; i < other.pieces_.size(); ++i) {
      Piece& mine = pieces_[i];
      const Piece& theirs = other.pieces_[i];
      if (mine.covers(theirs)) continue;
      if (theirs.covers(mine)) {
        mine = theirs;
      } else {
        std::ranges::transform(*mine, *theirs, mine.own().begin(),
                               [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
      }
    }
  }

  void clear() { pieces_.clear(); }
  bool empty() const { return pieces_.empty(); }

 private:
  static constexpr std::size_t kPiece = 32;
  using Times = std::array<std::uint64_t, kPiece>;

  // A pointer that counts the users of what it points to; null is all zero.
  class Piece {
   public:
    Piece() = default;
    Piece(const Piece& other) : counted_(other.counted_) {
      if (counted_ != nullptr) ++counted_->users;
    }
    Piece(Piece&& other) noexcept : counted_(std::exchange(other.counted_, nullptr)) {}
    Piece& operator=(Piece other) noexcept {
      std::swap(counted_, other.counted_);
      return *this;
    }
    ~Piece() {
      if (counted_ != nullptr && --counted_->users == 0) delete counted_;
    }

    explicit operator bool() const { return counted_ != nullptr; }
    const Times& operator*() const { return counted_->times; }

    Times& own() {
      if (counted_ == nullptr) counted_ = new Counted;
      if (counted_->users > 1) {
        --counted_->users;
        counted_ = new Counted{.times = counted_->times};
      }
      return counted_->times;
    }

    bool covers(const Piece& other) const {
      if (counted_ == other.counted_ || other.counted_ == nullptr) return true;
      const Times& mine = counted_ == nullptr ? kZero : counted_->times;
      return std::ranges::equal(mine, other.counted_->times, std::greater_equal<>{});
    }

   private:
    struct Counted {
      std::size_t users = 1;
      Times times{};
    };
    static constexpr Times kZero{};

    Counted* counted_ = nullptr;
  };

  std::vector<Piece> pieces_;
};

}  // namespace isosan
