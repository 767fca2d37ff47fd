// The passes of the plugin.
#pragma once

class opt_pass;
namespace gcc {
class context;
}

opt_pass* make_counted_loops(gcc::context* context);
opt_pass* make_used_results(gcc::context* context);
