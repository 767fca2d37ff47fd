// The parts of libstdc++ that are compiled into its shared library: without them std::map, std::set
// and std::list lose most of their writes. Same layout, same results, every access checked on
// behalf of the caller. Red-black trees as in Cormen et al.; std::list is a ring of links.
//
// A program with -static-libstdc++ has its own copies: those accesses are not seen.
#include "runtime/front/checked.h"
#include "runtime/front/intercept/intercept.h"

namespace std {
namespace __detail {

struct _List_node_base {
  _List_node_base* _M_next;
  _List_node_base* _M_prev;

  [[gnu::visibility("default")]] static void swap(_List_node_base& x, _List_node_base& y) noexcept;
  [[gnu::visibility("default")]] void _M_transfer(_List_node_base* first,
                                                  _List_node_base* last) noexcept;
  [[gnu::visibility("default")]] void _M_reverse() noexcept;
  [[gnu::visibility("default")]] void _M_hook(_List_node_base* position) noexcept;
  [[gnu::visibility("default")]] void _M_unhook() noexcept;
};

}  // namespace __detail

struct _Rb_tree_node_base {
  int _M_color;  // 0 red, 1 black
  _Rb_tree_node_base* _M_parent;
  _Rb_tree_node_base* _M_left;
  _Rb_tree_node_base* _M_right;
};

}  // namespace std

namespace isosan::rt {
namespace {

using Link = std::__detail::_List_node_base;
using Node = std::_Rb_tree_node_base;

constexpr int kRed = 0;
constexpr int kBlack = 1;

template <class T>
class Checked {  // every read and write through here is an access of the program at `pc`
 public:
  Checked(T& field, std::uint64_t pc) : field_(field), pc_(pc) {}
  operator T() const {
    check<sizeof(T), Need::kRead>(&field_, pc_);
    return field_;
  }
  Checked& operator=(T value) {
    check<sizeof(T), Need::kWrite>(&field_, pc_);
    field_ = value;
    return *this;
  }
  Checked& operator=(const Checked& other) { return *this = static_cast<T>(other); }
  Checked(const Checked&) = default;

 private:
  T& field_;
  std::uint64_t pc_;
};

class Tree {
 public:
  Tree(Node& header, std::uint64_t pc) : header_(header), pc_(pc) {}

  Checked<int> color(Node* n) const { return {n->_M_color, pc_}; }
  Checked<Node*> parent(Node* n) const { return {n->_M_parent, pc_}; }
  Checked<Node*> left(Node* n) const { return {n->_M_left, pc_}; }
  Checked<Node*> right(Node* n) const { return {n->_M_right, pc_}; }
  Checked<Node*> child(Node* n, bool on_left) const { return on_left ? left(n) : right(n); }
  Checked<Node*> root() const { return {header_._M_parent, pc_}; }
  Checked<Node*> leftmost() const { return {header_._M_left, pc_}; }
  Checked<Node*> rightmost() const { return {header_._M_right, pc_}; }
  bool is_black(Node* n) const { return n == nullptr || color(n) == kBlack; }

  void insert(bool on_left, Node* x, Node* p) {
    parent(x) = p;
    left(x) = nullptr;
    right(x) = nullptr;
    color(x) = kRed;
    if (p == &header_) {
      root() = x;
      leftmost() = x;
      rightmost() = x;
    } else {
      child(p, on_left) = x;
      if (on_left && p == leftmost()) leftmost() = x;
      if (!on_left && p == rightmost()) rightmost() = x;
    }
    restore_after_insert(x);
  }

  // Takes z out; returns the node that its memory belongs to (always z: the nodes move, not
  // values).
  Node* erase(Node* z) {
    if (z == leftmost()) leftmost() = right(z) != nullptr ? lowest(right(z)) : Node_ptr(parent(z));
    if (z == rightmost()) rightmost() = left(z) != nullptr ? highest(left(z)) : Node_ptr(parent(z));
    Node* replacement;
    Node* replacement_parent;
    int removed_color;
    Node* const l = left(z);
    Node* const r = right(z);
    if (l == nullptr || r == nullptr) {
      replacement = l == nullptr ? r : l;
      replacement_parent = parent(z);
      removed_color = color(z);
      put_in_place_of(z, replacement);
      if (replacement != nullptr) parent(replacement) = replacement_parent;
    } else {
      Node* const successor = lowest(r);
      removed_color = color(successor);
      replacement = right(successor);
      if (successor == r) {
        replacement_parent = successor;
      } else {
        replacement_parent = parent(successor);
        left(replacement_parent) = replacement;
        if (replacement != nullptr) parent(replacement) = replacement_parent;
        right(successor) = r;
        parent(r) = successor;
      }
      put_in_place_of(z, successor);
      parent(successor) = parent(z);
      left(successor) = l;
      parent(l) = successor;
      color(successor) = color(z);
    }
    if (removed_color == kBlack) restore_after_erase(replacement, replacement_parent);
    return z;
  }

  Node* next(Node* x) {
    if (right(x) != nullptr) return lowest(right(x));
    Node* p = parent(x);
    while (x == right(p)) {
      x = p;
      p = parent(p);
    }
    return right(x) != p ? p : x;  // x is the header when the tree is a single node
  }

  Node* previous(Node* x) {
    if (color(x) == kRed && parent(parent(x)) == x) return right(x);  // the header: behind the last
    if (left(x) != nullptr) return highest(left(x));
    Node* p = parent(x);
    while (x == left(p)) {
      x = p;
      p = parent(p);
    }
    return p;
  }

 private:
  static Node* Node_ptr(Node* n) { return n; }

  Node* lowest(Node* n) const {
    for (Node* l = left(n); l != nullptr; l = left(n)) n = l;
    return n;
  }
  Node* highest(Node* n) const {
    for (Node* r = right(n); r != nullptr; r = right(n)) n = r;
    return n;
  }

  // The link that pointed down to `old` points to `fresh`; the caller sets the parent link of
  // `fresh`.
  void put_in_place_of(Node* old, Node* fresh) {
    Node* const p = parent(old);
    if (root() == old) {
      root() = fresh;
    } else {
      child(p, left(p) == old) = fresh;
    }
  }

  // The child on the other side comes up, n goes down to the side `to_left`.
  void rotate(Node* n, bool to_left) {
    Node* const up = child(n, !to_left);
    Node* const middle = child(up, to_left);
    child(n, !to_left) = middle;
    if (middle != nullptr) parent(middle) = n;
    put_in_place_of(n, up);
    parent(up) = parent(n);
    child(up, to_left) = n;
    parent(n) = up;
  }

  void restore_after_insert(Node* x) {
    while (x != root() && color(parent(x)) == kRed) {
      Node* p = parent(x);
      Node* const grandparent = parent(p);
      const bool on_left = left(grandparent) == p;
      Node* const uncle = child(grandparent, !on_left);
      if (!is_black(uncle)) {
        color(p) = kBlack;
        color(uncle) = kBlack;
        color(grandparent) = kRed;
        x = grandparent;
        continue;
      }
      if (x == child(p, !on_left)) {
        x = p;
        rotate(x, on_left);
        p = parent(x);
      }
      color(p) = kBlack;
      color(grandparent) = kRed;
      rotate(grandparent, !on_left);
    }
    color(root()) = kBlack;
  }

  // x (may be null) below p carries one black too few.
  void restore_after_erase(Node* x, Node* p) {
    while (x != root() && is_black(x)) {
      const bool on_left = left(p) == x;
      Node* sibling = child(p, !on_left);
      if (color(sibling) == kRed) {
        color(sibling) = kBlack;
        color(p) = kRed;
        rotate(p, on_left);
        sibling = child(p, !on_left);
      }
      if (is_black(child(sibling, on_left)) && is_black(child(sibling, !on_left))) {
        color(sibling) = kRed;
        x = p;
        p = parent(p);
        continue;
      }
      if (is_black(child(sibling, !on_left))) {
        color(child(sibling, on_left)) = kBlack;
        color(sibling) = kRed;
        rotate(sibling, !on_left);
        sibling = child(p, !on_left);
      }
      color(sibling) = color(p);
      color(p) = kBlack;
      color(child(sibling, !on_left)) = kBlack;
      rotate(p, on_left);
      break;
    }
    if (x != nullptr) color(x) = kBlack;
  }

  Node& header_;
  std::uint64_t pc_;
};

class Ring {
 public:
  explicit Ring(std::uint64_t pc) : pc_(pc) {}
  Checked<Link*> next(Link* l) const { return {l->_M_next, pc_}; }
  Checked<Link*> previous(Link* l) const { return {l->_M_prev, pc_}; }

  void join(Link* first, Link* second) const {
    next(first) = second;
    previous(second) = first;
  }

 private:
  std::uint64_t pc_;
};

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

namespace std {

[[gnu::visibility("default")]] void _Rb_tree_insert_and_rebalance(
    bool on_left, _Rb_tree_node_base* x, _Rb_tree_node_base* p,
    _Rb_tree_node_base& header) noexcept {
  Tree(header, ISOSAN_CALLER).insert(on_left, x, p);
}
[[gnu::visibility("default")]] _Rb_tree_node_base* _Rb_tree_rebalance_for_erase(
    _Rb_tree_node_base* const z, _Rb_tree_node_base& header) noexcept {
  return Tree(header, ISOSAN_CALLER).erase(z);
}
[[gnu::visibility("default")]] _Rb_tree_node_base* _Rb_tree_increment(
    _Rb_tree_node_base* x) noexcept {
  return Tree(*x, ISOSAN_CALLER).next(x);
}
[[gnu::visibility("default")]] const _Rb_tree_node_base* _Rb_tree_increment(
    const _Rb_tree_node_base* x) noexcept {
  auto* node = const_cast<_Rb_tree_node_base*>(x);
  return Tree(*node, ISOSAN_CALLER).next(node);
}
[[gnu::visibility("default")]] _Rb_tree_node_base* _Rb_tree_decrement(
    _Rb_tree_node_base* x) noexcept {
  return Tree(*x, ISOSAN_CALLER).previous(x);
}
[[gnu::visibility("default")]] const _Rb_tree_node_base* _Rb_tree_decrement(
    const _Rb_tree_node_base* x) noexcept {
  auto* node = const_cast<_Rb_tree_node_base*>(x);
  return Tree(*node, ISOSAN_CALLER).previous(node);
}

namespace __detail {

void _List_node_base::_M_hook(_List_node_base* position) noexcept {
  const Ring ring(ISOSAN_CALLER);
  ring.join(ring.previous(position), this);
  ring.join(this, position);
}

void _List_node_base::_M_unhook() noexcept {
  const Ring ring(ISOSAN_CALLER);
  ring.join(ring.previous(this), ring.next(this));
}

// [first, last) moves in front of this.
void _List_node_base::_M_transfer(_List_node_base* first, _List_node_base* last) noexcept {
  if (this == last) return;
  const Ring ring(ISOSAN_CALLER);
  _List_node_base* const tail = ring.previous(last);
  ring.join(ring.previous(first), last);
  ring.join(ring.previous(this), first);
  ring.join(tail, this);
}

void _List_node_base::_M_reverse() noexcept {
  const Ring ring(ISOSAN_CALLER);
  _List_node_base* at = this;
  do {
    _List_node_base* const next = ring.next(at);
    ring.next(at) = ring.previous(at);
    ring.previous(at) = next;
    at = next;
  } while (at != this);
}

void _List_node_base::swap(_List_node_base& x, _List_node_base& y) noexcept {
  const Ring ring(ISOSAN_CALLER);
  const bool x_empty = ring.next(&x) == &x;
  const bool y_empty = ring.next(&y) == &y;
  _List_node_base* const x_first = ring.next(&x);
  _List_node_base* const x_last = ring.previous(&x);
  _List_node_base* const y_first = ring.next(&y);
  _List_node_base* const y_last = ring.previous(&y);
  if (y_empty) {
    ring.join(&x, &x);
  } else {
    ring.join(&x, y_first);
    ring.join(y_last, &x);
  }
  if (x_empty) {
    ring.join(&y, &y);
  } else {
    ring.join(&y, x_first);
    ring.join(x_last, &y);
  }
}

}  // namespace __detail
}  // namespace std
