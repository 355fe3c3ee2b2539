#!/bin/sh
# Counts the instructions of ticks from Rust and from C with valgrind's callgrind, on one thread. Unlike
# times, the ratio is the same in every run, also on a busy machine.
#
#   tools/capi/benches/instructions.sh [TICKS]
set -eu
ticks=${1:-10}
cd "$(dirname "$0")/../../.."
program=$(cargo bench --quiet -p hitmask-capi --bench overhead --no-run --message-format=json |
  sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
counted() {
  RAYON_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" --side "$1" \
    --ticks "$2" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
for side in Rust C; do
  # Without the start of the program, and the first tick that fills caches.
  all=$(counted $side $((ticks + 1)))
  start=$(counted $side 1)
  echo "$side $(((all - start) / ticks))"
done | awk '
  { count[$1] = $2; printf "%s: %.2f million instructions a tick\n", $1, $2 / 1e6 }
  END {
    printf "C beside Rust: %+.2f%%\n", 100 * (count["C"] / count["Rust"] - 1)
  }'
