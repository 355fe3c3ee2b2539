//! No files import each other in a circle, not even within one folder. Imports of an item that a
//! folder's `mod.rs` defines itself are not counted; items that it re-exports count as their files'.

use super::source::{File, Module, Path, library};
use std::collections::BTreeMap;

/// The files of a crate by their modules.
struct House(BTreeMap<Module, File>);

impl House {
    fn new(files: Vec<File>) -> Self {
        Self(files.into_iter().map(|file| (file.module.clone(), file)).collect())
    }

    fn is_folder(&self, module: &Module) -> bool {
        self.0.keys().any(|other| other.len() > module.len() && other.starts_with(module))
    }

    /// Returns the file that defines the item of `path`; `None` for another crate's, and for an item that
    /// the `mod.rs` of a folder defines.
    fn target(&self, path: &Path) -> Option<Module> {
        self.file(&path.at, &path.names)
    }

    fn file(&self, module: &[String], names: &[String]) -> Option<Module> {
        let (mut at, mut rest) = (module.to_vec(), names);
        match rest.first()?.as_str() {
            "crate" => (at, rest) = (Module::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {}
            name => {
                let child = [&at[..], &[name.to_owned()]].concat();
                self.0.get(&child)?;
            }
        }
        for (n, name) in rest.iter().enumerate() {
            if name == "super" {
                at.pop();
                continue;
            }
            let child = [&at[..], std::slice::from_ref(name)].concat();
            if self.0.contains_key(&child) {
                at = child;
                continue;
            }
            if !self.is_folder(&at) {
                break;
            }
            // Re-exported from one of the folder's files, or the folder's own.
            let imports = self.0.get(&at)?.paths.iter().filter(|path| path.is_use);
            let names =
                &imports.map(|path| &path.names).find(|names| names.last() == Some(name))?[..];
            let child = [&at[..], &names[..1]].concat();
            let is_file = self.0.contains_key(&child);
            return is_file.then(|| self.file(&at, &[names, &rest[n + 1..]].concat()))?;
        }
        // An inline module belongs to its file.
        while !self.0.contains_key(&at) {
            at.pop()?;
        }
        (!self.is_folder(&at)).then_some(at)
    }

    /// Returns the modules of a circle that starts at `from` or below it, where there is one.
    fn circle(
        &self,
        way: &mut Vec<Module>,
        done: &mut Vec<Module>,
        from: Module,
    ) -> Option<String> {
        if done.contains(&from) {
            return None;
        }
        if let Some(start) = way.iter().position(|module| *module == from) {
            let names = way[start..].iter().chain([&from]).map(|module| module.join("::"));
            return Some(names.collect::<Vec<_>>().join(" -> "));
        }
        way.push(from.clone());
        for path in &self.0[&from].paths {
            if let Some(to) = self.target(path).filter(|to| *to != from) {
                let circle = self.circle(way, done, to);
                if circle.is_some() {
                    return circle;
                }
            }
        }
        way.pop();
        done.push(from);
        None
    }
}

/// Returns a circle of `files`, where there is one, and the number of paths between files.
fn circle(files: Vec<File>) -> (Option<String>, usize) {
    let house = House::new(files);
    let mut done = Vec::new();
    let targets =
        |file: &File| file.paths.iter().filter(|path| house.target(path).is_some()).count();
    let edges = house.0.values().map(targets).sum();
    // The file of a folder names all files of it.
    let mut modules = house.0.keys().filter(|module| !house.is_folder(module));
    let circle = modules.find_map(|from| house.circle(&mut Vec::new(), &mut done, from.clone()));
    (circle, edges)
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let (circle, edges) = circle(library());
    assert_eq!(circle, None);
    assert!(edges > 500, "only {edges} paths between files were found");
}

#[test]
fn a_circle_is_found_by_use_by_full_path_and_through_a_folder() {
    let file = |name: &str, text: &str| File::new(name, text);
    for (back, expected) in [
        ("use super::a::f;", "x::a -> x::b -> x::a"),
        ("fn g() { super::a::f() }", "x::a -> x::b -> x::a"),
        ("fn g() { crate::x::f() }", "x::a -> x::b -> x::a"),
        ("mod inner { use super::super::f; }", "x::a -> x::b -> x::a"),
        ("use super::c; fn g() { c::h() }", "x::a -> x::b -> x::c -> x::a"),
    ] {
        let files = vec![
            file("lib.rs", "mod x;"),
            file("x/mod.rs", "mod a; mod b; mod c; pub use a::f; pub fn own() {}"),
            file("x/a.rs", "use super::b::g; pub fn f() { g() }"),
            file("x/b.rs", back),
            file("x/c.rs", "pub fn h() { super::f() }"),
        ];
        assert_eq!(circle(files).0.as_deref(), Some(expected), "{back}");
    }
    for fine in
        ["use super::own;", "#[cfg(test)] mod tests { use super::super::a::f; }", "use a::f;"]
    {
        let files = vec![
            file("lib.rs", "mod x;"),
            file("x/mod.rs", "mod a; mod b; pub use a::f; pub fn own() {}"),
            file("x/a.rs", "use super::b::g;"),
            file("x/b.rs", fine),
        ];
        assert_eq!(circle(files).0, None, "{fine}");
    }
}
