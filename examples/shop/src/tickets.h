// BUG: no lock at all.
#pragma once

namespace shop {

class Tickets {
 public:
  int take() { return ++last_; }

 private:
  int last_ = 0;
};

}  // namespace shop
