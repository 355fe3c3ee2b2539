#!/bin/sh
# Builds the packages for C# and checks each by its rules: files, descriptions, and programs that use them. Runs the
# tests of the classes with .NET too.
#
#   tools/capi/csharp/check.sh [FOLDER [bench]]
#
# FOLDER holds libhitmask_capi.so; by default the one of `cargo build -p hitmask-capi`. Needs mono-mcs, mono-runtime, unzip
# and python3 with venv. The command line of hitmask, in HITMASK or target/debug, bakes for MonoGame; else that part is
# left out. The runtime of .NET comes from PyPI, as the package dotnetcore2: .NET Core 3.1 for x86_64. No SDK is there, and
# neither Unity nor MonoGame runs here. With `bench`, times calls through the classes beside those of C instead.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
built=${1:-}
if [ -z "$built" ]; then
  (cd "$root" && cargo build -p hitmask-capi)
  built=$target/debug
fi
built=$(cd "$built" && pwd)
command=${HITMASK:-$target/debug/hitmask}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=$here/../tests/csharp examples=$here/../examples

framework=-
if [ "$(uname -sm)" = "Linux x86_64" ]; then
  net=$target/dotnetcore2
  if [ ! -x "$net/dotnetcore2/bin/dotnet" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" download --quiet --no-deps --dest "$work" dotnetcore2==3.1.23
    mkdir -p "$net"
    unzip -q -o "$work"/dotnetcore2-*.whl -d "$net"
    chmod +x "$net/dotnetcore2/bin/dotnet"
  fi
  framework=$net/dotnetcore2/bin/shared/Microsoft.NETCore.App/3.1.23
fi
python3 "$here/package.py" "$work/packages" "$framework" "linux-x64=$built/libhitmask_capi.so"

echo "== Unity: files"
unity=$work/packages/com.hitmask.hitmask
python3 - "$unity" <<'END'
import json, sys
from pathlib import Path
package = Path(sys.argv[1])
manifest = json.loads((package / "package.json").read_text())
assert manifest["name"] == "com.hitmask.hitmask" and manifest["unity"] == "2021.2", manifest
assert all((package / sample["path"]).is_dir() for sample in manifest["samples"])
names = {json.loads(path.read_text())["name"] for path in package.rglob("*.asmdef")}
for path in package.rglob("*.asmdef"):
    assert set(json.loads(path.read_text())["references"]) <= names, path
guids = set()
for path in package.rglob("*"):
    if path.suffix != ".meta" and "Samples~" not in path.relative_to(package).parts:
        lines = path.with_name(path.name + ".meta").read_text().splitlines()
        assert lines[0] == "fileFormatVersion: 2" and len(lines[1]) == len("guid: ") + 32, path
        guids.add(lines[1])
assert len(guids) == len(list(package.rglob("*.meta"))) >= 16, len(guids)
library = (package / "Runtime/Plugins/Linux/x86_64/libhitmask.so.meta").read_text()
assert "CPU: x86_64" in library and "Editor: Editor" in library, library
END
echo "== Unity: compiled with a stand-in for its types"
mcs -langversion:7.2 -target:library -out:"$work/UnityEngine.dll" "$tests/UnityStub.cs"
mcs -unsafe -optimize -langversion:7.2 -warnaserror -target:library -out:"$work/Hitmask.dll" "$unity"/Runtime/*.cs
mcs -unsafe -langversion:7.2 -warnaserror -define:UNITY_2017_1_OR_NEWER,UNITY_IOS -target:library -out:"$work/iOS.dll" \
  "$unity"/Runtime/*.cs
mcs -langversion:7.2 -warnaserror -target:library -r:"$work/Hitmask.dll",System.Core.dll -r:"$work/UnityEngine.dll" \
  -out:"$work/Swarm.dll" "$unity"/Runtime/Unity/*.cs "$unity"/Samples~/Swarm/*.cs
# Ahead of time, C# code that C calls is a static method with an attribute, and no generic one.
for field in $(sed -n 's/.*static readonly hm_[a-z_]* [A-Za-z]* = \(On[A-Za-z]*\);/\1/p' "$here/Hitmask.cs"); do
  grep -B1 "static \(byte\|void\) $field(" "$here/Hitmask.cs" | grep -q MonoPInvokeCallback
done

if [ "$framework" != - ]; then
echo "== NuGet: files"
mkdir "$work/nuget"
unzip -q "$work"/packages/Hitmask.*.nupkg -d "$work/nuget"
python3 - "$work/nuget" <<'END'
import sys, xml.etree.ElementTree as ElementTree
from pathlib import Path
package = Path(sys.argv[1])
nuspec = ElementTree.parse(package / "Hitmask.nuspec").getroot()
read = {element.tag.split("}")[1]: element.text for element in nuspec[0]}
assert read["id"] == "Hitmask" and read["license"] == "MIT OR Apache-2.0" and (package / read["readme"]).exists(), read
types = ElementTree.parse(package / "[Content_Types].xml").getroot()
known = {element.get("Extension") for element in types}
assert {path.name.rsplit(".")[-1] for path in package.rglob("*") if path.is_file()} <= known | {"xml"}, known
target = ElementTree.parse(package / "_rels/.rels").getroot()[0].get("Target")
assert (package / target.lstrip("/")).exists(), target
members = ElementTree.parse(package / "lib/netstandard2.1/Hitmask.xml").getroot()[1]
assert len(members) > 800 and all(member.find("summary") is not None or member.find("inheritdoc") is not None for member in members)
END

  # Runs the program `source`, with `more` for the compiler, with .NET and the package.
  run() {
    name=$(basename "$source" .cs)
    mkdir -p "$work/$name"
    # shellcheck disable=SC2086
    python3 "$here/package.py" --compile "$framework" "$work/$name/$name.dll" -r:"$work/nuget/lib/netstandard2.1/Hitmask.dll" \
      -r:"$framework/netstandard.dll" "$source" $more
    cp "$work/nuget/lib/netstandard2.1/Hitmask.dll" "$work/nuget/runtimes/linux-x64/native/libhitmask.so" "$work/$name"
    cat >"$work/$name/$name.runtimeconfig.json" <<'END'
{ "runtimeOptions": {
  "framework": { "name": "Microsoft.NETCore.App", "version": "3.1.0" },
  "configProperties": { "System.Globalization.Invariant": true } } }
END
    "$net/dotnetcore2/bin/dotnet" "$work/$name/$name.dll" "$@"
  }
  if [ "${2:-}" = bench ]; then
    more=-unsafe source=$here/../benches/Overhead.cs
    # Methods are optimised when they are first compiled, not after a while.
    COMPlus_TieredCompilation=0 run
    mcs -unsafe -optimize -langversion:7.2 -r:"$work/Hitmask.dll" -out:"$work/Overhead.exe" "$source"
    LD_LIBRARY_PATH=$work/Overhead mono "$work/Overhead.exe"
    exit
  fi
  echo "== .NET: the first program"
  more= source=$examples/First.cs
  test "$(run)" = "tick 79: 1 px, the first at 93, 47"
  echo "== .NET: the tests of the classes"
  source=$tests/Classes.cs
  run "$here/../tests/yard.hitmask"
  source=$tests/Fuzz.cs
  run 100000 3 | tail -n 1
  echo "== .NET: games"
  for game in Hero Swarm; do
    source=$examples/csharp/$game.cs more=$examples/csharp/Picture.cs
    frames=
    [ $game = Swarm ] && frames=30
    run $frames "$work/$game.png"
    test -s "$work/$game.png"
  done
fi

echo "== MonoGame: files"
python3 - "$work/packages/monogame" >"$work/command" <<'END'
import re, sys, xml.etree.ElementTree as ElementTree
from pathlib import Path
package = Path(sys.argv[1])
project = ElementTree.parse(package / "Hitmask.targets").getroot()
values = {element.tag: element.text for element in project.find("PropertyGroup")}
atlas = Path(values["HitmaskAtlas"]).name
assert (package / "Hitmask.mgcb").read_text() == f"#begin {atlas}\n/copy:{atlas}\n"
command = project.find("Target/Exec").get("Command")
print(re.sub(r"\$\((\w+)\)", lambda name: values[name[1]], command))
END
if [ -x "$command" ]; then
  echo "== MonoGame: the command of the project bakes, and the game opens the atlas"
  mkdir -p "$work/game/bin" "$work/game/Content"
  cp -R "$root/tools/bake/game/art" "$work/game/Content/art"
  ln -s "$command" "$work/game/bin/hitmask"
  (cd "$work/game" && PATH="$work/game/bin:$PATH" sh -e "$work/command" >/dev/null)
  cat >"$work/Game.cs" <<'END'
static class Game {
    static void Main(string[] arguments) {
        using (var atlas = HitmaskContent.Load(() => System.IO.File.OpenRead(arguments[0]))) {
            System.Console.WriteLine(atlas.SpriteInfo(atlas.Sprite("ship")).Name);
        }
    }
}
END
  mcs -langversion:7.2 -warnaserror -r:"$work/Hitmask.dll" -out:"$work/Game.exe" "$work/Game.cs" "$work/packages/monogame/Content.cs"
  cp "$built/libhitmask_capi.so" "$work/libhitmask.so"
  test "$(LD_LIBRARY_PATH="$work" mono "$work/Game.exe" "$work/game/Content/sprites.hitmask")" = ship
else
  echo "left out: there is no $command"
fi
