-- luarocks make tools/capi/love/hitmask-scm-1.rockspec      (in the root of the repository, with cargo)
rockspec_format = "3.0"
package = "hitmask"
version = "scm-1"
source = { url = "git+file://." }
description = {
  summary = "Pixel-perfect 2D sprite collisions, for LuaJIT and LÖVE",
  license = "MIT OR Apache-2.0",
}
supported_platforms = { "unix" }
dependencies = { "lua == 5.1" }
build = {
  type = "command",
  build_command = "cargo build --release --locked -p hitmask-capi",
  install_command = "cp target/release/libhitmask_capi.so $(LIBDIR)/libhitmask.so",
  platforms = {
    macosx = { install_command = "cp target/release/libhitmask_capi.dylib $(LIBDIR)/libhitmask.so" },
  },
  install = { lua = { hitmask = "tools/capi/love/hitmask.lua" } },
}
