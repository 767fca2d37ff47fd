// Walks beside each other, as over the columns of a matrix: one looks only at blocks of 512 bytes
// that the one before it did not come to.
#include <gtest/gtest.h>

#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

class Walks : public testing::Test {
 protected:
  static constexpr std::uint64_t kStride = 520, kColumn = 3;

  static std::string cell(std::uint64_t number) { return std::to_string(number); }
  static std::vector<std::string> cells() {
    std::vector<std::string> names;
    for (std::uint64_t i = 0; i < 256; ++i) names.push_back(cell(i));
    return names;
  }
  void read_column(int t, std::uint64_t first) {
    p.walk(Kind::kRead, t, array, cell(first), {8, kColumn, kStride});
  }

  Program p;
  const FunctionId f = p.method("C::f");
  const Program::Object array = p.object("C", cells());  // begins a block
};

TEST_F(Walks, OneThatComesToAnotherBlockIsSeenThere) {
  p.call(1, f, array);
  read_column(1, 63);
  read_column(1, 64);  // of another block than 63
  p.call(2, f, array).write(2, array, cell(64)).write(2, array, cell(200)).ret(2);
  p.read(1, array, cell(200)).ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST_F(Walks, OneThatIsFurtherFromTheOthersIsKept) {
  p.call(1, f, array);
  for (const std::uint64_t first : {0, 1, 3}) read_column(1, first);
  p.call(2, f, array).write(2, array, cell(3)).write(2, array, cell(200)).ret(2);
  p.read(1, array, cell(200)).ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST_F(Walks, OfAFinishedUnitAreAllMetByOthers) {
  p.call(2, f, array).write(2, array, cell(200));
  p.call(1, f, array).read(1, array, cell(200));
  for (const std::uint64_t first : {0, 1, 2}) read_column(1, first);
  p.ret(1).write(2, array, cell(2)).ret(2);
  EXPECT_EQ(p.findings().size(), 1u);
}

TEST_F(Walks, OneThatLeavesItsObjectIsOfTheUnitOfTheOther) {
  const FunctionId g = p.method("D::g");
  const Program::Object other{array.address + 8 * array.fields.size(), "D", {"x", "y"}};
  p.tables().symbols.push_back({other.address, 16, "other"});
  p.call(1, g, other).call(1, f, array);
  read_column(1, 125);
  read_column(1, 126);  // the last is other.x
  p.call(2, g, other).write(2, other, "x").write(2, other, "y").ret(2);
  p.ret(1).read(1, other, "y").ret(1);
  EXPECT_EQ(p.findings().size(), 1u);
}

}  // namespace
}  // namespace isosan::test
