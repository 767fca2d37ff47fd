#include <gtest/gtest.h>

#include "correct.h"
#include "ledger.h"
#include "order_queue.h"
#include "two_threads.h"

TEST(Ledger, LosesNoMoney) {
  shop::Ledger ledger;
  at_one_time([&] { ledger.transfer(0, 1, 10); }, [&] { ledger.transfer(1, 0, 20); });
  EXPECT_EQ(ledger.total(), 200);
}

TEST(OrderQueue, EverybodyGetsAnOrder) {
  shop::OrderQueue queue;
  int first = 0, second = 0;
  std::thread packer([&] { first = queue.pop(); });
  std::thread other([&] { second = queue.pop(); });
  queue.push(1);
  queue.push(2);
  packer.join();
  other.join();
  EXPECT_EQ(first + second, 3);
}

TEST(Vault, LosesNoMoney) {
  shop::Vault vault;
  at_one_time([&] { vault.move(0, 1, 10); }, [&] { vault.move(1, 0, 20); });
  EXPECT_EQ(vault.total(), 200);
}

TEST(Deliveries, EverybodyGetsOne) {
  shop::Deliveries deliveries;
  int first = 0, second = 0;
  std::thread driver([&] { first = deliveries.pop(); });
  std::thread other([&] { second = deliveries.pop(); });
  deliveries.push(1);
  deliveries.push(2);
  driver.join();
  other.join();
  EXPECT_EQ(first + second, 3);
}
