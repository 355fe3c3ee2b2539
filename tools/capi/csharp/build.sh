#!/bin/sh
# Compiles the classes for C# to Hitmask.dll, with their documentation in Hitmask.xml. Needs mcs of mono.
#
#   tools/capi/csharp/build.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?give the folder for Hitmask.dll}"
mcs -unsafe -optimize -langversion:7.2 -warnaserror -warn:4 -target:library -doc:"$1/Hitmask.xml" -out:"$1/Hitmask.dll" \
  "$here"/*.cs
