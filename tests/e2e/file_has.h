/* Does the file hold the text by now? For programs that run until a report about them is written. */
#pragma once

#include <stdio.h>
#include <string.h>

static int file_has(const char* path, const char* wanted) {
  char text[4096];
  FILE* file = fopen(path, "r");
  const size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = 0;
  return strstr(text, wanted) != 0;
}
