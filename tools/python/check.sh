#!/usr/bin/env bash
# Builds the wheel, installs it in a clean environment and runs its tests: `tools/python/check.sh [PROFILE]`.
#
# PROFILE is a profile of cargo. The default, dev, takes the dependencies that `cargo test` has compiled.
set -euo pipefail
cd "$(dirname "$0")"
profile=${1:-dev}
root=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
work=$target/python
rm -rf "$work" && mkdir -p "$work"

python3 -m venv "$work/build"
"$work/build/bin/pip" install -q 'maturin>=1.9,<2'
PYO3_PYTHON="$work/build/bin/python" "$work/build/bin/maturin" build --quiet --profile "$profile" --out "$work/wheels"
wheel=("$work"/wheels/*.whl)
bytes=$(stat -c %s "${wheel[0]}")
echo "${wheel[0]##*/}: $bytes bytes"
if [ "$profile" != dev ] && [ "$bytes" -gt 1500000 ]; then
  echo "error: the wheel has $bytes bytes, and the limit is 1500000; look for a new dependency with 'cargo bloat'" >&2
  exit 1
fi

# Away from the sources, so that the wheel alone is tested.
python3 -m venv "$work/clean"
"$work/clean/bin/pip" install -q "${wheel[0]}[test]"
cp -r tests README.md pyproject.toml "$work"
cd "$work" && PYTHONFAULTHANDLER=1 clean/bin/python -m pytest -q -p no:cacheprovider tests
