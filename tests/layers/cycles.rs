//! Import cycles: no two files import each other directly or indirectly, even within one folder.
//!
//! An item that a `mod.rs` re-exports counts as an import of the file that defines it. An item that
//! a `mod.rs` defines itself is not counted.

use super::source::{File, Module, Path, library};
use std::collections::BTreeMap;

struct ModuleGraph(BTreeMap<Module, File>);

impl ModuleGraph {
    fn new(files: Vec<File>) -> Self {
        Self(files.into_iter().map(|file| (file.module.clone(), file)).collect())
    }

    /// Tests whether a module has submodules in files of their own.
    fn is_folder(&self, module: &Module) -> bool {
        self.0.keys().any(|other| other.len() > module.len() && other.starts_with(module))
    }

    /// Returns the file that defines the item of `path`.
    ///
    /// `None` for items of other crates and for items that the `mod.rs` of a folder defines.
    fn target(&self, path: &Path) -> Option<Module> {
        self.file(&path.at, &path.names)
    }

    /// Resolves `names` from `module` to a file, as [`Self::target`] does.
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
            // The item is re-exported from a file of the folder, or defined by its `mod.rs`.
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

    /// Returns a cycle reachable from `from` as text, by depth-first search.
    ///
    /// `stack` is the current path. `visited` are the modules that lead to no cycle.
    fn cycle(
        &self,
        stack: &mut Vec<Module>,
        visited: &mut Vec<Module>,
        from: Module,
    ) -> Option<String> {
        if visited.contains(&from) {
            return None;
        }
        if let Some(start) = stack.iter().position(|module| *module == from) {
            let names = stack[start..].iter().chain([&from]).map(|module| module.join("::"));
            return Some(names.collect::<Vec<_>>().join(" -> "));
        }
        stack.push(from.clone());
        for path in &self.0[&from].paths {
            if let Some(to) = self.target(path).filter(|to| *to != from) {
                let cycle = self.cycle(stack, visited, to);
                if cycle.is_some() {
                    return cycle;
                }
            }
        }
        stack.pop();
        visited.push(from);
        None
    }
}

/// Returns a cycle of `files`, if there is one, and the number of paths between files.
pub(crate) fn find_cycle(files: Vec<File>) -> (Option<String>, usize) {
    let graph = ModuleGraph::new(files);
    let mut visited = Vec::new();
    let targets =
        |file: &File| file.paths.iter().filter(|path| graph.target(path).is_some()).count();
    let edges = graph.0.values().map(targets).sum();
    // A `mod.rs` names all files of its folder, so it is no start.
    let mut modules = graph.0.keys().filter(|module| !graph.is_folder(module));
    let cycle = modules.find_map(|from| graph.cycle(&mut Vec::new(), &mut visited, from.clone()));
    (cycle, edges)
}

#[test]
fn imports_of_files_have_no_cycle() {
    let (cycle, edges) = find_cycle(library());
    assert_eq!(cycle, None);
    // There are more than 500. Fewer mean that the parser misses some.
    assert!(edges > 500, "only {edges} paths between files were found");
}

#[test]
fn a_cycle_is_found_by_use_by_full_path_and_through_a_folder() {
    let file = |name: &str, text: &str| File::new(name, text);
    for (text_b, expected) in [
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
            file("x/b.rs", text_b),
            file("x/c.rs", "pub fn h() { super::f() }"),
        ];
        assert_eq!(find_cycle(files).0.as_deref(), Some(expected), "{text_b}");
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
        assert_eq!(find_cycle(files).0, None, "{fine}");
    }
}
