// What each thread did, kept where the tool does not look (record.cc is not instrumented).
#pragma once

struct Record {
  unsigned long value;
  unsigned short thread;
  unsigned short is_write;
  unsigned cell;
};

extern "C" void record(unsigned thread, unsigned is_write, unsigned cell, unsigned long value);
extern "C" void record_dump(const char* path);  // Records, thread by thread
