# Writes OUTPUT, which defines ISOSAN_COMMIT: the commit that SOURCE is at, empty outside of a git checkout. Run at every build; OUTPUT is touched
# only if the commit is another one.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define ISOSAN_COMMIT \"@commit@\"\n" @ONLY)
