// Looks at the test program itself, which calls pthread's functions as imports.
#include "live/code_traits.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <filesystem>
#include <string>

// No optimisation may change who calls whom.
#define KEPT __attribute__((noinline, noclone, used))

namespace {
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
std::atomic<int> value;
}  // namespace

extern "C" {
KEPT void isosan_test_locks() {
  pthread_mutex_lock(&mutex);
  ++value;
  pthread_mutex_unlock(&mutex);
}
KEPT void isosan_test_waits() {
  pthread_cond_wait(&condition, &mutex);
  ++value;
}
KEPT void isosan_test_waits_deep() {
  isosan_test_waits();
  ++value;
}
KEPT void isosan_test_notifies() {
  pthread_cond_signal(&condition);
  ++value;
}
KEPT void isosan_test_notifies_deep() {
  isosan_test_notifies();
  ++value;
}
KEPT void isosan_test_one_step() {
  isosan_test_locks();
  ++value;
}
KEPT void isosan_test_two_steps() {
  isosan_test_locks();
  ++value;
  isosan_test_locks();
  ++value;
}
KEPT void isosan_test_calls_two_pointers(void (*a)(), void (*b)()) {
  a();
  b();
  ++value;
}
KEPT void isosan_test_calls_library(char* text) {
  ++value;
  std::string first(text), second(text);
  value = static_cast<int>(first.size() + second.size());
}
KEPT static void isosan_test_job() { ++value; }
KEPT void* isosan_test_body(void*) {
  ++value;
  return nullptr;
}
KEPT void isosan_test_starts() {
  pthread_t thread;
  pthread_create(&thread, nullptr, isosan_test_body, nullptr);
  pthread_join(thread, nullptr);
  isosan_test_body(nullptr);
}
}
std::atomic<void (*)()> isosan_test_pointer{isosan_test_job};

struct IsosanTestStock {
  KEPT void order() { isosan_test_locks_stock(); }
  KEPT int count() const { return value; }
  KEPT void isosan_test_locks_stock() {
    pthread_mutex_lock(&mutex);
    ++value;
    pthread_mutex_unlock(&mutex);
  }
};
KEPT int isosan_test_use_of_stock(IsosanTestStock& stock) {
  stock.order();
  return stock.count();
}

namespace isosan {
namespace {

class CodeTraitsTest : public testing::Test {
 protected:
  CodeTraits of(std::string_view linkage_name) const {
    for (const ElfSymbol& symbol : file_.symbols(SymbolKind::kFunction))
      if (symbol.name == linkage_name) return traits_.at(symbol.address);
    ADD_FAILURE() << linkage_name << " is not in the program";
    return {};
  }

 private:
  ElfFile file_{std::filesystem::read_symlink("/proc/self/exe")};
  const absl::flat_hash_map<std::uint64_t, CodeTraits> traits_ = code_traits(file_);
};

TEST_F(CodeTraitsTest, AFunctionThatTakesALockIsAnOperation) {
  EXPECT_TRUE(of("isosan_test_locks").synchronizes);
  EXPECT_TRUE(of("isosan_test_locks").deals);
  EXPECT_FALSE(of("isosan_test_locks").waits_or_notifies);
}

TEST_F(CodeTraitsTest, CallersOfAFunctionThatWaitsWaitButThoseOfOneThatNotifiesDoNot) {
  EXPECT_TRUE(of("isosan_test_waits").waits_or_notifies);
  EXPECT_TRUE(of("isosan_test_waits_deep").waits_or_notifies);
  EXPECT_TRUE(of("isosan_test_notifies").waits_or_notifies);
  EXPECT_FALSE(of("isosan_test_notifies_deep").waits_or_notifies);
}

TEST_F(CodeTraitsTest, TwoCallsOfWhatDealsDeal) {
  EXPECT_FALSE(of("isosan_test_one_step").deals);
  EXPECT_TRUE(of("isosan_test_two_steps").deals);
  EXPECT_TRUE(of("isosan_test_calls_two_pointers").deals);
  EXPECT_FALSE(of("isosan_test_calls_library").deals);
}

TEST_F(CodeTraitsTest, AFunctionThatIsOnlyHandedAroundIsAJob) {
  EXPECT_TRUE(of("isosan_test_job").thread_entry);
  EXPECT_FALSE(of("isosan_test_locks").thread_entry);
}

TEST_F(CodeTraitsTest, WhatAThreadIsStartedWithIsAnEntryEvenIfItIsCalledToo) {
  EXPECT_TRUE(of("isosan_test_body").thread_entry);
  EXPECT_TRUE(of("isosan_test_starts").waits_or_notifies);
  EXPECT_FALSE(of("isosan_test_starts").thread_entry);
}

TEST_F(CodeTraitsTest, MembersOfAClassThatLocksAreOperations) {
  EXPECT_TRUE(of("_ZNK15IsosanTestStock5countEv").deals);
}

}  // namespace
}  // namespace isosan
