int helper(int n) { return n + 1; }
