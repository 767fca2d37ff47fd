// usage: containers. std::map and std::list under the modelled helpers: they must still be right,
// and what they write must be seen.
#include <stdio.h>
#include <stdlib.h>

#include <list>
#include <map>
#include <set>
#include <vector>

#include "step.h"

namespace {

// Red has black children, every path down has the same number of black nodes; returns that number.
int black_height(const std::_Rb_tree_node_base* n) {
  if (n == nullptr) return 1;
  const bool red = n->_M_color == std::_S_red;
  for (const std::_Rb_tree_node_base* child : {n->_M_left, n->_M_right}) {
    if (child == nullptr) continue;
    if (child->_M_parent != n || (red && child->_M_color == std::_S_red)) abort();
  }
  const int left = black_height(n->_M_left);
  if (left != black_height(n->_M_right)) abort();
  return left + !red;
}

void check(const std::map<int, int>& map, const std::vector<bool>& in) {
  const std::_Rb_tree_node_base* header = map.end()._M_node;
  if (header->_M_parent != nullptr && header->_M_parent->_M_color != std::_S_black) abort();
  black_height(header->_M_parent);
  auto forward = map.begin();
  for (int i = 0; i < static_cast<int>(in.size()); ++i) {
    if (!in[static_cast<unsigned>(i)]) continue;
    if (forward == map.end() || forward->first != i) abort();
    ++forward;
  }
  if (forward != map.end()) abort();
  auto backward = map.end();
  for (int i = static_cast<int>(in.size()) - 1; i >= 0; --i) {
    if (!in[static_cast<unsigned>(i)]) continue;
    --backward;
    if (backward->first != i) abort();
  }
  if (backward != map.begin()) abort();
}

void trees() {
  unsigned random = 12345;
  std::map<int, int> map;
  std::vector<bool> in(64);
  for (int n = 0; n < 4000; ++n) {
    random = random * 1103515245 + 12345;
    const int key = (random >> 16) % 64;
    if (in[static_cast<unsigned>(key)]) {
      map.erase(key);
    } else {
      map[key] = n;
    }
    in[static_cast<unsigned>(key)] = !in[static_cast<unsigned>(key)];
    check(map, in);
  }
}

void lists() {
  std::list<int> a{1, 2, 3, 4};
  std::list<int> b{5, 6};
  a.splice(a.begin(), b);
  a.reverse();
  a.swap(b);
  if (b != std::list<int>{4, 3, 2, 1, 6, 5} || !a.empty()) abort();
  std::list<int> c{7};
  b.swap(c);
  if (b != std::list<int>{7} || c.size() != 6) abort();
  c.sort();
  if (c != std::list<int>{1, 2, 3, 4, 5, 6}) abort();
  c.remove(3);
  if (c.size() != 5) abort();
}

}  // namespace

int main() {
  trees();
  lists();
  std::set<int> seen;
  seen.insert(1);
  const std::_Rb_tree_node_base* header = seen.end()._M_node;
  printf("header=%p node=%p\n", static_cast<const void*>(header),
         static_cast<const void*>(seen.begin()._M_node));
  return 0;
}
