# find_package(IsoSan): IsoSan in a CMake project that keeps its compiler (docs/howto/cmake.md).
#
#   find_package(IsoSan REQUIRED)        # before the targets, where the build type is wanted
#   isosan_instrument(my_library)        # each target that is to be seen
#   isosan_add_test(my_test)             # the same, and a test of ctest that watches and hunts it
#   include(lost_update.cmake)           # a failure that isosan hunt --emit-test has found: it must not come back
#
# With -DCMAKE_BUILD_TYPE=IsoSan every target that is defined behind find_package is instrumented.
#
# The compiler must be clang 19 (pass front); with any other the target is compiled for the tsan front.
# ISOSAN_ROOT names another installation. Setting CMAKE_CXX_COMPILER to isosan-c++ needs none of this.
file(REAL_PATH ${CMAKE_CURRENT_LIST_DIR} isosan_here)  # the Debian package has a link there
set(isosan_roots ${ISOSAN_ROOT} ${isosan_here}/../../..)
find_path(IsoSan_INCLUDE_DIR isosan/isosan.h HINTS ${isosan_roots} PATH_SUFFIXES include)
find_library(IsoSan_RUNTIME libisosan_rt.so HINTS ${isosan_roots} PATH_SUFFIXES lib)
find_file(IsoSan_PLUGIN isosan_pass.so HINTS ${isosan_roots} PATH_SUFFIXES lib)
find_program(IsoSan_EXECUTABLE isosan HINTS ${isosan_roots} PATH_SUFFIXES bin)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(IsoSan REQUIRED_VARS IsoSan_EXECUTABLE IsoSan_RUNTIME IsoSan_INCLUDE_DIR)
mark_as_advanced(IsoSan_EXECUTABLE IsoSan_INCLUDE_DIR IsoSan_RUNTIME IsoSan_PLUGIN)

# isosan_flags_ and isosan_link_flags_: the flags that src/driver/flags.cc gives, for this compiler.
set(isosan_link_flags_ "LINKER:--push-state,--no-as-needed" "${IsoSan_RUNTIME}" "LINKER:--pop-state")
if(IsoSan_RUNTIME)
  cmake_path(GET IsoSan_RUNTIME PARENT_PATH isosan_folder)
  list(APPEND isosan_link_flags_ "LINKER:-rpath,${isosan_folder}")
endif()
if(NOT CMAKE_CXX_COMPILER_ID)  # a project in C alone
  set(isosan_compiler "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
else()
  set(isosan_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
endif()
set(isosan_flags_ -g -D__ISOSAN__=1 "SHELL:-isystem \"${IsoSan_INCLUDE_DIR}\"")
if(isosan_compiler MATCHES "^Clang 19[.]" AND IsoSan_PLUGIN)
  list(APPEND isosan_flags_ -fstandalone-debug "-fpass-plugin=${IsoSan_PLUGIN}")
elseif(isosan_compiler MATCHES "^Clang")
  list(APPEND isosan_flags_ -fsanitize=thread "SHELL:-mllvm -tsan-instrument-read-before-write=1" -fno-vectorize
       -fno-slp-vectorize)
else()
  list(APPEND isosan_flags_ -fsanitize=thread -fno-plt)
  foreach(name memcpy memmove memset memcmp strcmp strncmp strcpy stpcpy strncpy strcat strncat sprintf snprintf)
    list(APPEND isosan_flags_ -fno-builtin-${name})
  endforeach()
endif()

# The build type. Its flags stand in the folder, so that isosan_instrument() has nothing to add there.
set(CMAKE_C_FLAGS_ISOSAN "-O1" CACHE STRING "flags of C in the build type IsoSan, besides instrumentation")
set(CMAKE_CXX_FLAGS_ISOSAN "-O1" CACHE STRING "flags of C++ in the build type IsoSan, besides instrumentation")
mark_as_advanced(CMAKE_C_FLAGS_ISOSAN CMAKE_CXX_FLAGS_ISOSAN)
if(IsoSan_FOUND)
  add_compile_options("$<$<AND:$<CONFIG:IsoSan>,$<COMPILE_LANGUAGE:C,CXX>>:${isosan_flags_}>")
  add_link_options("$<$<CONFIG:IsoSan>:${isosan_link_flags_}>")
endif()

function(isosan_instrument target)
  get_target_property(done ${target} ISOSAN_INSTRUMENTED)
  if(done)
    return()
  endif()
  set_target_properties(${target} PROPERTIES ISOSAN_INSTRUMENTED TRUE)
  target_compile_options(${target} PRIVATE
    "$<$<AND:$<NOT:$<CONFIG:IsoSan>>,$<COMPILE_LANGUAGE:C,CXX>>:${isosan_flags_}>")
  target_link_options(${target} PRIVATE "$<$<NOT:$<CONFIG:IsoSan>>:${isosan_link_flags_}>")
endfunction()

# isosan_add_test(TARGET [NAME name] [BUDGET time] [ARGS argument...] [OPTIONS option-of-isosan-test...])
# A test called isosan.TARGET, labelled isosan: `isosan test -- TARGET argument...`. It fails where something new is found.
function(isosan_add_test target)
  cmake_parse_arguments(ARG "" "NAME;BUDGET" "ARGS;OPTIONS" ${ARGN})
  if(NOT ARG_NAME)
    set(ARG_NAME isosan.${target})
  endif()
  if(NOT ARG_BUDGET)
    set(ARG_BUDGET 60s)
  endif()
  isosan_instrument(${target})
  add_test(NAME ${ARG_NAME} COMMAND ${IsoSan_EXECUTABLE} test --budget ${ARG_BUDGET}
           -o ${CMAKE_CURRENT_BINARY_DIR}/isosan-results/${ARG_NAME} ${ARG_OPTIONS} -- $<TARGET_FILE:${target}> ${ARG_ARGS})
  set_tests_properties(${ARG_NAME} PROPERTIES LABELS isosan)
endfunction()

# isosan_add_regression_test(NAME TARGET SCHEDULE file [ARGS argument...] [OPTIONS option-of-isosan-replay...])
# A test called isosan.NAME, labelled isosan: it fails where the failure of the schedule comes back, and is skipped where the
# schedule's places are gone. `isosan hunt --emit-test` writes such lines.
function(isosan_add_regression_test name target)
  cmake_parse_arguments(ARG "" "SCHEDULE" "ARGS;OPTIONS" ${ARGN})
  isosan_instrument(${target})
  add_test(NAME isosan.${name} COMMAND ${IsoSan_EXECUTABLE} replay --test ${ARG_OPTIONS} ${ARG_SCHEDULE} -- $<TARGET_FILE:${target}> ${ARG_ARGS})
  set_tests_properties(isosan.${name} PROPERTIES LABELS isosan SKIP_RETURN_CODE 77)
endfunction()
