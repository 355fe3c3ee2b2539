#!/usr/bin/env bash
# Builds the wheel, installs it in a clean environment and runs its tests: `tools/python/check.sh [PROFILE]`.
#
# PROFILE is a profile of cargo. The default, dev, takes the dependencies that `cargo test` has compiled. `wheel` is
# what people download: its size has a limit, and the tests run in a debug build of Python and two games of Debian too.
set -euo pipefail
cd "$(dirname "$0")"
profile=${1:-dev}
root=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
work=$target/python
rm -rf "$work" && mkdir -p "$work"

python3 -m venv "$work/build"
"$work/build/bin/pip" install -q 'maturin>=1.9,<2'
PYO3_PYTHON="$work/build/bin/python" "$work/build/bin/maturin" build --quiet --profile "$profile" \
  --compression-level 9 --out "$work/wheels"
wheel=("$work"/wheels/*.whl)
bytes=$(stat -c %s "${wheel[0]}")
echo "${wheel[0]##*/}: $bytes bytes"
limit=3400000
if [ "$profile" = wheel ] && [ "$bytes" -gt "$limit" ]; then
  echo "error: the wheel has $bytes bytes, and the limit is $limit; look for a new dependency with 'cargo bloat'" >&2
  exit 1
fi

# Away from the sources, so that the wheel alone is tested.
python3 -m venv "$work/clean"
"$work/clean/bin/pip" install -q "${wheel[0]}[test]"
cp -r tests examples README.md pyproject.toml "$work"
cp ../capi/tests/yard{,-edited}.hitmask ../bake/src/SHARDS.md "$work/tests"
# Traces of the naive world. `.ci/run` has compiled their test.
cargo test --quiet -p hitmask -p hitmask-cli --test world traces_
cp -r "$target/tmp/traces" "$work/tests"
HITMASK_GUIDE=$(cd ../guide && pwd)
cd "$work"
export PYTHONFAULTHANDLER=1 HITMASK_GUIDE
[ "$profile" != wheel ] || export HITMASK_CALLS=100000
clean/bin/python -m pytest -q -p no:cacheprovider tests

# The programs for other engines, with those. They pin versions of Pillow, so that they have an environment of their own.
# Pygame Zero asks for pygame, in the place of which pygame-ce is.
missing=()
command -v xvfb-run >/dev/null || missing+=(xvfb xauth)
ldconfig -p | grep -q libGLU || missing+=(libgl1 libgl1-mesa-dri libglu1-mesa)
[ "${#missing[@]}" = 0 ] || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; }
python3 -m venv "$work/engines"
engines/bin/pip install -q "${wheel[0]}" arcade pygame-ce pymunk pytest raylib
engines/bin/pip install -q --no-deps pgzero
HITMASK_ENGINES=1 engines/bin/python -m pytest -q -p no:cacheprovider tests/test_examples.py tests/test_images.py

[ "$profile" = wheel ] || exit 0

# Checks of reference counts and of the interpreter's state, by Debian's Python of the same version.
dpkg -s python3-dbg >/dev/null 2>&1 || { apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-dbg >/dev/null; }
packages=$(clean/bin/python -c 'import numpy; print(numpy.__path__[0].rpartition("/")[0])')
PYTHONPATH=$packages python3-dbg -X dev -W ignore -m pytest -q -p no:cacheprovider tests

mkdir games
(cd games && apt-get download -qq funnyboat krank && for deb in *.deb; do dpkg -x "$deb" .; done)
clean/bin/python tests/games.py games
