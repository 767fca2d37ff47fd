#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "correct.h"
#include "coupon.h"
#include "price_cache.h"
#include "two_threads.h"

TEST_CASE("a price is loaded once") {
  shop::PriceCache cache;
  at_one_time([&] { cache.price(); }, [&] { cache.price(); });
  CHECK(cache.loads() == 1);
}

TEST_CASE("a coupon is good for one") {
  shop::Coupon coupon;
  bool first = false, second = false;
  at_one_time([&] { first = coupon.redeem(); }, [&] { second = coupon.redeem(); });
  CHECK(first != second);
}

TEST_CASE("a rate is loaded once") {
  shop::Rates rates;
  at_one_time([&] { rates.rate(); }, [&] { rates.rate(); });
  CHECK(rates.loads() == 1);
}

TEST_CASE("a voucher is good for one, too") {
  shop::Voucher voucher;
  bool first = false, second = false;
  at_one_time([&] { first = voucher.redeem(); }, [&] { second = voucher.redeem(); });
  CHECK(first != second);
}

TEST_CASE("every visitor counts") {
  shop::Visitors visitors;
  at_one_time([&] { visitors.enter(); }, [&] { visitors.enter(); });
  CHECK(visitors.count() == 2);
}
