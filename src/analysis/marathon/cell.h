// What marathon remembers of a location: its set, the last write, and the reads since, one per
// unit.
//
// Most locations have one reader between writes: it stands in place, so that a cell with what
// ByteMap adds is one cache line. Several stand in a list whose address is kept in its place.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/marathon/conflict_graph.h"
#include "analysis/marathon/set_model.h"
#include "event/ids.h"

namespace isosan::marathon {

struct Touch {  // the access of a unit that a location remembers
  UnitRef unit;
  std::uint64_t ordinal = 0;
  SiteId site{};
  ContextId context{};
};

class Readers {
 public:
  Readers() = default;
  Readers(const Readers& other) : first_(other.first_) {
    if (several()) keep(new List(other.list()));
  }
  Readers(Readers&& other) noexcept : first_(std::exchange(other.first_, Touch{})) {}
  Readers& operator=(Readers other) noexcept {
    std::swap(first_, other.first_);
    return *this;
  }
  ~Readers() { clear(); }

  bool empty() const { return first_.unit.slot == 0; }
  void clear() {
    if (several()) delete &list();
    first_ = Touch{};
  }
  template <class F>
  void for_each(F&& f) const {
    if (several()) {
      for (const Touch& read : list()) f(read);
    } else if (!empty()) {
      f(first_);
    }
  }

  // Entries whose unit is no longer alive are replaced: no edge will leave it.
  void add(const Touch& now, const ConflictGraph& graph) {
    if (several()) return add_to_list(now, graph);
    if (first_.unit == now.unit) return;
    if (!graph.alive(first_.unit)) {
      first_ = now;
    } else {
      keep(new List{first_, now});
    }
  }

 private:
  using List = std::vector<Touch>;
  static constexpr std::uint32_t kSeveral = ~std::uint32_t{0};  // in place of a slot

  bool several() const { return first_.unit.slot == kSeveral; }
  List& list() const { return *std::bit_cast<List*>(first_.ordinal); }
  void keep(List* list) {
    first_.unit.slot = kSeveral;
    first_.ordinal = std::bit_cast<std::uint64_t>(list);
  }

  // Twins (conflict_graph.h) are removed whenever the list has doubled.
  void add_to_list(const Touch& now, const ConflictGraph& graph) {
    List& reads = list();
    for (Touch& read : reads) {
      if (read.unit == now.unit) return;
      if (graph.alive(read.unit)) continue;
      read = now;
      return;
    }
    if (reads.size() == reads.capacity()) leave_out_twins(reads, graph);
    reads.push_back(now);
  }

  static void leave_out_twins(List& reads, const ConflictGraph& graph) {
    std::size_t kept = 0;
    for (const Touch& read : reads) {
      const auto is_it = [&](const Touch& other) { return graph.same(other.unit, read.unit); };
      const auto end = reads.begin() + static_cast<std::ptrdiff_t>(kept);
      if (std::none_of(reads.begin(), end, is_it)) reads[kept++] = read;
    }
    reads.resize(kept);
    reads.reserve(2 * kept);
  }

  Touch first_;
};

struct Cell {
  SetId set = kNoSet;  // kNoSet: not looked up yet
  Touch write;         // the last one
  Readers reads;       // since then
};
static_assert(sizeof(Cell) <= 56);

}  // namespace isosan::marathon
