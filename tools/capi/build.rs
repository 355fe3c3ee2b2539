//! Gives the shared library its soname: libhitmask.so.0.1 for versions 0.1.x, libhitmask.so.1 for 1.x.y. A program
//! finds only libraries with the interface that it was compiled for.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let number = |name| std::env::var(name).unwrap_or_default();
    let (major, minor) = (number("CARGO_PKG_VERSION_MAJOR"), number("CARGO_PKG_VERSION_MINOR"));
    // Before 1.0 a minor version may change the interface.
    let interface = if major == "0" { format!("0.{minor}") } else { major };
    // cargo-c gives the same soname, and turns this feature on.
    let is_cargo_c = std::env::var_os("CARGO_FEATURE_CAPI").is_some();
    let os = number("CARGO_CFG_TARGET_OS");
    if matches!(os.as_str(), "linux" | "freebsd" | "netbsd" | "openbsd") && !is_cargo_c {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libhitmask.so.{interface}");
    }
}
