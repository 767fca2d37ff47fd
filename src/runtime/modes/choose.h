// The one place that knows all modes: it turns what the reader has asked for into the mode, the
// options and the points of thread/mode.h.
#pragma once

#include "runtime/contract/log_layout.h"

namespace isosan::rt {

// Called once, after attach_log() and before the first thread.
void choose_mode(log::LogHeader& header, const log::LogLayout& layout);

}  // namespace isosan::rt
