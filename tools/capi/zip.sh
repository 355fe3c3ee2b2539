#!/bin/sh
# Writes the archive of a release: headers, libraries, the files for Lua and C#, examples, README and licences.
#
#   tools/capi/zip.sh OUTPUT [FOLDER]
#
# OUTPUT is the folder for hitmask-VERSION-MACHINE.zip. FOLDER is that of install.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "${1:?give the folder for the archive}"
output=$(cd "$1" && pwd)
shift
# shellcheck source=/dev/null
. "$here/version.sh"
name=hitmask-$version-$(uname -sm | tr 'A-Z ' 'a-z-')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$here/install.sh" "$work/$name" "$@" >/dev/null
mkdir "$work/$name/csharp"
cp "$here"/csharp/*.cs "$here/csharp/build.sh" "$work/$name/csharp"
cp -R "$here/README.md" "$here/examples" "$here/love" "$root"/LICENSE-* "$work/$name"
rm "$work/$name"/love/*.rockspec

# The licences of the libraries inside.
sources=${CARGO_HOME:-$HOME/.cargo}/registry/src
(cd "$root" && cargo tree --locked -p hitmask-capi -e normal --prefix none --format '{p} {l}') | sort -u |
  while read -r crate number licence; do
    case $licence in "("*) continue ;; esac # a part of hitmask
    printf '== %s %s: %s\n\n' "$crate" "$number" "$licence"
    find "$sources"/*/"$crate-${number#v}" -maxdepth 1 -iname 'licen[cs]e*' -exec cat {} + | tr -d '\r'
    echo
  done >"$work/$name/LICENSES-OF-LIBRARIES"

rm -f "$output/$name.zip"
(cd "$work" && zip -q -r -y -X "$output/$name.zip" "$name")
echo "$output/$name.zip"
