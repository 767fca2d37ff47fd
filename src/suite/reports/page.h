// The template of the page, made of the files in page/ when IsoSan is built.
#pragma once

#include <string_view>

namespace isosan::suite::page {

extern const std::string_view kHtml;  // with {{css}}, {{data}} and {{js}}, in this order
extern const std::string_view kCss;
extern const std::string_view kScript;

}  // namespace isosan::suite::page
