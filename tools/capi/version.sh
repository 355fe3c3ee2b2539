# To be sourced: sets `version`, that of the library, and `interface`, the part of it in the soname. Needs `here`, the
# folder of this file. `build.rs` gives the library the same soname.
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
case $version in
# Before 1.0 a minor version may change the interface.
0.*) interface=${version%.*} ;;
*) interface=${version%%.*} ;;
esac
