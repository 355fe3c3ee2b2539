//! Files do not import each other in a circle, on one floor neither. What a folder's `mod.rs` defines is
//! its folder's own: imports of that are not counted, what it hands on from its files is theirs.

use super::{code, sources};
use std::collections::BTreeMap;
use std::path::Path;

/// A module by the names that lead to it.
type Module = Vec<String>;

/// What each module imports, as written: whole paths, one for each name.
struct House(BTreeMap<Module, Vec<Module>>);

impl House {
    fn read() -> Self {
        let files = sources().into_iter().filter(|(path, _)| !path.iter().any(|at| at == "tests"));
        Self(files.map(|(path, text)| (module(&path), imports(&text))).collect())
    }

    fn is_folder(&self, module: &Module) -> bool {
        self.0.keys().any(|other| other.len() > module.len() && other.starts_with(module))
    }

    /// The file that defines what `path` leads to from `module`; `None` for another crate's, and for what
    /// the `mod.rs` of a folder defines.
    fn file(&self, module: &Module, path: &[String]) -> Option<Module> {
        let (mut at, mut rest) = (module.clone(), path);
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
            // Handed on by the folder, or its own.
            let handed = self.0.get(&at)?.iter().find(|path| path.last() == Some(name))?;
            let child = [&at[..], &handed[..1]].concat();
            let own = self.0.contains_key(&child);
            return if own {
                self.file(&at, &[&handed[..], &rest[n + 1..]].concat())
            } else {
                None
            };
        }
        (!self.is_folder(&at)).then_some(at)
    }

    /// The modules from `from` on that lead back to one that is on the way.
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
        for path in &self.0[&from] {
            if let Some(to) = self.file(&from, path).filter(|to| *to != from) {
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

fn module(path: &Path) -> Module {
    let names = path.with_extension("");
    let mut names: Module = names.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    names.pop_if(|name| name == "mod" || name == "lib");
    names
}

/// The paths that the `use` items of a file name.
fn imports(text: &str) -> Vec<Module> {
    let code: String = code(text).flat_map(|line| [line.trim(), " "]).collect();
    let items = code.split(';').filter_map(|item| {
        let (before, item) = item.rsplit_once("use ")?;
        before.chars().last().is_none_or(char::is_whitespace).then_some(item)
    });
    let mut all = Vec::new();
    items.for_each(|item| expand(&[], item.trim(), &mut all));
    all
}

/// The paths of `a::{b, c::{d, e}}`, each whole.
fn expand(before: &[String], item: &str, all: &mut Vec<Module>) {
    let (names, group) = item.split_once('{').unwrap_or((item, ""));
    let names = names.split("::").map(|name| name.split(" as ").next().unwrap().trim());
    let names = names.filter(|name| !name.is_empty() && *name != "self").map(str::to_owned);
    let path: Module = before.iter().cloned().chain(names).collect();
    let Some(group) = group.trim_end().strip_suffix('}') else { return all.push(path) };
    let (mut depth, mut start) = (0, 0);
    for (at, char) in group.char_indices().chain([(group.len(), ',')]) {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !group[start..at].trim().is_empty() {
                    expand(&path, group[start..at].trim(), all);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let house = House::read();
    let mut done = Vec::new();
    let mut edges = 0;
    for (module, paths) in &house.0 {
        edges += paths.iter().filter(|path| house.file(module, path).is_some()).count();
        // A folder's own file brings its files together.
        if !house.is_folder(module) {
            let circle = house.circle(&mut Vec::new(), &mut done, module.clone());
            assert!(circle.is_none(), "a circle: {}", circle.unwrap_or_default());
        }
    }
    assert!(edges > 500, "{edges} imports were understood, of many more");
}

#[test]
fn paths_of_a_group_are_told_apart() {
    let text =
        "use a::{b, c::{d, e as f}, self};\n// use g;\npub(crate) use super::h::I;\nfn x() {}";
    let paths: Vec<String> = imports(text).iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["a::b", "a::c::d", "a::c::e", "a", "super::h::I"]);
}
