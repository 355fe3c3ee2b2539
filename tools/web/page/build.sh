#!/usr/bin/env bash
# Builds the pages that show hitmask into target/web/page, a folder for any static server:
#
#   index.html   the playground: masks, contacts and pieces of any sprites
#   demo/        the window of tools/demo, as WebAssembly
#
#   tools/web/page/build.sh              # both, after build.sh
#   tools/web/page/build.sh playground   # one of the two: playground or demo
#   python3 -m http.server --directory target/web/page
set -euo pipefail
cd "$(dirname "$0")/.."
to=../../target/web/page
parts=" ${*:-playground demo} "
mkdir -p "$to"
if [[ $parts == *" playground "* ]]; then
  # Browsers with simd128 ask for its module alone.
  [ -e wasm/hitmask.simd.wasm ] || { echo "error: no module with simd128: run tools/web/build.sh simd128 first" >&2 && exit 1; }
  rm -rf "$to/hitmask" "$to"/*.js
  mkdir -p "$to/hitmask/lib" "$to/hitmask/wasm"
  cp page/*.html page/*.css page/*.js "$to"
  cp index.js "$to/hitmask"
  cp lib/*.js "$to/hitmask/lib"
  cp wasm/hitmask.simd.wasm "$to/hitmask/wasm"
  # Old browsers need the other module, which `build.sh simd128` does not make.
  [ ! -e wasm/hitmask.wasm ] || cp wasm/hitmask.wasm "$to/hitmask/wasm"
fi
if [[ $parts == *" demo "* ]]; then ../demo/page/build.sh "$to/demo"; fi
