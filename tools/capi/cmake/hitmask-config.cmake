# find_package(hitmask) gives hitmask::hitmask, the shared library, and hitmask::static.
get_filename_component(_hitmask_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# Adds a target of a file that was installed.
function(_hitmask_add name kind file)
  if(EXISTS "${_hitmask_prefix}/lib/${file}" AND NOT TARGET hitmask::${name})
    add_library(hitmask::${name} ${kind} IMPORTED)
    set_target_properties(hitmask::${name} PROPERTIES
      IMPORTED_LOCATION "${_hitmask_prefix}/lib/${file}"
      INTERFACE_INCLUDE_DIRECTORIES "${_hitmask_prefix}/include"
      INTERFACE_LINK_LIBRARIES "${ARGN}")
  endif()
endfunction()

set(_hitmask_system)
if(NOT APPLE)
  set(_hitmask_system pthread dl m gcc_s)
endif()
_hitmask_add(hitmask SHARED libhitmask${CMAKE_SHARED_LIBRARY_SUFFIX})
_hitmask_add(static STATIC libhitmask.a ${_hitmask_system})
