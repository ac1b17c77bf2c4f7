# How Prism's libraries, tools, unit tests and TableGen files are declared.
#
#   prism_add_library(PrismX A.cpp B.cpp
#     [DEPENDS tablegen-targets] [LINK_LIBS Prism libs]
#     [MLIR_LIBS upstream MLIR libs] [LLVM_COMPONENTS components])
#   prism_add_tool(name main.cpp [LIBS Prism libs] [MLIR_LIBS ...] [NO_INSTALL])
#   prism_add_plugin(Name A.cpp LIBS Prism libs): lib/Name.so for mlir-opt
#   prism_add_unittest(PrismXTests A.cpp LIBS PrismX [MLIR_LIBS ...])
#   prism_tablegen(TARGET file.td [OUT -gen-flag]...)
#   prism_add_subdirectory(dir): add_subdirectory, if the directory is there
#
# A library without MLIR_LIBS that depends on no library with MLIR_LIBS is built
# on LLVM's ADT alone: it links libLLVM and is compiled without the precompiled
# header. All others link libMLIR.so and share one precompiled header.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include_guard(GLOBAL)

# --- ccache -----------------------------------------------------------------
# Objects are shared between checkouts: paths below the source directory are
# hashed relative to it, and the working directory is not hashed.
find_program(PRISM_CCACHE ccache)
set(PRISM_CCACHE_SLOPPINESS
  "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime")
if(PRISM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    ${PRISM_CCACHE_SLOPPINESS} CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1 ${PRISM_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()

# --- The precompiled header -------------------------------------------------
# MLIR's headers are nearly all of a file's compile time. gcc's precompiled
# header is over 1 GB, so it is off there.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  option(PRISM_USE_PCH "Share a precompiled header of MLIR's headers" ON)
else()
  option(PRISM_USE_PCH "Share a precompiled header of MLIR's headers" OFF)
endif()

# Declares the target that builds the precompiled header (once).
function(_prism_declare_pch)
  if(TARGET prism_pch)
    return()
  endif()
  set(dir ${PROJECT_SOURCE_DIR}/cmake/pch)
  add_library(prism_pch OBJECT ${dir}/PrismPCH.cpp)
  llvm_update_compile_flags(prism_pch)
  target_precompile_headers(prism_pch PRIVATE ${dir}/PrismPCH.h)
  get_target_property(bin prism_pch BINARY_DIR)
  set(pch ${bin}/CMakeFiles/prism_pch.dir/cmake_pch.hxx.pch)
  set_property(TARGET prism_pch PROPERTY PRISM_PCH_FILE ${pch})
  if(NOT PRISM_CCACHE)
    return()
  endif()
  # clang writes absolute paths into a precompiled header, so the header itself
  # is cached per checkout; what is compiled with it is keyed by this checksum
  # of what went into it instead, and so is shared between checkouts.
  set_target_properties(prism_pch PROPERTIES CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND};-E;env;${PRISM_CCACHE_SLOPPINESS};${PRISM_CCACHE}")
  file(SHA256 ${dir}/PrismPCH.h sum)
  string(SHA256 sum "${sum} ${LLVM_PACKAGE_VERSION} \
${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_FLAGS} ${CMAKE_BUILD_TYPE}")
  file(CONFIGURE OUTPUT ${pch}.sum CONTENT "${sum}\n")
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${dir}/PrismPCH.h)
endfunction()

# Makes TARGET (an object library or an executable) use it. clang is given the
# header by the driver's option and not by REUSE_FROM, whose -Xclang options
# ccache hashes with their absolute paths.
function(_prism_reuse_pch target)
  if(NOT PRISM_USE_PCH)
    return()
  endif()
  _prism_declare_pch()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_precompile_headers(${target} REUSE_FROM prism_pch)
    return()
  endif()
  get_target_property(pch prism_pch PRISM_PCH_FILE)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Winvalid-pch -include-pch ${pch}>")
  # A dependency between targets would not make the compilations wait for it.
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${pch})
endfunction()

# Sets OUT to true if one of the named Prism libraries is built on MLIR.
function(_prism_any_uses_mlir out)
  set(${out} FALSE PARENT_SCOPE)
  foreach(lib ${ARGN})
    get_property(uses GLOBAL PROPERTY PRISM_USES_MLIR_${lib})
    if(uses)
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# --- The declarations -------------------------------------------------------
function(prism_add_library name)
  cmake_parse_arguments(ARG "NO_PCH" ""
    "DEPENDS;LINK_LIBS;MLIR_LIBS;LLVM_COMPONENTS" ${ARGN})
  _prism_any_uses_mlir(uses_mlir ${ARG_LINK_LIBS})
  if(ARG_MLIR_LIBS)
    set(uses_mlir TRUE)
  endif()
  set_property(GLOBAL PROPERTY PRISM_USES_MLIR_${name} ${uses_mlir})
  set_property(GLOBAL APPEND PROPERTY PRISM_LIBS ${name})

  set(depends DEPENDS ${ARG_DEPENDS})
  if(uses_mlir)
    list(APPEND depends mlir-headers) # all generated headers
  elseif(NOT ARG_DEPENDS)
    set(depends)
  endif()
  add_mlir_library(${name} ${ARG_UNPARSED_ARGUMENTS} ${depends}
    DISABLE_INSTALL
    LINK_COMPONENTS ${ARG_LLVM_COMPONENTS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  target_include_directories(${name} INTERFACE
    $<INSTALL_INTERFACE:include>)
  set_target_properties(${name} obj.${name} PROPERTIES FOLDER "Prism/Libraries")
  if(uses_mlir)
    if(NOT ARG_MLIR_LIBS)
      set(ARG_MLIR_LIBS MLIRIR)
    endif()
    mlir_target_link_libraries(${name} PUBLIC ${ARG_MLIR_LIBS})
    if(NOT ARG_NO_PCH)
      _prism_reuse_pch(obj.${name})
    endif()
  endif()
  if(PRISM_INSTALL)
    install(TARGETS ${name} EXPORT PrismTargets ARCHIVE DESTINATION lib COMPONENT Prism)
  endif()
endfunction()

function(prism_add_tool name)
  cmake_parse_arguments(ARG "NO_INSTALL" "" "LIBS;MLIR_LIBS;LLVM_COMPONENTS" ${ARGN})
  set(LLVM_LINK_COMPONENTS Support ${ARG_LLVM_COMPONENTS})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS})
  _prism_any_uses_mlir(uses_mlir ${ARG_LIBS})
  if(uses_mlir OR ARG_MLIR_LIBS)
    mlir_target_link_libraries(${name} PRIVATE MLIRIR ${ARG_MLIR_LIBS})
  endif()
  set_target_properties(${name} PROPERTIES FOLDER "Prism/Tools")
  set_property(GLOBAL APPEND PROPERTY PRISM_TOOLS ${name})
  if(PRISM_INSTALL AND NOT ARG_NO_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION bin COMPONENT Prism)
    # libMLIR.so is in no directory that the loader searches by itself.
    set_target_properties(${name} PROPERTIES
      INSTALL_RPATH "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")
  endif()
endfunction()

function(prism_add_plugin name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  add_llvm_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS}
    PLUGIN_TOOL mlir-opt BUILDTREE_ONLY)
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} MLIR)
  # The archives' symbols stay inside: two plugins, or a plugin in prism-opt,
  # must not meet each other's copies.
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)
  set_target_properties(${name} PROPERTIES FOLDER "Prism/Plugins"
    INSTALL_RPATH ${LLVM_LIBRARY_DIR})
  set_property(GLOBAL APPEND PROPERTY PRISM_PLUGINS ${name})
  if(PRISM_INSTALL)
    install(TARGETS ${name} LIBRARY DESTINATION lib COMPONENT Prism)
  endif()
endfunction()

function(prism_add_unittest name)
  if(NOT GTest_FOUND)
    return()
  endif()
  cmake_parse_arguments(ARG "NO_PCH" "" "LIBS;MLIR_LIBS;LLVM_COMPONENTS;DEPENDS" ${ARGN})
  set(LLVM_LINK_COMPONENTS Support ${ARG_LLVM_COMPONENTS})
  add_llvm_executable(${name} NO_INSTALL_RPATH ${ARG_UNPARSED_ARGUMENTS})
  # lit's GoogleTest format looks for *Tests below build/unittests.
  set_target_properties(${name} PROPERTIES FOLDER "Prism/Unit tests"
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  _prism_any_uses_mlir(uses_mlir ${ARG_LIBS})
  if(uses_mlir OR ARG_MLIR_LIBS)
    mlir_target_link_libraries(${name} PRIVATE MLIRIR ${ARG_MLIR_LIBS})
    if(NOT ARG_NO_PCH)
      _prism_reuse_pch(${name})
    endif()
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  add_dependencies(PrismUnitTests ${name})
endfunction()

# prism_tablegen(PrismOpsIncGen PrismOps.td PrismOps.h.inc -gen-op-decls ...):
# pairs of an output and its generator's flags (quote several), one target.
function(prism_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs out flags)
    separate_arguments(flags)
    mlir_tablegen(${out} ${flags})
  endwhile()
  add_public_tablegen_target(${target})
  add_dependencies(mlir-headers ${target})
endfunction()

# The glob makes a build configure again when the directory appears.
macro(prism_add_subdirectory dir)
  file(GLOB _prism_list CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${dir}/CMakeLists.txt)
  if(_prism_list)
    add_subdirectory(${dir})
  endif()
endmacro()
