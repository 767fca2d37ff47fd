#include "runtime/modes/choose.h"

#include "runtime/log/log.h"
#include "runtime/modes/locksets.h"
#include "runtime/modes/noise.h"
#include "runtime/modes/plain.h"
#include "runtime/modes/quiet.h"
#include "runtime/modes/units.h"
#include "runtime/modes/unordered.h"

namespace isosan::rt {
namespace {

Mode mode_of(log::LogHeader& header, const log::LogLayout& layout) {
  if (layout.unordered_offset != 0) {
    auto& table = *reinterpret_cast<UnorderedGranules*>(reinterpret_cast<std::byte*>(&header) +
                                                        layout.unordered_offset);
    return header.locksets != 0 ? locksets_mode(table) : unordered_mode(table);
  }
  if (header.units != 0) return units_mode();
  if (header.quiet != 0) return quiet_mode();
  return header.mode == log::Mode::kUnlogged ? unlogged_mode() : plain_mode();
}

}  // namespace

void choose_mode(log::LogHeader& header, const log::LogLayout& layout) {
  g_mode = mode_of(header, layout);
  if (header.mode == log::Mode::kUnlogged) g_mode.logs_accesses = false;
  ISOSAN_CHECK(g_mode.take != nullptr && g_mode.order_after_owner != nullptr &&
               g_mode.order_after_readers != nullptr && g_mode.order_after_writers != nullptr &&
               g_mode.share != nullptr);
  Options& options = g_options;
  const bool noisy = header.noise != 0;
  const bool stores_release = header.release_stores != 0;
  options.every_operation = header.mode == log::Mode::kFull;
  options.strict = header.strict != 0;
  options.data_only = header.sync_edges_off != 0;
  options.logs_outside = header.unlogged_outside == 0;
  options.arrays = header.arrays_off == 0;
  options.claims_inline = !options.strict && !stores_release && !noisy;
  options.reads_shared_inline =
      !options.every_operation && !stores_release && !options.data_only && !noisy;
  options.gathers_loops =
      !options.every_operation && !options.strict && layout.unordered_offset == 0;
  g_log.gathers_loops = options.gathers_loops && g_mode.logs_accesses;
  g_log.vtable_pointers = header.vtable_pointers != 0 && g_mode.logs_accesses;
  if (noisy) start_noise(header.noise, header.noise_seed);
}

}  // namespace isosan::rt
