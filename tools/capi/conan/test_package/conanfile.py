"""Builds first.c with the package and runs it."""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class FirstTest(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            program = Path(self.build_folder, self.cpp.build.bindir, "first")
            # It ends with 1, because the folder has no atlas.
            self.run(f'"{program}" 2>&1 | grep "cannot read sprites.hitmask"', env="conanrun")
