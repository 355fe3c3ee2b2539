#!/usr/bin/env bash
# Builds the whole site into a folder for any static server, or to be opened from the disk: the guide, the playground,
# the window as a web page, the API in Rust, and the report of an atlas.
#
#   tools/guide/build.sh OUT
#
# Needs cargo. HITMASK names the program `hitmask`, if it is built already. The playground and the window need the modules of tools/web/build.sh, and are left out without them.
# Fails if a link of the guide leads nowhere, with its chapter and line.
set -euo pipefail
[ $# = 1 ] || { printf 'error: no folder is given\n  help: run `tools/guide/build.sh OUT`\n' >&2 && exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}

# Writes a page in place of a part that cannot be built here, so that links to it lead somewhere.
left_out() {
  echo "left out: $1, because $3"
  mkdir -p "$out/$2"
  printf '<!doctype html><html lang="en"><title>%s</title><p>This copy of the site was built without %s: %s.</p></html>\n' \
    "$1" "$1" "$3" >"$out/$2/index.html"
}

book() { cargo run --quiet --locked --manifest-path tools/guide/book/Cargo.toml --target-dir "$target/guide" -- "$@"; }
book build "$out"
# What the game on the page about walking needs: the art, and the functions of its program.
cp tools/guide/art.hitmask tools/guide/keys.txt "$out"
sed -n 's/^function/export &/; /^export/,/^}/p' tools/guide/examples/hero/main.mjs >"$out/hero-play.js"

cargo doc --quiet --locked -p hitmask -p hitmask-bake --no-deps --features hitmask/shapes,hitmask/serde --target-dir "$target/guide/api"
rm -rf "$out/api"
cp -r "$target/guide/api/doc" "$out/api"
# The sources are in the repository.
rm -rf "$out/api/src" "$out/api/.lock"

hitmask() { ${HITMASK:-cargo run --quiet --locked -p hitmask-cli --} "$@" >/dev/null; }
hitmask report tools/guide/art.hitmask --output "$out/report.html"
# The level of the example, over its tiles.
level=tools/bake/examples/tiled_platformer
hitmask bake -m "$level/hitmask.toml" -o "$target/guide/yard.hitmask"
hitmask report "$target/guide/yard.hitmask" --art "$level" --output "$out/level.html"
hitmask show "$target/guide/yard.hitmask" yard --png "$target/guide/level.png" --art "$level"
cmp "$target/guide/level.png" tools/guide/chapters/level.png || {
  echo "error: chapters/level.png is of another level; copy $target/guide/level.png there" >&2
  exit 1
}

if [ -e tools/web/wasm/hitmask.simd.wasm ]; then
  tools/web/page/build.sh playground
  rm -rf "$out/playground"
  mkdir -p "$out/playground"
  (cd target/web/page && tar -c --exclude demo .) | tar -x -C "$out/playground"
  if tools/web/page/build.sh demo; then
    rm -rf "$out/demo"
    cp -r target/web/page/demo "$out/demo"
  else
    left_out "the window" demo "it did not compile for the web"
  fi
else
  left_out "the playground" playground "tools/web/build.sh has not built its modules"
  left_out "the window" demo "tools/web/build.sh has not built its modules"
fi

book check "$out"
du -sh "$out" | sed "s|\s.*| in $out|"
