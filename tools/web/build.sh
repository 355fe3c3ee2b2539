#!/usr/bin/env bash
# Builds the WebAssembly modules of the npm package into tools/web/wasm, and reports their sizes:
#
#   hitmask.wasm         what the package calls
#   hitmask.nobake.wasm  the same without bake() and shapes
#   hitmask.all.wasm     all functions of the C interface; with simd128 only
#
# and the same with simd128, such as hitmask.simd.wasm. Bundles the scripts with the latter as inline.js and
# inline.global.js, and those without a module as CommonJS, after `npm ci`.
#
#   tools/web/build.sh                 # both instruction sets
#   tools/web/build.sh simd128         # one of the two: simd128 or plain
#   HITMASK_WEB_WITHOUT='snapshot|restore' tools/web/build.sh simd128   # and target/web/hitmask.custom.wasm, without
#                                      # functions of these names and bake(); bench/sizes.md has what each part takes
#
# Needs the sources of the standard library, which is built for size: by `rustup component add rust-src`, or
# by .ci/web-toolchain with packages of Debian (140 MB to download), which CI takes. With no more than
# `rustup target add wasm32-unknown-unknown`, the modules are 8% larger.
# bench/sizes.md has what takes the bytes, and what was tried.
set -euo pipefail
cd "$(dirname "$0")"
parts=" ${*:-simd128 plain} "

# What is missing is said now, not after minutes of compilation.
lacks() { printf 'error: %s\n  help: %s\n' "$1" "$2" >&2; exit 1; }
for part in $parts; do
  [[ $part == simd128 || $part == plain ]] || lacks "unknown part '$part'" "give simd128, plain, or nothing for both"
done
command -v cargo >/dev/null || lacks "cargo is not installed" "install Rust: https://rustup.rs"
if [[ $parts == *" simd128 "* && ! -x node_modules/.bin/esbuild ]]; then
  command -v npm >/dev/null || lacks "npm is not installed, which brings the bundler" "install Node.js: https://nodejs.org"
  lacks "the bundler is not installed: node_modules/.bin/esbuild is missing" "run \`npm ci\` in $PWD"
fi
# The library has opt-level "s". With "z" updates take 5 times as long. With 3 they take 3/4 of the time, and modules
# are 27% larger. .ci/web watches the sizes.
root=$(cd ../.. && pwd)
target=wasm32-unknown-unknown
export CARGO_TARGET_DIR=${HITMASK_WEB_TARGET:-$root/target/web}
# shellcheck source=/dev/null
. "$root/.ci/web-toolchain"
web_compiler
if [ "${#WEB_STD[@]}" = 0 ]; then
  echo "note: no sources of the standard library, so the modules are 8% larger" >&2
else
  # Sorts of a few hundred bytes instead of some thousand for each type. Updates are as fast.
  WEB_STD+=(-Zbuild-std-features=optimize_for_size)
fi

# Names of functions, for bench/parts.js.
strip=${HITMASK_WEB_NAMES:+debug}
strip=${strip:-all}

mkdir -p wasm
# The package has copies of the licences.
cp "$root"/LICENSE-* .

# Compiles the library with one instruction set, with or without the baker. Sets `archive`.
compile() {
  local name=$1 flags=$2 features=("${@:3}")
  # Texts of panics name source files, not folders of this machine.
  flags+=" --remap-path-prefix=$root=hitmask --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
  # One folder each: cargo would build all again for other flags beside a remapped path.
  local to=$CARGO_TARGET_DIR/$name
  RUSTFLAGS="$flags" CARGO_TARGET_DIR=$to \
    cargo build --quiet --locked --release --target $target "${WEB_STD[@]}" "${features[@]}"
  archive=$to/$target/release/libhitmask.a
}

# Links a module that exports the named functions. Only they and what they call are in it.
link() {
  local module=$1 exports=("${@:2}")
  # As rustc links: the stack lies first, so that an overflow traps.
  "$WEB_LINKER" -flavor wasm --no-entry --stack-first -z stack-size=1048576 -O3 --gc-sections "--strip-$strip" \
    "${exports[@]/#/--export=}" "$archive" -o "$module"
}

mapfile -t called < <(grep -oh 'exports\.hm_[a-z0-9_]*' lib/*.js | sed 's/exports\.//' | sort -u)
mapfile -t opening < <(printf '%s\n' "${called[@]}" | grep -v -e '^hm_baker_' -e '^hm_default_bake_settings$' -e shape)
mapfile -t all < <(grep -oh '\bhm_[a-z0-9_]*(' ../capi/include/hitmask.h src/*.rs | tr -d '(' | sort -u)
if [[ $parts == *" simd128 "* ]]; then
  compile simd128 "-C target-feature=+simd128"
  link wasm/hitmask.simd.wasm "${called[@]}"
  link wasm/hitmask.all.simd.wasm "${all[@]}"
  compile simd128 "-C target-feature=+simd128" --no-default-features
  link wasm/hitmask.nobake.simd.wasm "${opening[@]}"
  if [ -n "${HITMASK_WEB_WITHOUT:-}" ]; then
    mapfile -t rest < <(printf '%s\n' "${opening[@]}" | grep -vE "$HITMASK_WEB_WITHOUT")
    link "$CARGO_TARGET_DIR/hitmask.custom.wasm" "${rest[@]}"
  fi
  gzip -9 -n -c wasm/hitmask.simd.wasm >wasm/inline.gz
  bundle() { node_modules/.bin/esbuild "lib/inline/$1" --bundle --minify --target=es2022 --loader:.gz=binary --log-level=warning "${@:2}"; }
  bundle module.js --format=esm --outfile=inline.js
  bundle global.js --format=iife --global-name=hitmask --outfile=inline.global.js
  rm wasm/inline.gz
  # CommonJS for node, as Jest takes it. Its modules are those in wasm/.
  here='const here = globalThis.process?.getBuiltinModule("node:url").pathToFileURL(`${__dirname}/lib/load.js`).href;'
  node_modules/.bin/esbuild index.js phaser.js pixi.js --bundle --format=cjs --target=es2022 --outdir=. --out-extension:.js=.cjs \
    --define:import.meta.url=here "--banner:js=$here" --log-level=warning
  for types in index phaser pixi lib/adapter; do sed 's/\.js"/.cjs"/' $types.d.ts >$types.d.cts; done
fi
if [[ $parts == *" plain "* ]]; then
  compile plain ""
  link wasm/hitmask.wasm "${called[@]}"
  compile plain "" --no-default-features
  link wasm/hitmask.nobake.wasm "${opening[@]}"
fi

for module in wasm/*.wasm ${HITMASK_WEB_WITHOUT:+"$CARGO_TARGET_DIR/hitmask.custom.wasm"}; do
  printf '%-30s %8d bytes, %7d gzipped\n' "$module" "$(wc -c <"$module")" "$(gzip -9 -c "$module" | wc -c)"
done
