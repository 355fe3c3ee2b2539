#!/usr/bin/env bash
# Builds the demo as a page, into target/demo/page: a folder for any static server, such as
# `tools/demo/page/build.sh && python3 -m http.server --directory target/demo/page`.
#
# With rustup: `rustup target add wasm32-unknown-unknown`. Without, .ci/web-toolchain downloads
# Debian's compiler for the web, which builds its own standard library.
set -euo pipefail
cd "$(dirname "$0")/../../.."
root=$PWD
target=wasm32-unknown-unknown
std=()
if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
  # shellcheck source=/dev/null
  . .ci/web-toolchain
  web_toolchain
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$WEB_LINKER
  export RUSTC=$WEB_RUSTC RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER
  std=(-Zbuild-std=std,panic_abort)
fi
export CARGO_TARGET_DIR=${HITMASK_WEB_TARGET:-$root/target/web}
RUSTFLAGS="-C target-feature=+simd128" \
  cargo build --quiet --release -p hitmask-demo --bin hitmask-demo --target $target "${std[@]}"

page=$root/target/demo/page
mkdir -p "$page"
cp "$CARGO_TARGET_DIR/$target/release/hitmask-demo.wasm" tools/demo/page/index.html "$page"
# The script of the window library, of the very version that the module was built with.
miniquad=$(cargo metadata --format-version 1 | python3 -c '
import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(next(os.path.dirname(p["manifest_path"]) for p in packages if p["name"] == "miniquad"))')
cp "$miniquad/js/gl.js" "$page"
printf '%s bytes, %s gzipped\n' "$(wc -c <"$page/hitmask-demo.wasm")" "$(gzip -9 -c "$page/hitmask-demo.wasm" | wc -c)"
