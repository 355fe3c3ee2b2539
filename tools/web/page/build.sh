#!/usr/bin/env bash
# Builds the pages that show hitmask into target/web/page, a folder for any static server:
#
#   index.html   5,000 sprites of Phaser, and a drop zone for PNG files
#   demo/        the window of tools/demo, as WebAssembly
#
#   tools/web/page/build.sh          # both, after `npm ci` and build.sh
#   tools/web/page/build.sh phaser   # one of the two: phaser or demo
#   python3 -m http.server --directory target/web/page
set -euo pipefail
cd "$(dirname "$0")/.."
to=../../target/web/page
parts=" ${*:-phaser demo} "
mkdir -p "$to"
if [[ $parts == *" phaser "* ]]; then
  [ -e wasm/hitmask.simd.wasm ] || { echo "error: no module: run tools/web/build.sh first" >&2 && exit 1; }
  rm -rf "$to/hitmask"
  mkdir "$to/hitmask"
  cp page/index.html page/main.js node_modules/phaser/dist/phaser.min.js "$to"
  cp -r index.js phaser.js lib "$to/hitmask"
  mkdir "$to/hitmask/wasm"
  cp wasm/hitmask.simd.wasm wasm/hitmask.wasm "$to/hitmask/wasm"
fi
if [[ $parts == *" demo "* ]]; then ../demo/page/build.sh "$to/demo"; fi
