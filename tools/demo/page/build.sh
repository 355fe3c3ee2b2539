#!/usr/bin/env bash
# Builds the demo as a page, into target/demo/page or the given folder, for any static server:
# `tools/demo/page/build.sh && python3 -m http.server --directory target/demo/page`.
#
# With rustup: `rustup target add wasm32-unknown-unknown`, or `rustup component add rust-src`. Without,
# .ci/web-toolchain downloads Debian's compiler for the web.
set -euo pipefail
page=$(realpath -m "${1:-$(dirname "$0")/../../../target/demo/page}")
cd "$(dirname "$0")/../../.."
root=$PWD
target=wasm32-unknown-unknown
# shellcheck source=/dev/null
. .ci/web-toolchain
web_compiler
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$WEB_LINKER
export CARGO_TARGET_DIR=${HITMASK_WEB_TARGET:-$root/target/web}/demo
# A page is downloaded: these settings save 15% of the module, gzipped.
export CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
export CARGO_PROFILE_RELEASE_PANIC=abort CARGO_PROFILE_RELEASE_STRIP=true
# Texts of panics name source files, not folders of this machine.
RUSTFLAGS="-C target-feature=+simd128 --remap-path-prefix=$root=hitmask --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo" \
  cargo build --quiet --locked --release -p hitmask-demo --bin hitmask-demo --target $target "${WEB_STD[@]}"

mkdir -p "$page"
cp "$CARGO_TARGET_DIR/$target/release/hitmask-demo.wasm" tools/demo/page/index.html "$page"
# The script of the window library, of the very version that the module was built with.
miniquad=$(cargo metadata --locked --format-version 1 | python3 -c '
import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(next(os.path.dirname(p["manifest_path"]) for p in packages if p["name"] == "miniquad"))')
cp "$miniquad/js/gl.js" "$page"
printf '%s bytes, %s gzipped\n' "$(wc -c <"$page/hitmask-demo.wasm")" "$(gzip -9 -c "$page/hitmask-demo.wasm" | wc -c)"
