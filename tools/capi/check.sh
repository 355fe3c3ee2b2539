#!/bin/sh
# Runs the C tests under valgrind's memcheck, and a second time with AddressSanitizer and
# UndefinedBehaviorSanitizer in the C code.
#
#   tools/capi/check.sh [FOLDER]
#
# FOLDER holds libhitmask_capi.a; by default the one of `cargo build -p hitmask-capi`. Needs valgrind and gcc.
# If SDL 2 is installed, its example runs with the sanitizers too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
built=${1:-}
if [ -z "$built" ]; then
  (cd "$here/../.." && cargo build -p hitmask-capi)
  built=${CARGO_TARGET_DIR:-$here/../../target}/debug
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all"

# Compiles SOURCE to OUTPUT with the flags that follow.
build() {
  output=$1 source=$2
  shift 2
  gcc -std=c99 -Wall -Wextra -Werror -pedantic -g -O1 -I "$here/include" "$source" "$@" \
    "$built/libhitmask_capi.a" -lpthread -ldl -lm -lgcc_s -o "$output"
}

for source in "$here/tests/c/bad_input.c" "$here/tests/c/parts.c" "$here/examples/bounce.c"; do
  name=$(basename "$source" .c)
  flags=
  [ "$name" = bounce ] && flags="-DHM_EXAMPLE_SPRITES=300"
  # shellcheck disable=SC2086
  build "$work/$name" "$source" $flags
  echo "== memcheck: $name"
  # Blocks that a thread pool or the table of handles keeps until the end are still reachable.
  RAYON_NUM_THREADS=2 valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite "$work/$name"
  echo "== sanitizers: $name"
  # shellcheck disable=SC2086
  build "$work/$name-asan" "$source" $sanitizers $flags
  "$work/$name-asan"
done

if pkg-config --exists sdl2; then
  echo "== sanitizers: sdl"
  # shellcheck disable=SC2046,SC2086
  build "$work/sdl" "$here/examples/sdl.c" $sanitizers $(pkg-config --cflags --libs sdl2)
  # SDL and what it loads keep memory until the end.
  SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software ASAN_OPTIONS=detect_leaks=0 "$work/sdl" 30
fi
