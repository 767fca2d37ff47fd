// A target that writes what it likes into the shared log, as a list of bytes says: threads that
// start and end, units, positions, modules, walks, and plain scribbling.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "live/schedule_room.h"
#include "live/shared_log.h"

namespace isosan::fuzz {

class HostileTarget {
 public:
  HostileTarget(SharedLog& log, std::string_view script) : log_(log), script_(script) {}

  bool ended() const { return script_.empty(); }

  void step() {
    switch (number<std::uint8_t>() % 8) {
      case 0:
        return start();
      case 1:
      case 2:
        return append();
      case 3:
        return move_position();
      case 4:
        return change_state();
      case 5:
        return announce();
      case 6:
        return open_walk();
      default:
        return scribble();
    }
  }

 private:
  template <class Number>
  Number number() {
    Number value{};
    if (script_.empty()) return value;
    std::memcpy(&value, script_.data(), std::min(script_.size(), sizeof value));
    script_.remove_prefix(std::min(script_.size(), sizeof value));
    return value;
  }
  template <class Object>
  Object* at(std::uint64_t offset) {
    return reinterpret_cast<Object*>(log_.base() + offset);
  }
  log::ThreadBlock& block(std::uint32_t i) {
    return at<log::ThreadBlock>(log_.layout().blocks_offset)[i % log_.layout().max_threads];
  }

  void start() {
    log::ThreadBlock& b = block(number<std::uint8_t>());
    b.thread = number<std::uint8_t>();
    b.state = log::ThreadState::kLive;
  }
  void move_position() {
    log::ThreadBlock& b = block(number<std::uint8_t>());
    b.position = number<std::uint64_t>();
  }
  void change_state() {
    log::ThreadBlock& b = block(number<std::uint8_t>());
    b.state = static_cast<log::ThreadState>(number<std::uint8_t>());
  }
  void append() {
    const std::uint32_t i = number<std::uint8_t>() % log_.layout().max_threads;
    auto* ring = at<log::LogUnit>(log_.layout().rings_offset) + i * log_.layout().ring_units;
    for (int n = number<std::uint8_t>() % 16; n >= 0; --n) {
      ring[block(i).position++ % log_.layout().ring_units] = number<log::LogUnit>();
    }
  }
  void announce() {
    const std::uint32_t i = log_.header().modules_announced.load() % log_.layout().max_modules;
    log::ModuleRecord& record = at<log::ModuleRecord>(log_.layout().modules_offset)[i];
    record = {};
    record.base = number<std::uint32_t>();
    record.end = record.base + number<std::uint32_t>();
    record.function_count = number<std::uint16_t>();
    record.flags_offset = log_.layout().flags_area_offset + number<std::uint16_t>();
    record.instrumented = number<std::uint8_t>() % 2;
    constexpr const char* kPaths[] = {"/proc/self/exe", "/dev/null", "/proc/self/fd", "none"};
    const std::string_view path = kPaths[number<std::uint8_t>() % 4];
    record.path_length = static_cast<std::uint32_t>(path.copy(record.path, sizeof record.path));
    log_.header().modules_announced.fetch_add(1);
  }
  void open_walk() {
    log::ThreadBlock& b = block(number<std::uint8_t>());
    const std::uint32_t i = number<std::uint8_t>() % log::kWalks;
    b.open_walks |= std::uint64_t{1} << i;
    b.walks[i].place = number<std::uint64_t>();
    b.walks[i].next = number<std::uint64_t>();
    b.walks[i].stride = number<std::int32_t>();
    b.walks[i].count = number<std::uint16_t>();
    b.walks[i].size = number<std::uint16_t>();
  }
  // Anywhere: in the header, the blocks, the modules, the schedule.
  void scribble() {
    const std::uint64_t places[] = {0, log_.layout().blocks_offset, log_.layout().modules_offset,
                                    log_.layout().schedule_offset};
    const std::uint64_t place = places[number<std::uint8_t>() % 4];
    const std::uint64_t offset = place + number<std::uint16_t>();
    const std::uint64_t wanted = number<std::uint8_t>();
    const std::uint64_t count = std::min<std::uint64_t>(wanted, script_.size());
    if (count == 0) return;
    std::memcpy(log_.base() + offset, script_.data(), count);
    script_.remove_prefix(count);
  }

  SharedLog& log_;
  std::string_view script_;
};

}  // namespace isosan::fuzz
