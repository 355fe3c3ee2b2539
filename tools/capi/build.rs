//! Gives the shared library its soname, so that a program asks for the major version of the interface.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    // cargo-c gives its own soname.
    let is_cargo_c = std::env::var_os("CARGO_C_BUILD").is_some();
    if matches!(os.as_str(), "linux" | "freebsd" | "netbsd" | "openbsd") && !is_cargo_c {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhitmask.so.{major}");
    }
}
