//! The committed header is the one that the sources give, and the declarations for C# and LuaJIT are those of the
//! header. `HITMASK_BLESS=1` writes all, and the table of calls.

mod c_sharp;
mod c_sharp_classes;
mod callers;
mod calls;
mod items;
mod lua;
mod sections;

use std::path::Path;

const INTRODUCTION: &str = include_str!("introduction.h");

/// Returns the folder of the C interface.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder")
}

fn header(sources: &Path) -> String {
    let config = cbindgen::Config {
        language: cbindgen::Language::C,
        cpp_compat: true,
        style: cbindgen::Style::Type,
        include_guard: Some("HITMASK_H".into()),
        header: Some(INTRODUCTION.trim_end().into()),
        documentation_style: cbindgen::DocumentationStyle::Doxy,
        usize_is_size_t: true,
        line_length: 100,
        ..cbindgen::Config::default()
    };
    let mut out = Vec::new();
    cbindgen::Builder::new()
        .with_crate(sources)
        .with_config(config)
        .generate()
        .expect("the sources can be parsed")
        .write(&mut out);
    sections::in_sections(&String::from_utf8(out).expect("sources are UTF-8"), sources)
}

/// Returns the names of the exported functions, in the order of names.
fn exports() -> Vec<String> {
    let mut names = Vec::new();
    for file in std::fs::read_dir(root().join("src")).expect("sources").flatten() {
        let text = std::fs::read_to_string(file.path()).expect("a source file");
        let exported = text.lines().filter_map(|line| line.strip_prefix("pub extern \"C\" fn "));
        names.extend(exported.filter_map(|line| line.split('(').next()).map(str::to_owned));
    }
    names.sort();
    names
}

/// Compares a committed file with what it should be. Writes it if asked to.
fn check_current(file: &str, current: &str) {
    let path = root().join(file);
    if std::env::var_os("HITMASK_BLESS").is_some() {
        std::fs::write(&path, current).expect("the file can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let line = |text: &str, at: usize| text.lines().nth(at).unwrap_or("(end)").to_string();
    let differs =
        (0..current.lines().count() + 1).find(|&at| line(current, at) != line(&committed, at));
    if let Some(at) = differs {
        let (now, was) = (line(current, at), line(&committed, at));
        panic!(
            "{file}, line {}: {was:?} should be {now:?}; run the test with HITMASK_BLESS=1",
            at + 1
        );
    }
}

#[test]
fn the_committed_header_is_current() {
    check_current("include/hitmask.h", &header(root()));
}

#[test]
fn the_committed_declarations_for_c_sharp_are_current() {
    let header = c_sharp::Header::read(&header(root()));
    let names = c_sharp_classes::names(&header);
    let name_of = |name: &str| names.get(name).cloned();
    check_current("csharp/Native.cs", &c_sharp::native(&header, &name_of));
    check_current("csharp/Classes.cs", &c_sharp_classes::classes(&header));
}

#[test]
fn the_committed_declarations_for_luajit_are_current() {
    let committed = std::fs::read_to_string(root().join("love/hitmask.lua")).expect("the file");
    check_current("love/hitmask.lua", &lua::with_declarations(&committed, &header(root())));
}

#[test]
fn the_header_begins_with_what_a_game_calls_first() {
    let header = header(root());
    let at = |name: &str| header.find(&format!("\nhm_status {name}(")).expect("a function");
    let order = ["hm_world_create", "hm_world_insert", "hm_world_move_to", "hm_world_update"];
    let order = order.into_iter().chain(["hm_world_began", "hm_world_ray", "hm_world_cast"]);
    assert!(order.map(at).is_sorted());
    // Nothing but the status and the handles comes before the first function.
    let before = header[..at("hm_world_create")].matches("\ntypedef struct {").count();
    assert_eq!(before, 0);
}

/// A misaligned reference is undefined before the function can check it.
#[test]
fn no_exported_function_takes_a_reference() {
    for file in std::fs::read_dir(root().join("src")).expect("sources").flatten() {
        let text = std::fs::read_to_string(file.path()).expect("a source file");
        for export in text.split("\npub extern \"C\" fn ").skip(1) {
            let (signature, _) = export.split_once('{').expect("a body");
            assert!(!signature.contains('&'), "{}: {signature}", file.path().display());
        }
    }
}

#[test]
fn every_exported_function_is_declared() {
    let header = header(root());
    let c_sharp = c_sharp::native(&c_sharp::Header::read(&header), &|_| None);
    let lua = lua::with_declarations("ffi.cdef [[\n]]\n", &header);
    for name in exports() {
        assert!(
            header.contains(&format!(" {name}(")) || header.contains(&format!("*{name}(")),
            "{name}"
        );
        assert!(c_sharp.contains(&format!(" {name}(")), "{name} in C#");
        assert!(lua.contains(&format!("{name}(")), "{name} in Lua");
    }
}
