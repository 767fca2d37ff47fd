// Annotated blocks (<isosan/isosan.h>): a call of __isosan_block_begin(name, object, kind) becomes
// __isosan_region_begin(site, object, kind), where the site's field is the name. Where the name is
// no constant the call stays as it is: the runtime then identifies the block by its program
// counter.
#pragma once

#include "llvm/IR/Function.h"
#include "pass/tables/records.h"

namespace isosan::pass {

void fill_block_places(llvm::Function& function, SiteTable& sites);

}  // namespace isosan::pass
