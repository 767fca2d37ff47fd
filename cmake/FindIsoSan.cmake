# find_package(IsoSan): IsoSan in a CMake project that keeps its compiler.
#
#   list(APPEND CMAKE_MODULE_PATH <prefix>/share/isosan/cmake)
#   find_package(IsoSan REQUIRED)
#   isosan_instrument(my_program)        # each target that is to be seen; libraries too
#
# The compiler must be clang 19 (pass front); with any other the target is compiled for the tsan front.
# ISOSAN_ROOT names the installation. Setting CMAKE_CXX_COMPILER to isosan-c++ needs none of this.
find_path(IsoSan_INCLUDE_DIR isosan/isosan.h HINTS ${ISOSAN_ROOT} ${CMAKE_CURRENT_LIST_DIR}/../../.. PATH_SUFFIXES include)
find_library(IsoSan_RUNTIME libisosan_rt.so HINTS ${ISOSAN_ROOT} ${CMAKE_CURRENT_LIST_DIR}/../../.. PATH_SUFFIXES lib)
find_file(IsoSan_PLUGIN isosan_pass.so HINTS ${ISOSAN_ROOT} ${CMAKE_CURRENT_LIST_DIR}/../../.. PATH_SUFFIXES lib)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(IsoSan REQUIRED_VARS IsoSan_RUNTIME IsoSan_INCLUDE_DIR)
mark_as_advanced(IsoSan_INCLUDE_DIR IsoSan_RUNTIME IsoSan_PLUGIN)

function(isosan_instrument target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19
     AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20 AND IsoSan_PLUGIN)
    set(flags -g -fstandalone-debug -fpass-plugin=${IsoSan_PLUGIN})
    set(link_flags "")
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(flags -g -fsanitize=thread "SHELL:-mllvm -tsan-instrument-read-before-write=1" -fno-vectorize -fno-slp-vectorize)
    set(link_flags -fno-sanitize=thread)
  else()
    set(flags -g -fsanitize=thread -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset)
    set(link_flags -fno-sanitize=thread)
  endif()
  target_compile_options(${target} PRIVATE ${flags})
  target_compile_definitions(${target} PRIVATE __ISOSAN__=1)
  target_include_directories(${target} SYSTEM PRIVATE ${IsoSan_INCLUDE_DIR})
  get_filename_component(folder ${IsoSan_RUNTIME} DIRECTORY)
  target_link_options(${target} PRIVATE ${link_flags} "LINKER:--push-state,--no-as-needed" ${IsoSan_RUNTIME}
                      "LINKER:--pop-state" "LINKER:-rpath,${folder}")
endfunction()
