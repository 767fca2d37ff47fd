// Events as text.
#pragma once

#include <cstdint>
#include <string>

#include "event/event.h"
#include "event/tables.h"

namespace isosan {

std::string thread_text(std::uint64_t thread, const Tables& tables);  // its name, or "T2"
std::string operand_text(const Event& e, const Tables& tables);       // empty: it has none
std::string place_text(SiteId site, const Tables& tables);  // "file.c:12"; empty: not known

// One event (isosan trace dump): ordinal, thread, kind, operand, place.
std::string dump_line(const Event& e, std::uint64_t ordinal, const Tables& tables);

}  // namespace isosan
