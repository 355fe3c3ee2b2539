#!/bin/sh
# Runs the C tests under valgrind's memcheck, and a second time with AddressSanitizer and
# UndefinedBehaviorSanitizer in the C code.
#
#   tools/capi/check.sh [FOLDER [sanitizers]]
#   tools/capi/check.sh cargo-c
#
# FOLDER holds libhitmask_capi.a; by default the one of `cargo build -p hitmask-capi`. Needs valgrind and gcc. With
# `sanitizers`, valgrind is left out, because the library itself has AddressSanitizer: see `.ci/memory`.
# If SDL 2 is installed, its example runs with the sanitizers too.
#
# With `cargo-c`, installs the library by `cargo cinstall` to a temporary folder instead, and runs examples with only
# the installed files, linked both ways. Needs cargo-c, pkg-config, gcc and g++.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

# Installs with cargo-c and compiles examples with what pkg-config says.
cargo_c() {
  root=$work/root lib=$work/root/usr/local/lib
  (cd "$here/../.." && cargo cinstall --locked -p hitmask-capi --profile dev --destdir "$root" \
    --prefix /usr/local --libdir /usr/local/lib)
  # shellcheck source=/dev/null
  . "$here/version.sh"
  soname=libhitmask.so.$interface
  echo "== cargo-c: files"
  cmp "$here/include/hitmask.h" "$root/usr/local/include/hitmask.h"
  cmp "$here/include/hitmask.hpp" "$root/usr/local/include/hitmask.hpp"
  (cd "$root/usr/local" && find . ! -type d | sort) >"$work/files"
  diff - "$work/files" <<END
./include/hitmask.h
./include/hitmask.hpp
./lib/libhitmask.a
./lib/libhitmask.so
./lib/$soname
./lib/libhitmask.so.$version
./lib/pkgconfig/hitmask.pc
END
  readelf -d "$lib/libhitmask.so.$version" | grep -F "soname: [$soname]"

  export PKG_CONFIG_PATH="$lib/pkgconfig"
  test "$(pkg-config --modversion hitmask)" = "$version"
  echo "== cargo-c: shared library"
  # shellcheck disable=SC2046
  gcc -std=c99 "$here/examples/bounce.c" $(pkg-config --define-prefix --cflags --libs hitmask) -o "$work/shared"
  readelf -d "$work/shared" | grep -F "[$soname]"
  LD_LIBRARY_PATH="$lib" "$work/shared" | diff "$here/../web/test/bounce.txt" -
  # shellcheck disable=SC2046
  g++ -std=c++17 "$here/examples/platform.cpp" $(pkg-config --define-prefix --cflags --libs hitmask) -o "$work/platform"
  LD_LIBRARY_PATH="$lib" "$work/platform" >/dev/null
  echo "== cargo-c: static library"
  # Without the shared library, because the linker prefers it.
  rm "$lib"/libhitmask.so*
  # shellcheck disable=SC2046
  gcc -std=c99 "$here/examples/bounce.c" $(pkg-config --define-prefix --static --cflags --libs hitmask) -o "$work/static"
  "$work/static" | diff "$here/../web/test/bounce.txt" -
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${1:-}" = cargo-c ]; then
  cargo_c
  exit
fi

built=${1:-} only=${2:-}
if [ -z "$built" ]; then
  (cd "$here/../.." && cargo build -p hitmask-capi)
  built=${CARGO_TARGET_DIR:-$here/../../target}/debug
fi
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"

# Compiles SOURCE to OUTPUT with the flags that follow.
build() {
  output=$1 source=$2
  shift 2
  gcc -std=c99 -Wall -Wextra -Werror -pedantic -g -O1 -I "$here/include" "$source" "$@" \
    "$built/libhitmask_capi.a" -lpthread -ldl -lm -lgcc_s -o "$output"
}

for source in "$here"/tests/c/*.c "$here/examples/bounce.c"; do
  name=$(basename "$source" .c)
  # It needs traces, and makes no call that the others lack.
  [ "$name" = replay ] && continue
  flags= file= edited=
  [ "$name" = maps ] && file=$here/tests/yard.hitmask edited=$here/tests/yard-edited.hitmask
  [ "$name" = bounce ] && flags="-DHM_EXAMPLE_SPRITES=300"
  if [ "$only" != sanitizers ]; then
    # shellcheck disable=SC2086
    build "$work/$name" "$source" $flags
    echo "== memcheck: $name"
    # Blocks that a thread pool or the table of handles keeps until the end are still reachable.
    RAYON_NUM_THREADS=2 valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
      --errors-for-leak-kinds=definite "$work/$name" ${file:+"$file" "$edited"}
  fi
  echo "== sanitizers: $name"
  # shellcheck disable=SC2086
  build "$work/$name-asan" "$source" $sanitizers $flags
  "$work/$name-asan" ${file:+"$file" "$edited"}
done

if pkg-config --exists sdl2; then
  echo "== sanitizers: sdl"
  # shellcheck disable=SC2046,SC2086
  build "$work/sdl" "$here/examples/sdl.c" $sanitizers $(pkg-config --cflags --libs sdl2)
  # SDL and what it loads keep memory until the end.
  SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software ASAN_OPTIONS=detect_leaks=0 "$work/sdl" 30
fi
