#!/usr/bin/env bash
# Builds the WebAssembly modules of the npm package into tools/web/wasm, and reports their sizes:
# hitmask.simd.wasm with simd128, and hitmask.wasm without.
#
#   tools/web/build.sh                 # with the target of rustup, if installed, else as in CI
#   tools/web/build.sh simd128         # one of the two: simd128 or plain
#
# With rustup: `rustup target add wasm32-unknown-unknown`. Without: the Debian packages of
# .ci/web-toolchain, whose compiler builds its standard library (200 MB to download).
# wasm-opt is not used: at -Oz it saved 1%, in 20 s.
set -euo pipefail
cd "$(dirname "$0")"
# The limit of one module, gzipped, in bytes. Measured: 582,000 (plain: 604,000) with opt-level "s" for the
# library. With fewer functions of the C interface, when that took 500,000: 475,000 with "z" (updates take 5
# times as long), 633,000 with 3 (3/4 of the time), and 437,000 with "s", without texts of panics, and with a
# standard library for size.
limit=615000
root=$(cd ../.. && pwd)
target=wasm32-unknown-unknown
export CARGO_TARGET_DIR=${HITMASK_WEB_TARGET:-$root/target/web}
std=()
if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
  # shellcheck source=/dev/null
  . "$root/.ci/web-toolchain"
  web_toolchain
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$WEB_LINKER
  export RUSTC=$WEB_RUSTC RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER
  std=(-Zbuild-std=std,panic_abort)
fi

mkdir -p wasm
# The package has copies of the licences.
cp "$root"/LICENSE-* .
build() {
  local name=$1 flags=$2
  # Texts of panics name source files, not folders of this machine.
  flags+=" --remap-path-prefix=$root=hitmask --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
  # One folder each: cargo would build all again for other flags beside a remapped path.
  local to=$CARGO_TARGET_DIR/$name
  RUSTFLAGS="$flags" CARGO_TARGET_DIR=$to cargo build --quiet --locked --release --target $target "${std[@]}"
  cp "$to/$target/release/hitmask.wasm" "wasm/$name"
}
parts=" ${*:-simd128 plain} "
if [[ $parts == *" simd128 "* ]]; then build hitmask.simd.wasm "-C target-feature=+simd128"; fi
if [[ $parts == *" plain "* ]]; then build hitmask.wasm ""; fi

for module in wasm/*.wasm; do
  size=$(gzip -9 -c "$module" | wc -c)
  printf '%-24s %8d bytes, %7d gzipped\n' "$module" "$(wc -c <"$module")" "$size"
  if [ "$size" -gt "$limit" ]; then
    echo "error: $module has $size bytes gzipped, and the limit is $limit" >&2
    exit 1
  fi
done
