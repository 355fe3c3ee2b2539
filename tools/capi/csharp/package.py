#!/usr/bin/env python3
"""Writes the packages of the classes for C#: a folder for Unity's package manager, one for NuGet, and one for MonoGame.

    tools/capi/csharp/package.py OUTPUT FRAMEWORK RID=LIBRARY...
    tools/capi/csharp/package.py --compile FRAMEWORK OUTPUT ARGUMENT...

FRAMEWORK is the folder of the assemblies of .NET Core 3.1, which the package for NuGet is compiled with; without it, as "-",
that package is left out. RID is linux-x64, osx-x64, osx-arm64, win-x64 or another of .NET, and LIBRARY the shared library
for it. Needs mcs of mono.

With --compile, compiles a program by mcs for .NET.
"""

import hashlib
import json
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCES = ["Classes.cs", "Hitmask.cs", "Native.cs"]
VERSION = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
ABOUT = "Pixel-perfect 2D sprite collisions: exact answers for tens of thousands of sprites a frame."

# Folders of Unity for native libraries: the platform and the processor of the importer.
PLUGINS = {
    "linux-x64": ("Linux/x86_64", "Linux64", "Linux", "x86_64"),
    "osx-x64": ("macOS/x86_64", "OSXUniversal", "OSX", "x86_64"),
    "osx-arm64": ("macOS/arm64", "OSXUniversal", "OSX", "ARM64"),
    "win-x64": ("Windows/x86_64", "Win64", "Windows", "x86_64"),
    "android-arm64": ("Android/arm64-v8a", "Android", None, "ARM64"),
    "ios-arm64": ("iOS", "iOS", None, "ARM64"),
}


def library_name(rid: str) -> str:
    """Returns the name by which runtimes look for the library `hitmask`."""
    if rid.startswith("win"):
        return "hitmask.dll"
    if rid.startswith("ios"):
        return "libhitmask.a"
    return "libhitmask.dylib" if rid.startswith("osx") else "libhitmask.so"


def meta(path: Path, package: Path, rid: str = "") -> str:
    """Returns the text of the file that Unity keeps beside an asset. The package manager takes no asset without one."""
    name = path.relative_to(package).as_posix()
    head = f"fileFormatVersion: 2\nguid: {hashlib.md5(name.encode()).hexdigest()}\n"
    if path.is_dir():
        return head + "folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n"
    if rid:
        _, platform, editor, processor = PLUGINS[rid]
        settings = f"      settings:\n        CPU: {processor}\n"
        editor_data = (
            f"  - first:\n      Editor: Editor\n    second:\n      enabled: 1\n{settings}        OS: {editor}\n" if editor else ""
        )
        kind = "Standalone" if editor else platform
        return (
            head + "PluginImporter:\n  serializedVersion: 2\n  isPreloaded: 0\n  platformData:\n"
            "  - first:\n      Any:\n    second:\n      enabled: 0\n      settings: {}\n"
            + editor_data + f"  - first:\n      {kind}: {platform}\n    second:\n      enabled: 1\n{settings}"
        )
    importer = {".cs": "MonoImporter", ".asmdef": "AssemblyDefinitionImporter", ".json": "PackageManifestImporter"}
    return head + f"{importer.get(path.suffix, 'TextScriptImporter')}:\n  externalObjects: {{}}\n"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def copy(source: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)


def assembly(name: str, references: list[str], is_unsafe: bool) -> str:
    fields = {"name": name, "rootNamespace": "", "references": references, "allowUnsafeCode": is_unsafe, "autoReferenced": True}
    return json.dumps(fields, indent=2) + "\n"


def unity(package: Path, libraries: dict[str, Path]) -> None:
    manifest = {
        "name": "com.hitmask.hitmask",
        "version": VERSION,
        "displayName": "hitmask",
        "description": ABOUT,
        "unity": "2021.2",
        "license": "MIT OR Apache-2.0",
        "keywords": ["2d", "collision", "pixel-perfect"],
        "samples": [{"displayName": "Swarm", "description": "Children that touch.", "path": "Samples~/Swarm"}],
    }
    write(package / "package.json", json.dumps(manifest, indent=2) + "\n")
    write(package / "README.md", f"# hitmask\n\n{ABOUT}\n\nSee the chapter about C# of its guide.\n")
    for name in ["LICENSE-MIT", "LICENSE-APACHE"]:
        copy(ROOT / name, package / f"{name}.md")
    for source in SOURCES:
        copy(HERE / source, package / "Runtime" / source)
    write(package / "Runtime/Hitmask.asmdef", assembly("Hitmask", [], True))
    copy(HERE / "unity/UnityExtensions.cs", package / "Runtime/Unity/UnityExtensions.cs")
    write(package / "Runtime/Unity/Hitmask.Unity.asmdef", assembly("Hitmask.Unity", ["Hitmask"], False))
    copy(HERE / "unity/Swarm/SwarmBehaviour.cs", package / "Samples~/Swarm/SwarmBehaviour.cs")
    write(package / "Samples~/Swarm/Hitmask.Swarm.asmdef", assembly("Hitmask.Swarm", ["Hitmask", "Hitmask.Unity"], False))
    plugins = {}
    for rid, library in libraries.items():
        if rid in PLUGINS:
            to = package / "Runtime/Plugins" / PLUGINS[rid][0] / library_name(rid)
            copy(library, to)
            plugins[to] = rid
    for path in sorted(package.rglob("*")):
        # Unity does not look into folders whose names end so.
        if "Samples~" not in path.relative_to(package).parts:
            write(path.with_name(path.name + ".meta"), meta(path, package, plugins.get(path, "")))


# Assemblies that hold the types of .NET Standard in .NET Core 3.1, with their keys.
FRAMEWORK = {
    "System.Private.CoreLib": "7cec85d7bea7798e",
    "System.Runtime.InteropServices.RuntimeInformation": "b03f5f7f11d50a3a",
}


def to_netstandard(data: bytes) -> bytes:
    """Returns an assembly that refers to .NET Standard 2.1 where it referred to .NET Core, by the layout of ECMA-335, II.24.

    The assembly has a class of the name `netstandard`, so that the name is among its texts.
    """
    root = data.index(b"BSJB")
    at = root + 16 + struct.unpack_from("<I", data, root + 12)[0]
    streams = {}
    for _ in range(struct.unpack_from("<H", data, at + 2)[0]):
        offset, size = struct.unpack_from("<II", data, at + 4)
        name = data[at + 12 : data.index(b"\0", at + 12)].decode()
        streams[name] = (root + offset, size)
        at += 8 + (len(name) + 4) // 4 * 4
    (tables, tables_size), (texts, texts_size), (blobs, blobs_size) = (streams[name] for name in ("#~", "#Strings", "#Blob"))
    sizes = data[tables + 6]

    def text(name: str) -> bytes:
        found = data.index(b"\0" + name.encode() + b"\0", texts, texts + texts_size) + 1 - texts
        return struct.pack("<I" if sizes & 1 else "<H", found)

    changed = bytearray(data)
    for name, key in FRAMEWORK.items():
        token = data.index(b"\x08" + bytes.fromhex(key), blobs, blobs + blobs_size)
        # A row of AssemblyRef: version, flags, token, name.
        middle = bytes(4) + struct.pack("<I" if sizes & 4 else "<H", token - blobs)
        row = middle + text(name)
        if data.count(row, tables, tables + tables_size) != 1:
            sys.exit(f"error: the reference of {name} is not unique")
        found = data.index(row, tables, tables + tables_size)
        changed[found - 8 : found + len(row)] = struct.pack("<HHHH", 2, 1, 0, 0) + middle + text("netstandard")
        changed[token + 1 : token + 9] = bytes.fromhex("cc7b13ffcd2ddd51")
    return bytes(changed)


def compile_with(framework: Path, arguments: list[str]) -> None:
    references = [*FRAMEWORK, "System.Runtime", "System.Runtime.Extensions", "System.Console", "System.Linq", "System.Collections"]
    references += ["System.Threading.Thread", "System.Threading", "System.IO.FileSystem"]
    command = ["mcs", "-nostdlib", "-noconfig", "-optimize", "-langversion:7.2", "-nowarn:1702"]
    subprocess.run(command + [f"-r:{framework}/{name}.dll" for name in references] + arguments, check=True)


def compile_netstandard(framework: Path, folder: Path) -> None:
    extra = folder / "netstandard.cs"
    write(extra, "static class netstandard { }\n")
    library = folder / "Hitmask.dll"
    arguments = ["-unsafe", "-target:library", f"-doc:{folder}/Hitmask.xml", f"-out:{library}", str(extra)]
    compile_with(framework, arguments + [str(HERE / source) for source in SOURCES])
    library.write_bytes(to_netstandard(library.read_bytes()))
    extra.unlink()


def nuget(folder: Path, framework: Path, libraries: dict[str, Path]) -> None:
    write(
        folder / "Hitmask.nuspec",
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">\n  <metadata>\n'
        f"    <id>Hitmask</id>\n    <version>{VERSION}</version>\n    <authors>hitmask</authors>\n"
        f"    <description>{ABOUT}</description>\n"
        '    <license type="expression">MIT OR Apache-2.0</license>\n    <readme>README.md</readme>\n'
        "    <tags>2d collision pixel-perfect sprites MonoGame Godot</tags>\n"
        '    <dependencies>\n      <group targetFramework=".NETStandard2.1" />\n    </dependencies>\n'
        "  </metadata>\n</package>\n",
    )
    write(folder / "README.md", f"# hitmask\n\n{ABOUT}\n")
    compile_netstandard(framework, folder / "lib/netstandard2.1")
    for rid, library in libraries.items():
        copy(library, folder / "runtimes" / rid / "native" / library_name(rid))
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    write(
        folder / "_rels/.rels",
        f'<?xml version="1.0" encoding="utf-8"?>\n<Relationships xmlns="{relations}">\n'
        '  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/Hitmask.nuspec" Id="R0" />\n'
        "</Relationships>\n",
    )
    extensions = {"rels": "application/vnd.openxmlformats-package.relationships+xml"}
    extensions |= {path.suffix[1:]: "application/octet" for path in folder.rglob("*") if path.suffix and path.suffix != ".rels"}
    types = "".join(f'  <Default Extension="{name}" ContentType="{kind}" />\n' for name, kind in sorted(extensions.items()))
    write(
        folder / "[Content_Types].xml",
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\n{types}</Types>\n',
    )


def archive(folder: Path, file: Path) -> None:
    """Packs a folder. The same files give the same bytes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            out.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


def main() -> None:
    if sys.argv[1] == "--compile":
        compile_with(Path(sys.argv[2]), [f"-out:{sys.argv[3]}", *sys.argv[4:]])
        return
    output, framework = Path(sys.argv[1]), sys.argv[2]
    libraries = dict(argument.split("=", 1) for argument in sys.argv[3:])
    libraries = {rid: Path(path) for rid, path in libraries.items()}
    for old in ["com.hitmask.hitmask", "nuget", "monogame"]:
        shutil.rmtree(output / old, ignore_errors=True)
    unity(output / "com.hitmask.hitmask", libraries)
    if framework != "-":
        nuget(output / "nuget", Path(framework), libraries)
        archive(output / "nuget", output / f"Hitmask.{VERSION}.nupkg")
    for name in ["Hitmask.targets", "Hitmask.mgcb", "Content.cs"]:
        copy(HERE / "monogame" / name, output / "monogame" / name)


main()
