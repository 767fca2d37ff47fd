int shared;
void increment() { shared++; }
