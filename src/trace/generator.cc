#include "trace/generator.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/stream/implied.h"
#include "trace/stream/trace_source.h"

namespace isosan {

namespace {

// The static program: regions, each with some places, each place with a site per operation.
constexpr std::uint32_t kRegions = 24;
constexpr std::uint32_t kPlaces = 8;
constexpr std::uint32_t kOperations = 4;
constexpr std::uint32_t kEdges = 2;  // begin and end of the region
constexpr std::uint32_t kSitesPerRegion = kPlaces * kOperations + kEdges;

constexpr std::uint32_t kMaxUnit = 12;  // accesses
constexpr std::uint32_t kMaxSection = 4;
constexpr std::uint32_t kMaxBurst = 8;  // events of one thread in a row
constexpr std::uint32_t kFirstBurst = 16;
constexpr std::uint32_t kMaxDepth = 4;
constexpr double kLockedSections = 0.6;
constexpr double kWrites = 0.35;
constexpr int kLockTries = 3;
constexpr std::uint64_t kViolationEvents = 13;
constexpr std::uint32_t kReader = 0;  // the threads of the violation; the last is the long one
constexpr std::uint32_t kWriter = 1;

// Region 0 is the code outside all regions.
SiteId site_at(std::uint32_t region, std::uint32_t place, Kind kind) {
  std::uint32_t operation = 0;
  if (kind == Kind::kWrite) operation = 1;
  if (kind == Kind::kAcquire || kind == Kind::kFork) operation = 2;
  if (kind == Kind::kRelease || kind == Kind::kJoin) operation = 3;
  return SiteId{1 + region * kSitesPerRegion + kEdges + (place % kPlaces) * kOperations +
                operation};
}
SiteId edge_site(std::uint32_t region, Kind kind) {
  return SiteId{1 + region * kSitesPerRegion + (kind == Kind::kBegin ? 0 : 1)};
}

}  // namespace

Generator::Generator(const GeneratorOptions& options)
    : options_(options), random_state_(options.seed), locks_(options.locks) {
  check_options();
  const std::uint32_t variables = options.variables;
  guarded_ = options.locks > 0 ? variables / 2 : 0;
  const std::uint64_t initialised = std::max<std::uint64_t>(1, options.events / 20);
  read_only_ = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::max<std::uint32_t>(1, variables / 4), initialised));
  closing_ = options.threads - 1;
  workers_.resize(options.threads);
  workers_.back().for_ever = options.long_transaction;
  if (options.violation_at) {
    violation_due_ = static_cast<std::uint64_t>(*options.violation_at / 100 *
                                                static_cast<double>(options.events));
  }
  const std::uint64_t least = read_only_ + 2 * closing_ + (options.long_transaction ? 2 : 0) +
                              (options.violation_at ? kViolationEvents : 0);
  if (options.events < least) {
    throw GeneratorError(
        fmt::format("{} events are too few for these parameters: at least {} are needed",
                    options.events, least));
  }
  batch_.reserve(kBatchEvents + kViolationEvents);
  make_tables();
}

void Generator::check_options() const {
  const auto need = [](bool holds, const char* what) {
    if (!holds) throw GeneratorError(what);
  };
  need(options_.threads >= 1 && options_.threads <= 65536, "threads must be from 1 to 65536");
  need(options_.variables >= 2 && options_.variables <= 100'000'000,
       "variables must be from 2 to 100000000");
  need(options_.locks <= 1'000'000, "locks must be at most 1000000");
  need(options_.unary >= 0 && options_.unary <= 1, "the unary fraction must be from 0 to 1");
  if (!options_.violation_at) return;
  need(*options_.violation_at >= 0 && *options_.violation_at <= 100,
       "the position of the violation is a percentage: 0 to 100");
  need(options_.threads >= 2, "a violation needs at least 2 threads");
  need(options_.threads >= 3 || !options_.long_transaction,
       "a violation beside a long transaction needs at least 3 threads");
  need(options_.locks >= 1, "a violation needs at least 1 lock");
}

void Generator::make_tables() {
  for (std::uint32_t t = 0; t < options_.threads; ++t) {
    tables_.threads.push_back({.birth_path = t == 0 ? "0" : fmt::format("0.{}", t - 1),
                               .name = fmt::format("T{}", t),
                               .parent = ThreadId{0}});
  }
  for (std::uint32_t loc = 1; loc <= (kRegions + 1) * kSitesPerRegion; ++loc) {
    tables_.sites.push_back({.line = loc});
  }
  for (std::uint32_t r = 1; r <= kRegions; ++r) {
    const SiteId site = edge_site(r, Kind::kBegin);
    tables_.regions.push_back({.kind = RegionKind::kAtomic,
                               .name = fmt::format("region@{}", index(site)),
                               .function = kNoFunction,
                               .site = site});
  }
  for (std::uint32_t v = 0; v < options_.variables; ++v) {
    tables_.symbols.push_back({Implied::variable_address(v), kVariableSize, fmt::format("V{}", v)});
  }
  for (std::uint32_t l = 0; l < options_.locks; ++l) {
    tables_.symbols.push_back({Implied::lock_address(l), kVariableSize, fmt::format("L{}", l)});
  }
}

// SplitMix64: works with every seed.
std::uint32_t Generator::random(std::uint32_t below) {
  std::uint64_t z = (random_state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(((z >> 32) * below) >> 32);
}

std::span<const Event> Generator::next() {
  batch_.clear();
  while (batch_.size() < kBatchEvents && emitted_ < options_.events) step();
  return batch_;
}

void Generator::step() {
  if (written_ < read_only_ || forked_ < options_.threads) return start_up();
  if (violation_due_ && (emitted_ >= *violation_due_ || room() <= kViolationEvents + 1)) {
    return close_two_and_inject();
  }
  if (room() == 0) return close_all();
  work(pick_thread());
}

void Generator::start_up() {
  if (written_ < read_only_) return access_variable(0, Kind::kWrite, guarded_ + written_++);
  emit(Kind::kFork, 0, forked_, 0, site_at(0, 0, Kind::kFork));
  if (++forked_ == options_.threads) {  // the long transaction begins first
    current_ = options_.threads - 1;
    burst_left_ = kFirstBurst;
  }
}

std::uint32_t Generator::pick_thread() {
  if (burst_left_ == 0) {
    current_ = random(options_.threads);
    burst_left_ = 1 + random(kMaxBurst);
  }
  --burst_left_;
  return current_;
}

void Generator::work(std::uint32_t thread) {
  Worker& worker = workers_[thread];
  const bool may_open = room() >= 2;  // an opening event needs a closing one
  if (worker.for_ever) {
    if (worker.depth == 0 && may_open) return begin(thread);
    if (worker.unit_left == 0) worker.unit_left = kMaxUnit;
  }
  if (worker.unit_left == 0) {
    if (close_one(thread)) return;
    worker.unit_left = 2 + random(kMaxUnit - 1);
    worker.section_left = 0;
    worker.place = 0;
    if (!chance(options_.unary) && may_open) return begin(thread);
  }
  if (worker.section_left == 0) {
    if (worker.lock != kNone) return release(thread);
    if (options_.nested && may_open && nest(thread)) return;
    worker.section_left = std::min(worker.unit_left, 1 + random(kMaxSection));
    if (may_open && chance(kLockedSections) && take_lock(thread)) return;
  }
  access(thread);
}

bool Generator::nest(std::uint32_t thread) {
  const std::uint32_t depth = workers_[thread].depth;
  if (depth == 0 || !chance(0.25)) return false;
  if (depth > 1 && (depth == kMaxDepth || chance(0.5))) {
    end(thread);
  } else {
    begin(thread);
  }
  return true;
}

// Timestamp order: a transaction may take a lock that no later stamp has used.
bool Generator::take_lock(std::uint32_t thread) {
  const std::uint32_t usable = std::min(options_.locks, guarded_);  // the others guard nothing
  if (usable == 0) return false;
  const Worker& worker = workers_[thread];
  for (int i = 0; i < kLockTries; ++i) {
    const std::uint32_t number = random(usable);
    const Lock& lock = locks_[number];
    if (lock.holder != kNone) continue;
    if (worker.depth > 0 && lock.stamp > worker.stamp) continue;
    acquire(thread, number);
    return true;
  }
  return false;
}

void Generator::access(std::uint32_t thread) {
  Worker& worker = workers_[thread];
  const Kind kind = chance(kWrites) ? Kind::kWrite : Kind::kRead;
  const std::uint32_t first_own = guarded_ + read_only_;
  const std::uint32_t owned = options_.variables - first_own;
  --worker.section_left;
  --worker.unit_left;
  if (worker.lock != kNone) {
    const auto lock = static_cast<std::uint32_t>(worker.lock);
    const std::uint32_t guarded_by_it = (guarded_ - lock + options_.locks - 1) / options_.locks;
    access_variable(thread, kind, lock + random(guarded_by_it) * options_.locks);
  } else if (thread < owned && chance(0.5)) {
    const std::uint32_t own = (owned - thread + options_.threads - 1) / options_.threads;
    access_variable(thread, kind, first_own + thread + random(own) * options_.threads);
  } else {
    access_variable(thread, Kind::kRead, guarded_ + random(read_only_));
  }
}

bool Generator::close_one(std::uint32_t thread) {
  Worker& worker = workers_[thread];
  worker.unit_left = worker.section_left = 0;
  if (worker.lock != kNone) {
    release(thread);
  } else if (worker.depth > 0) {
    end(thread);
  } else {
    return false;
  }
  return true;
}

// Ends the transactions of the two threads and releases lock 0, then injects the violation.
void Generator::close_two_and_inject() {
  if (close_one(kReader) || close_one(kWriter)) return;
  if (locks_[0].holder != kNone) {
    const auto holder = static_cast<std::uint32_t>(locks_[0].holder);
    workers_[holder].section_left = 0;
    return release(holder);
  }
  inject();
}

void Generator::inject() {
  constexpr std::uint32_t kVariable = 0;  // guarded by lock 0
  violation_due_.reset();
  begin(kReader);
  acquire(kReader, 0);
  access_variable(kReader, Kind::kRead, kVariable);
  release(kReader);
  begin(kWriter);
  acquire(kWriter, 0);
  access_variable(kWriter, Kind::kWrite, kVariable);
  release(kWriter);
  end(kWriter);
  violation_ordinal_ = emitted_;
  acquire(kReader, 0);
  access_variable(kReader, Kind::kWrite, kVariable);
  release(kReader);
  end(kReader);
}

// T0 first: a join inside a transaction would order what came before it after the transaction.
void Generator::close_all() {
  if (close_one(0) || close_one(joined_)) return;
  --closing_;
  emit(Kind::kJoin, 0, joined_++, 0, site_at(0, 0, Kind::kJoin));
}

void Generator::emit(Kind kind, std::uint32_t thread, Address address, std::uint64_t size,
                     SiteId site) {
  batch_.push_back(
      {.kind = kind, .thread = ThreadId{thread}, .address = address, .size = size, .site = site});
  ++emitted_;
}

void Generator::begin(std::uint32_t thread) {
  Worker& worker = workers_[thread];
  if (worker.depth++ == 0) {
    worker.region = 1 + random(kRegions);
    worker.stamp = ++stamp_;
  }
  ++closing_;
  emit(Kind::kBegin, thread, 0, worker.region, edge_site(worker.region, Kind::kBegin));
}

void Generator::end(std::uint32_t thread) {
  Worker& worker = workers_[thread];
  --worker.depth;
  --closing_;
  emit(Kind::kEnd, thread, 0, worker.region, edge_site(worker.region, Kind::kEnd));
}

void Generator::stamp_lock(const Worker& worker) {
  Lock& lock = locks_[static_cast<std::uint32_t>(worker.lock)];
  lock.stamp = std::max(lock.stamp, worker.depth > 0 ? worker.stamp : ++stamp_);
}

void Generator::acquire(std::uint32_t thread, std::uint32_t lock) {
  Worker& worker = workers_[thread];
  worker.lock = static_cast<std::int32_t>(lock);
  locks_[lock].holder = static_cast<std::int32_t>(thread);
  stamp_lock(worker);
  ++closing_;
  const std::uint32_t region = worker.depth > 0 ? worker.region : 0;
  emit(Kind::kAcquire, thread, Implied::lock_address(lock), 0,
       site_at(region, worker.place++, Kind::kAcquire));
}

void Generator::release(std::uint32_t thread) {
  Worker& worker = workers_[thread];
  const auto lock = static_cast<std::uint32_t>(worker.lock);
  stamp_lock(worker);
  worker.lock = kNone;
  locks_[lock].holder = kNone;
  --closing_;
  const std::uint32_t region = worker.depth > 0 ? worker.region : 0;
  emit(Kind::kRelease, thread, Implied::lock_address(lock), 0,
       site_at(region, worker.place++, Kind::kRelease));
}

void Generator::access_variable(std::uint32_t thread, Kind kind, std::uint32_t variable) {
  Worker& worker = workers_[thread];
  const std::uint32_t region = worker.depth > 0 ? worker.region : 0;
  emit(kind, thread, Implied::variable_address(variable), kVariableSize,
       site_at(region, worker.place++, kind));
}

}  // namespace isosan
