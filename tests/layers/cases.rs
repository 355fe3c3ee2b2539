//! Tests of the parser and of the rules, on made-up files.

use super::source::{File, Path};
use super::{disallowed_crates, external_crates, upward};

/// Names of made-up files.
const RUN: &str = "narrow/run.rs";
const BATCH: &str = "narrow/batch/run.rs";
const RECT: &str = "geom/rect.rs";
const FILE: &str = "world/file.rs";
const ADD: &str = "scene/adding.rs";

/// Returns the paths of a file that break the rules of floors.
fn upward_paths(name: &str, text: &str) -> Vec<String> {
    upward(&File::new(name, text))
}

fn paths(text: &str) -> Vec<String> {
    let file = File::new("narrow/x.rs", text);
    file.paths.iter().map(|path| path.names.join("::")).collect()
}

#[test]
fn an_upward_path_is_found_in_every_spelling() {
    let cases = [
        (BATCH, "use crate::atlas::Atlas;", "crate::atlas::Atlas"),
        (
            BATCH,
            "use crate::{geom::Rect, atlas::{Atlas, X as Y}};",
            "crate::atlas::Atlas crate::atlas::X",
        ),
        (RUN, "fn f() -> u32 { crate::world::limit() }", "crate::world::limit"),
        (RUN, "fn f(a: &crate::world::World<'_>) {}", "crate::world::World"),
        (RUN, "fn f() { g(|| [crate::world::X; 2]) }", "crate::world::X"),
        (RUN, "#[derive(crate::world::X)] struct S;", "crate::world::X"),
        (RUN, "macro_rules! m { ($x:ty) => { $crate::world::f::<$x>() } }", "crate::world::f"),
        (RECT, "use super::super::mask::Mask;", "super::super::mask::Mask"),
        ("geom/mod.rs", "use super::mask;", "super::mask"),
        (RECT, "fn f() { super::super::mask::f() }", "super::super::mask::f"),
        (RECT, "mod a { use super::super::super::mask::f; }", "super::super::super::mask::f"),
        (RECT, "fn f() { self::super::super::mask::f() }", "self::super::super::mask::f"),
        (RECT, "fn f<T>() { Vec::<crate::mask::Mask>::new() }", "crate::mask::Mask"),
        // Two modules of one floor, without an exception.
        ("broad/mod.rs", "use crate::raster::Raster;", "crate::raster::Raster"),
        // Re-exports of the crate root.
        ("world/mod.rs", "use crate::Mask;", "crate::Mask"),
        ("world/mod.rs", "use crate::*;", "crate"),
        ("mask/mod.rs", "use super::Atlas;", "super::Atlas"),
    ];
    for (name, text, paths) in cases {
        assert_eq!(upward_paths(name, text).join(" "), paths, "{text}");
    }
}

#[test]
fn downward_paths_comments_strings_and_tests_pass() {
    let cases = [
        (RUN, "use crate::{geom::Rect, mask::{Mask, view}}; use super::super::narrow::x;"),
        (RUN, "use super::x; mod a { use super::super::y; } fn f() { super::y::z() }"),
        (RUN, "// use crate::atlas::A;\n/* crate::atlas::B */ /// [`crate::atlas::C`]\nfn f() {}"),
        (RUN, "const S: &str = \"crate::atlas::A\"; const R: &str = r#\"\"crate::atlas::B\"#;"),
        (RUN, "fn f<'a>(c: char) -> bool { c == '\"' } pub(crate) fn g() {}"),
        (RUN, "pub(in crate::narrow) fn g() -> impl Sized + use<> {}"),
        (RUN, "#[cfg(test)]\nmod tests { use crate::world::World; }"),
        (RUN, "#[cfg(test)] #[inline] fn f<T, U>() -> crate::world::X { crate::world::f() }"),
        (RUN, "#[cfg(all(test, feature = \"image\"))] use crate::world::World;"),
        (RUN, "struct S { #[cfg(test)] a: Vec<crate::world::X>, b: u32 }"),
        (RUN, "#![cfg(test)] use crate::world::World;"),
        ("lib.rs", "mod world; pub use world::World; pub use crate::world::World;"),
        ("world/mod.rs", "fn f() { self::x::y(); other::Thing::new(); x.crate_of(); }"),
    ];
    for (name, text) in cases {
        assert_eq!(upward_paths(name, text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_word_is_found_in_code_and_not_in_comments_strings_and_tests() {
    let names_world = |text: &str| File::new("scene/x.rs", text).words.contains("World");
    for found in [
        "struct S<'w> { world: &'w World }",
        "impl World {}",
        "use crate::world::World;",
        "fn f(v: Vec<World>) { g::<World>(v) }",
        "fn f() { World::new() }",
    ] {
        assert!(names_world(found), "{found}");
    }
    for other in [
        "/// See [`World`].\nfn f() {}",
        "const S: &str = \"World::new\";",
        "#[cfg(test)]\nmod tests { use crate::World; }",
        "struct MyWorld;",
    ] {
        assert!(!names_world(other), "{other}");
    }
}

#[test]
fn code_after_a_test_item_is_read() {
    for skipped in [
        "#[cfg(test)] mod tests { fn f() {} }",
        "#[cfg(test)] mod tests;",
        "#[cfg(test)] use a::{b, c};",
        "#[cfg(test)] const A: [u32; 2] = [1, 2];",
        "#[cfg(test)] #[derive(Clone)] struct S;",
        "#[cfg(test)] impl<T, U> S { fn f(&self) -> Vec<T> { g() } }",
    ] {
        let text = format!("{skipped} fn g() {{ crate::world::f() }}");
        assert_eq!(upward_paths(RUN, &text), ["crate::world::f"], "{text}");
    }
    assert_eq!(
        upward_paths(RUN, "struct S { #[cfg(test)] a: X<Y, Z>, b: crate::world::B }"),
        ["crate::world::B"]
    );
    assert_eq!(upward_paths(RUN, "#[cfg(not(test))] use crate::world::B;"), ["crate::world::B"]);
}

#[test]
fn an_external_crate_is_found_in_every_spelling() {
    let cases = [
        (FILE, "use rayon::{Scope, Yield};", "rayon::Scope rayon::Yield"),
        (FILE, "use {rayon::open, std::fs};", "rayon::open"),
        (FILE, "use rayon as threads;", "rayon"),
        (FILE, "use ::rayon::open;", "::::rayon::open"),
        (FILE, "extern crate rayon as threads;", "rayon"),
        (FILE, "fn f() { rayon::open(path) }", "rayon::open"),
        (FILE, "fn f() { return ::rayon::open(path) }", "::::rayon::open"),
        (FILE, "fn f() -> ::rayon::Scope<u8> {}", "::::rayon::Scope"),
        (
            FILE,
            "fn f(i: &rayon::ScopeImage) -> Result<(), rayon::Yield> {}",
            "rayon::ScopeImage rayon::Yield",
        ),
        (FILE, "fn f() { let x = Vec::<rayon::Scope<u8>>::new(); }", "rayon::Scope"),
        ("world/update.rs", "fn f() { rayon::join(a, b); }", "rayon::join"),
        ("memory/pool.rs", "#[derive(serde::Deserialize)] struct S;", "serde::Deserialize"),
        (
            "geom/path.rs",
            "fn f() { for x in wide::u32x4::ZERO.to_array() {} }",
            "wide::u32x4::ZERO",
        ),
        ("mask/view.rs", "macro_rules! m { () => { bytemuck::cast(1) } }", "bytemuck::cast"),
    ];
    for (name, text, paths) in cases {
        assert_eq!(disallowed_crates(&File::new(name, text)).join(" "), paths, "{text}");
    }
}

#[test]
fn an_allowed_crate_and_a_module_of_the_same_name_pass() {
    let allowed = File::new("memory/parallel.rs", "fn f() { rayon::join(a, b) }");
    assert_eq!((disallowed_crates(&allowed).len(), external_crates(&allowed).len()), (0, 1));
    for (name, text) in [
        (
            "scene/mod.rs",
            "mod rayon; use rayon::find; fn f() { rayon::find(); self::rayon::find() }",
        ),
        (ADD, "use super::rayon; fn f() { rayon::find::<u8>() }"),
        (ADD, "use super::super::scene::{rayon, file}; fn f() { rayon::find() }"),
        (ADD, "use super::threads as rayon; fn f() { rayon::find() }"),
        (ADD, "fn f(rayon: &Pool) { rayon.find(); scene::rayon::find(rayon) }"),
        (ADD, "#[cfg(feature = \"rayon\")] // rayon::open\nfn f() { g(\"rayon::open\") }"),
        (ADD, "#[cfg(test)] mod tests { fn f() { rayon::open(p); rayon::join(a, b) } }"),
    ] {
        assert_eq!(disallowed_crates(&File::new(name, text)), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_use_group_is_split_into_its_paths() {
    let text =
        "use a::{b, c::{d, e as f, *}, self};\n// use g;\npub(crate) use super::h::I;\nfn x() {}";
    assert_eq!(paths(text), ["a::b", "a::c::d", "a::c::e", "a::c", "a", "super::h::I"]);
    let text =
        "fn f() { a::b::<c::D>::e(); <X as y::Z>::w::v(); $p::q; k::l.m::<n::O>(); r#move::s }";
    assert_eq!(paths(text), ["a::b", "c::D", "y::Z", "k::l", "n::O", "move::s"]);
}

#[test]
fn a_relative_path_is_resolved_from_its_module() {
    let at: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
    for (path, to) in [
        ("self::x", "a::b::c::x"),
        ("super::x", "a::b::x"),
        ("super::super::x", "a::x"),
        ("self::super::x", "a::b::x"),
        ("crate::x::y", "x::y"),
        ("crate", ""),
        ("super::super::super", ""),
    ] {
        let names = path.split("::").map(str::to_owned).collect();
        let path = Path { at: at.clone(), names, is_use: true };
        assert_eq!(path.absolute().unwrap().join("::"), to);
    }
}
