//! Imports within a folder: none runs up or in a circle. The files and folders in it form an order,
//! the `mod.rs` among them.
//!
//! An item that a `mod.rs` re-exports counts as an import of the file that defines it. An item that
//! a `mod.rs` defines itself is an import of the `mod.rs`, which names all that it re-exports.

use super::source::{File, Module, Path, library, sources};
use std::collections::{BTreeMap, BTreeSet};

/// The folders of crate roots, each with a number of paths between files that it exceeds. Fewer paths
/// mean that the parser misses some.
const TOOLS: [(&str, usize); 7] = [
    ("tools/bake/src", 50),
    ("tools/bevy/src", 50),
    ("tools/capi/src", 100),
    ("tools/cli/src", 50),
    ("tools/demo/src", 50),
    ("tools/demo/src/bin/window", 4),
    ("tools/python/src", 30),
];

/// The files and folders in a folder, each with those that it names.
type Siblings = BTreeMap<String, BTreeSet<String>>;

struct ModuleGraph(BTreeMap<Module, File>);

impl ModuleGraph {
    /// Tests whether a module has submodules in files of their own.
    fn is_folder(&self, module: &[String]) -> bool {
        self.0.keys().any(|other| other.len() > module.len() && other.starts_with(module))
    }

    /// Resolves `names` from `module` to the file of the item. Returns `None` for items of other crates
    /// and for names that the file imports.
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
            let of_file = |names: &&Vec<String>| {
                let child = [&at[..], &names[..1]].concat();
                names.last() == Some(name) && self.0.contains_key(&child)
            };
            let Some(names) = imports.map(|path| &path.names).find(of_file) else { break };
            return self.file(&at, &[&names[..], &rest[n + 1..]].concat());
        }
        // An inline module belongs to its file.
        while !self.0.contains_key(&at) {
            at.pop()?;
        }
        Some(at)
    }

    /// Returns the order to be of each folder, and the number of paths between files.
    fn folders(&self) -> (BTreeMap<Module, Siblings>, usize) {
        let (mut folders, mut count) = (BTreeMap::<Module, Siblings>::new(), 0);
        for (from, file) in &self.0 {
            let to = |path: &Path| self.file(&path.at, &path.names).filter(|to| to != from);
            for to in file.paths.iter().filter_map(to) {
                count += 1;
                let depth = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                let [a, b] = [from, &to]
                    .map(|module| module.get(depth).map_or("mod.rs", String::as_str).to_owned());
                folders.entry(to[..depth].to_vec()).or_default().entry(a).or_default().insert(b);
            }
        }
        (folders, count)
    }
}

/// Returns a cycle as text, if there is one.
fn cycle(mut siblings: Siblings) -> Option<String> {
    // Drops whatever leads to no cycle.
    let is_end = |left: &Siblings, to: &BTreeSet<_>| !to.iter().any(|to| left.contains_key(to));
    while let Some(end) =
        siblings.iter().find(|(_, to)| is_end(&siblings, to)).map(|(name, _)| name.clone())
    {
        siblings.remove(&end);
    }
    let mut walk = vec![siblings.keys().next()?];
    loop {
        let next = siblings[walk[walk.len() - 1]].iter().find(|to| siblings.contains_key(*to))?;
        if let Some(start) = walk.iter().position(|name| *name == next) {
            walk.push(next);
            return Some(
                walk[start..].iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" -> "),
            );
        }
        walk.push(next);
    }
}

/// Returns a cycle in each folder that has one, and the number of paths between files.
fn find_cycles(files: Vec<File>) -> (Vec<String>, usize) {
    let graph = ModuleGraph(files.into_iter().map(|file| (file.module.clone(), file)).collect());
    let (folders, count) = graph.folders();
    let text = |(folder, siblings): (Module, Siblings)| {
        Some(format!("{}: {}", folder.join("/"), cycle(siblings)?))
    };
    (folders.into_iter().filter_map(text).collect(), count)
}

#[test]
fn imports_in_folders_have_no_cycle() {
    let (cycles, count) = find_cycles(library());
    assert_eq!(cycles, Vec::<String>::new());
    // There are more than 500. Fewer mean that the parser misses some.
    assert!(count > 500, "only {count} paths between files were found");
}

#[test]
fn imports_in_folders_of_tools_have_no_cycle() {
    for (folder, min_paths) in TOOLS {
        let mut files = sources(folder);
        // Binaries are crates of their own.
        files.retain(|file| !file.name.starts_with("bin/"));
        let (cycles, count) = find_cycles(files);
        assert_eq!(cycles, Vec::<String>::new(), "{folder}");
        assert!(count > min_paths, "{folder}: only {count} paths between files were found");
    }
}
