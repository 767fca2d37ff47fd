#include "predict/loops.h"

#include "absl/container/flat_hash_map.h"

namespace isosan::predict {
namespace {

constexpr NodeIndex kUnknown = ~NodeIndex{0};

struct Item {  // of one execution of a region
  std::uint64_t place = 0;
  std::uint32_t what = 0;  // an operation's number, or a node
  bool is_node = false;
};

class LoopFinder {
 public:
  LoopFinder(const ObservedRun& run, std::span<NodeIndex> nodes)
      : run_(run),
        old_(run.regions()),
        nodes_(nodes),
        items_(old_.size()),
        new_node_(old_.size(), kUnknown) {}

  RegionTree run() {
    run_.for_each_operation([&](const Placed& operation) { collect(operation); });
    // Parents come before their children.
    for (NodeIndex node = 0; node < items_.size(); ++node) {
      if (old_.is_root(node)) new_node_[node] = new_.new_root();
      if (new_node_[node] != kUnknown) split(items_[node], new_node_[node]);
    }
    return std::move(new_);
  }

 private:
  struct Stretch {
    std::size_t begin, end;
    NodeIndex around;
  };

  void collect(const Placed& operation) {
    enter(operation.node);
    items_[operation.node].push_back(
        {std::uint64_t{index(operation.site)} << 8 | static_cast<std::uint64_t>(operation.kind),
         operation.id.number, false});
  }

  // A node becomes an item of its parent at its first operation.
  void enter(NodeIndex node) {
    std::vector<NodeIndex> entered;
    for (; !old_.is_root(node) && items_[node].empty(); node = old_.parent(node)) {
      entered.push_back(node);
    }
    for (auto at = entered.rbegin(); at != entered.rend(); ++at) {
      items_[old_.parent(*at)].push_back(
          {std::uint64_t{1} << 63 | index(old_.region(*at)), *at, true});
    }
  }

  void put(const Item& item, NodeIndex around) {
    if (item.is_node) {
      new_node_[item.what] = new_.open(around, old_.region(item.what));
    } else {
      nodes_[item.what] = around;
    }
  }

  void split(const std::vector<Item>& items, NodeIndex node) {
    std::vector<Stretch> left{{0, items.size(), node}};
    while (!left.empty()) {
      const Stretch stretch = left.back();
      left.pop_back();
      const std::size_t head = head_of(items, stretch);
      for (std::size_t i = stretch.begin; i < head; ++i) put(items[i], stretch.around);
      for (std::size_t begin = head; begin < stretch.end;) {
        std::size_t end = begin + 1;
        while (end < stretch.end && items[end].place != items[head].place) ++end;
        left.push_back({begin, end, new_.open(stretch.around, new_.region(stretch.around))});
        begin = end;
      }
    }
  }

  // The first place that is visited again; the end if none is.
  static std::size_t head_of(const std::vector<Item>& items, const Stretch& stretch) {
    absl::flat_hash_map<std::uint64_t, std::size_t> first;
    std::size_t head = stretch.end;
    for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
      const auto [known, is_new] = first.try_emplace(items[i].place, i);
      if (!is_new && known->second < head) head = known->second;
    }
    return head;
  }

  const ObservedRun& run_;
  const RegionTree& old_;
  const std::span<NodeIndex> nodes_;
  std::vector<std::vector<Item>> items_;  // by old node
  std::vector<NodeIndex> new_node_;
  RegionTree new_;
};

}  // namespace

RegionTree with_loop_iterations(const ObservedRun& run, std::span<NodeIndex> nodes) {
  return LoopFinder(run, nodes).run();
}

}  // namespace isosan::predict
