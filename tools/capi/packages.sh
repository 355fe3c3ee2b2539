#!/bin/sh
# Builds and runs examples/first.c with the archive of a release, as other build systems do.
#
#   tools/capi/packages.sh [FOLDER]      the archive alone, CMake and Meson; needs luajit, unzip, ninja and pkg-config
#   tools/capi/packages.sh conan         the recipe of Conan 2, which builds the library
#   tools/capi/packages.sh luarocks      the rockspec, which does so too
#
# FOLDER holds a built library: see install.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

conan_package() {
  export CONAN_HOME="$work/conan" CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$work/target}"
  conan profile detect
  for shared in True False; do
    echo "== conan: shared is $shared"
    conan create "$here/conan" -s build_type=Debug -o "hitmask/*:shared=$shared" \
      -c tools.cmake.cmake_layout:test_folder="$work/test" -c tools.cmake.cmaketoolchain:user_presets=
  done
}

rock() {
  cd "$here/../.."
  luarocks --lua-version 5.1 --tree "$work/tree" make tools/capi/love/hitmask-scm-1.rockspec
  env -u HITMASK_LIBRARY LUA_PATH="$work/tree/share/lua/5.1/?.lua" LUA_CPATH="$work/tree/lib/lua/5.1/?.so" \
    luajit -e 'print(require("hitmask").version())'
}

case ${1:-} in
conan) conan_package; exit ;;
luarocks) rock; exit ;;
esac

# Unpacks the archive to a folder with a space.
"$here/zip.sh" "$work" "$@"
mkdir "$work/a folder" "$work/run"
unzip -q "$work"/hitmask-*.zip -d "$work/a folder"
package=$(echo "$work/a folder"/hitmask-*)
for file in README.md LICENSE-MIT LICENSE-APACHE LICENSES-OF-LIBRARIES include/hitmask.h include/hitmask.hpp \
  csharp/Hitmask.cs csharp/build.sh lib/libhitmask.a love/hitmask.lua love/main.lua examples/first.c; do
  test -s "$package/$file"
done
grep -q '^== wide ' "$package/LICENSES-OF-LIBRARIES"

# Two sprites, baked by the library and the Lua file of the archive.
cd "$work/run"
HITMASK_LIBRARY="$package/lib/libhitmask.so" LUA_PATH="$package/love/?.lua" luajit -e '
  local hitmask = require("hitmask")
  local atlas = hitmask.bake({ ship = hitmask.solid(20, 10), rock = hitmask.disc(21) })
  io.open("sprites.hitmask", "wb"):write(atlas:bytes())'

# Runs a program that prints what the README says.
runs() {
  echo "== $1"
  shift
  test "$("$@")" = "tick 29: hit at 139, 36"
}

cc -std=c99 "$package/examples/first.c" -I "$package/include" -L "$package/lib" -lhitmask -o "$work/plain"
runs "the archive" env LD_LIBRARY_PATH="$package/lib" "$work/plain"

# shellcheck source=/dev/null
. "$here/version.sh"
for target in hitmask static; do
  cmake -S "$here/conan/test_package" -B "$work/cmake-$target" -DCMAKE_PREFIX_PATH="$package" \
    -DHITMASK_VERSION="$version" -DHITMASK_TARGET="hitmask::$target" >/dev/null
  cmake --build "$work/cmake-$target" >/dev/null
  runs "CMake: hitmask::$target" "$work/cmake-$target/first"
done
for other in 0.0 99; do
  if cmake -S "$here/conan/test_package" -B "$work/other" -DCMAKE_PREFIX_PATH="$package" -DHITMASK_VERSION=$other \
    >"$work/log" 2>&1; then
    echo "error: version $version was found for $other" >&2
    exit 1
  fi
  grep -q "requested version" "$work/log"
done

mkdir "$work/meson"
cp "$package/examples/first.c" "$work/meson"
cat >"$work/meson/meson.build" <<END
project('first', 'c')
executable('first', 'first.c', dependencies: dependency('hitmask', static: get_option('default_library') == 'static'))
END
for kind in shared static; do
  PKG_CONFIG_PATH="$package/lib/pkgconfig" meson setup "$work/meson-$kind" "$work/meson" -Ddefault_library=$kind >/dev/null
  ninja -C "$work/meson-$kind" >/dev/null
  runs "Meson: $kind" "$work/meson-$kind/first"
done
test -z "$(readelf -d "$work/meson-static/first" "$work/cmake-static/first" | grep libhitmask)"
