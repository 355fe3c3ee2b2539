#!/bin/sh
# Installs the C library: header, static and shared library, and the files for pkg-config and CMake. The folder may
# be moved afterwards.
#
#   tools/capi/install.sh PREFIX [FOLDER]
#
# Without FOLDER the library is built (`cargo build --release -p hitmask-capi`). FOLDER holds a built
# libhitmask_capi.a and libhitmask_capi.so instead. A program finds the shared library by its soname:
# libhitmask.so.0.1 for versions 0.1.x, libhitmask.so.1 for 1.x.y.
set -eu
prefix=${1:?give the folder to install to, such as /usr/local}
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/version.sh"

mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/hitmask"
prefix=$(cd "$prefix" && pwd)
if [ $# -ge 2 ]; then
  built=$(cd "$2" && pwd)
else
  (cd "$here/../.." && cargo build --release -p hitmask-capi)
  built=${CARGO_TARGET_DIR:-$here/../../target}/release
fi

install -m 644 "$here/include/hitmask.h" "$here/include/hitmask.hpp" "$prefix/include"
install -m 644 "$built/libhitmask_capi.a" "$prefix/lib/libhitmask.a"
case $(uname -s) in
Darwin)
  install -m 755 "$built/libhitmask_capi.dylib" "$prefix/lib/libhitmask.$version.dylib"
  install_name_tool -id "$prefix/lib/libhitmask.$interface.dylib" "$prefix/lib/libhitmask.$version.dylib"
  ln -sf "libhitmask.$version.dylib" "$prefix/lib/libhitmask.$interface.dylib"
  ln -sf "libhitmask.$interface.dylib" "$prefix/lib/libhitmask.dylib"
  private=
  ;;
*)
  # `build.rs` gives the library its soname.
  install -m 755 "$built/libhitmask_capi.so" "$prefix/lib/libhitmask.so.$version"
  ln -sf "libhitmask.so.$version" "$prefix/lib/libhitmask.so.$interface"
  ln -sf "libhitmask.so.$interface" "$prefix/lib/libhitmask.so"
  private="-lpthread -ldl -lm -lgcc_s"
  ;;
esac
cat >"$prefix/lib/pkgconfig/hitmask.pc" <<END
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: hitmask
Description: Pixel-perfect 2D sprite collisions
Version: $version
Libs: -L\${libdir} -lhitmask
Libs.private: $private
Cflags: -I\${includedir}
END
install -m 644 "$here/cmake/hitmask-config.cmake" "$prefix/lib/cmake/hitmask"
cat >"$prefix/lib/cmake/hitmask/hitmask-config-version.cmake" <<END
# A version with the interface of $interface that is not newer than this one.
set(PACKAGE_VERSION $version)
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION AND
   "\${PACKAGE_FIND_VERSION}." MATCHES "^$interface[.]")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
END
echo "installed hitmask $version in $prefix"
