#include <gtest/gtest.h>

#include "cart.h"
#include "correct.h"
#include "inventory.h"
#include "two_threads.h"
#include "wallet.h"

TEST(Inventory, SellsWhatItHas) {
  shop::Inventory inventory(2);
  EXPECT_TRUE(inventory.order());
  EXPECT_EQ(inventory.stock(), 1);
}

TEST(Inventory, SellsTheLastPieceOnce) {
  shop::Inventory inventory(1);
  at_one_time([&] { inventory.order(); }, [&] { inventory.order(); });
  EXPECT_EQ(inventory.stock(), 0);
}

TEST(Inventory, NeverOwesAnything) {
  shop::Inventory inventory(1);
  bool first = false, second = false;
  at_one_time([&] { first = inventory.order(); }, [&] { second = inventory.order(); });
  EXPECT_NE(first, second);
}

TEST(Wallet, KeepsBothDeposits) {
  shop::Wallet wallet;
  at_one_time([&] { wallet.deposit(10); }, [&] { wallet.deposit(20); });
  EXPECT_EQ(wallet.balance(), 30);
}

TEST(Cart, BillsWhatIsInIt) {
  shop::Cart cart;
  shop::Cart::Bill bill;
  at_one_time([&] { cart.add(5); }, [&] { bill = cart.bill(); });
  EXPECT_EQ(bill.sum, 5 * bill.items);
}

TEST(Shelf, SellsTheLastPieceOnce) {
  shop::Shelf shelf(1);
  at_one_time([&] { shelf.take(); }, [&] { shelf.take(); });
  EXPECT_EQ(shelf.stock(), 0);
}

TEST(CashRegister, KeepsBothPayments) {
  shop::CashRegister cash;
  at_one_time([&] { cash.pay(10); }, [&] { cash.pay(20); });
  EXPECT_EQ(cash.sum(), 30);
}

TEST(Catalog, HasOldOrNewPrice) {
  shop::Catalog catalog;
  catalog.set("tea", 3);
  int seen = 0;
  at_one_time([&] { catalog.set("tea", 4); }, [&] { seen = catalog.price("tea"); });
  EXPECT_TRUE(seen == 3 || seen == 4);
}
