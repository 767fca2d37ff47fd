// Synthetic traces with a known verdict.
//
// Model. Thread T0 writes the read-only variables, forks the others, works with them and joins them
// at the end. A thread's work is a sequence of units, each a transaction or a stretch of unary
// events; a unit is a sequence of sections: accesses under a lock to variables that this lock
// guards, or accesses without one to the thread's own or to read-only variables. Threads are
// interleaved in bursts, so that many transactions are open at one time and depend on each other.
//
// Serializable by construction (timestamp order): a transaction is stamped when it begins, a unary
// event when it happens. A lock remembers the latest stamp that used it, and a transaction takes a
// lock only if that stamp is not later than its own. So every dependence, data or synchronization,
// goes from an earlier stamp to a later one. The trace is free of data races, too: data that is
// shared and written is always accessed under its lock.
//
// A violation is one lost update, injected where it was asked for, in two threads that are outside
// any transaction: T reads x in one locked section, U writes x, T writes x in a second section of
// the same transaction. It is a violation with and without synchronization edges, and the only one.
//
// The same parameters give the same trace everywhere. Memory does not grow with the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "event/source.h"

namespace isosan {

struct GeneratorOptions {
  std::uint64_t events = 1'000'000;  // exactly so many
  std::uint32_t threads = 8;
  std::uint32_t variables = 992;
  std::uint32_t locks = 16;
  std::uint64_t seed = 1;
  std::optional<double> violation_at;  // percent of the trace; none: serializable
  bool long_transaction = false;       // the last thread is in one transaction from start to end
  double unary = 0.1;                  // fraction of the accesses that are outside transactions
  bool nested = false;                 // regions inside regions
};

// Options that cannot be satisfied: an error of the user, in one line.
class GeneratorError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

class Generator final : public EventSource {
 public:
  explicit Generator(const GeneratorOptions& options);  // throws GeneratorError

  std::span<const Event> next() override;
  const Tables& tables() const override { return tables_; }

  // Ordinal of the event that closes the cycle with synchronization edges on; known once it was
  // handed out.
  std::optional<std::uint64_t> violation_ordinal() const { return violation_ordinal_; }

 private:
  struct Worker {
    std::uint32_t region = 0;        // of the last transaction
    std::uint32_t depth = 0;         // open regions; 0: outside any transaction
    std::uint64_t stamp = 0;         // of the open transaction
    std::uint32_t unit_left = 0;     // accesses until the unit ends; 0: idle
    std::uint32_t section_left = 0;  // accesses until the section ends
    std::int32_t lock = kNone;       // held
    std::uint32_t place = 0;         // step within the unit: chooses the site
    bool for_ever = false;           // the long transaction
  };
  struct Lock {
    std::int32_t holder = kNone;
    std::uint64_t stamp = 0;  // the latest that used it
  };
  static constexpr std::int32_t kNone = -1;

  void check_options() const;
  void make_tables();
  std::uint32_t random(std::uint32_t below);
  bool chance(double probability) { return random(1u << 20) < probability * (1u << 20); }

  // Each of these emits one event, inject() all of the violation.
  void step();
  void start_up();
  void work(std::uint32_t thread);
  void access(std::uint32_t thread);
  void close_two_and_inject();
  void inject();
  void close_all();
  bool close_one(std::uint32_t thread);  // one event towards being idle; false: it is idle
  bool take_lock(std::uint32_t thread);  // emits one event, or none if it returns false
  bool nest(std::uint32_t thread);       // likewise

  std::uint32_t pick_thread();
  std::uint64_t room() const { return options_.events - emitted_ - closing_; }
  void emit(Kind kind, std::uint32_t thread, Address address, std::uint64_t size, SiteId site);
  void begin(std::uint32_t thread);
  void end(std::uint32_t thread);
  void acquire(std::uint32_t thread, std::uint32_t lock);
  void release(std::uint32_t thread);
  void access_variable(std::uint32_t thread, Kind kind, std::uint32_t variable);
  void stamp_lock(const Worker& worker);

  GeneratorOptions options_;
  Tables tables_;
  std::vector<Event> batch_;
  std::uint64_t random_state_;
  std::uint64_t emitted_ = 0;
  std::uint64_t closing_ = 0;  // events still needed to release, end and join everything
  std::uint64_t stamp_ = 0;
  std::vector<Worker> workers_;
  std::vector<Lock> locks_;
  std::uint32_t guarded_ = 0;    // variables [0, guarded_): variable v by lock v mod locks
  std::uint32_t read_only_ = 0;  // [guarded_, guarded_ + read_only_); the rest belongs to threads
  std::uint32_t written_ = 0;    // read-only variables initialised so far
  std::uint32_t forked_ = 1;     // threads started so far, T0 included
  std::uint32_t joined_ = 1;
  std::uint32_t current_ = 0;  // the thread whose burst is running
  std::uint32_t burst_left_ = 0;
  std::optional<std::uint64_t> violation_due_;  // the ordinal at which it is still to be injected
  std::optional<std::uint64_t> violation_ordinal_;
};

}  // namespace isosan
