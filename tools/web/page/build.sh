#!/usr/bin/env bash
# Copies the page with all that it needs into target/web/page, a folder for any static server. After
# `npm ci` and build.sh: `tools/web/page/build.sh && (cd target/web/page && python3 -m http.server)`.
set -euo pipefail
cd "$(dirname "$0")/.."
to=${1:-../../target/web/page}
rm -rf "$to"
mkdir -p "$to/hitmask"
cp page/index.html page/main.js node_modules/phaser/dist/phaser.min.js "$to"
cp -r index.js phaser.js lib wasm "$to/hitmask"
