"""Recipe for Conan 2, which builds the C library with cargo: conan create tools/capi/conan"""

import os
import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, load, rm, rmdir


class Hitmask(ConanFile):
    name = "hitmask"
    description = "Pixel-perfect 2D sprite collisions"
    license = "MIT OR Apache-2.0"
    package_type = "library"
    languages = "C"
    settings = "os", "arch", "compiler", "build_type"
    # cargo writes to its target folder alone.
    no_copy_source = True
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    def set_version(self):
        manifest = load(self, Path(self.recipe_folder, "../../../Cargo.toml"))
        self.version = re.search(r'^version = "(.*)"', manifest, re.M)[1]

    def export_sources(self):
        root = Path(self.recipe_folder).parents[2]
        # cargo reads the manifests of all members of the workspace.
        for pattern in ("Cargo.*", "*.md", "LICENSE-*", "src/*", "benches/*", "tests/*", "examples/*", "tools/*"):
            copy(self, pattern, root, self.export_sources_folder, excludes=("*/target/*", "*/node_modules/*", ".git/*"))

    def validate(self):
        if self.settings.os not in ("Linux", "Macos", "FreeBSD"):
            raise ConanInvalidConfiguration(f"install.sh cannot install for {self.settings.os}")

    def package_id(self):
        # The interface is that of C.
        del self.info.settings.compiler

    def _target(self):
        return os.environ.get("CARGO_TARGET_DIR", Path(self.build_folder, "target"))

    def _is_debug(self):
        return self.settings.build_type == "Debug"

    def build(self):
        profile = "dev" if self._is_debug() else "release"
        command = f'cargo build --locked -p hitmask-capi --profile {profile} --target-dir "{self._target()}"'
        self.run(command, cwd=self.source_folder)

    def package(self):
        built = Path(self._target(), "debug" if self._is_debug() else "release")
        self.run(f'tools/capi/install.sh "{self.package_folder}" "{built}"', cwd=self.source_folder)
        libraries = Path(self.package_folder, "lib")
        rm(self, "*.a" if self.options.shared else "*.so*", libraries)
        rm(self, "*.a" if self.options.shared else "*.dylib", libraries)
        # Conan writes files of its own.
        rmdir(self, libraries / "cmake")
        rmdir(self, libraries / "pkgconfig")
        copy(self, "LICENSE-*", self.source_folder, Path(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["hitmask"]
        if not self.options.shared and self.settings.os != "Macos":
            self.cpp_info.system_libs = ["pthread", "dl", "m", "gcc_s"]
