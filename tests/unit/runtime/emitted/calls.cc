// Compiled with the pass: a function with edges, which calls back between them.
extern "C" void isosan_test_inside();
extern "C" void isosan_test_call() { isosan_test_inside(); }
