# The compile options of the tool itself, and the functions that the folders use.
add_library(isosan_options INTERFACE)
target_compile_options(isosan_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -Wno-missing-field-initializers -Werror -fno-omit-frame-pointer)
target_include_directories(isosan_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
if(ISOSAN_SANITIZE)
  target_compile_options(isosan_options INTERFACE -fsanitize=${ISOSAN_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(isosan_options INTERFACE -fsanitize=${ISOSAN_SANITIZE})
endif()

# isosan_library(NAME SOURCES a.cc ... LIBS other ...): one folder of src/. Without sources: headers only.
function(isosan_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC isosan_options ${ARG_LIBS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE isosan_options ${ARG_LIBS})
  endif()
endfunction()

find_package(GTest REQUIRED)
include(GoogleTest)

# isosan_test(NAME SOURCES a_test.cc ... LIBS ...): one GoogleTest program, one CTest entry.
function(isosan_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE isosan_options ${ARG_LIBS} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  # Two builds may be tested at the same time.
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/tests/scratch)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT TEST_TMPDIR=${CMAKE_BINARY_DIR}/tests/scratch)
endfunction()

set(ISOSAN_LLVM_ROOT /usr/lib/llvm-19 CACHE PATH "LLVM whose FileCheck and lit the tests use")

# isosan_lit_test(NAME): the *.test files of the current folder, configured by its lit.cfg.py, as one CTest entry.
function(isosan_lit_test name)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py "\
config.isosan_root = '${CMAKE_SOURCE_DIR}'
config.isosan_bin = '${CMAKE_BINARY_DIR}/bin'
config.isosan_llvm_bin = '${ISOSAN_LLVM_ROOT}/bin'
config.isosan_exec_root = '${CMAKE_CURRENT_BINARY_DIR}'
lit_config.load_config(config, '${CMAKE_CURRENT_SOURCE_DIR}/lit.cfg.py')
")
  add_test(NAME ${name} COMMAND python3 ${ISOSAN_LLVM_ROOT}/build/utils/lit/lit.py -v
           ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
