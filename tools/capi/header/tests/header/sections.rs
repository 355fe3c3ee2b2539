//! Puts the header into the order in which it is read: worlds first, each section with the types that it adds.
//!
//! cbindgen writes all types first, and functions in the order of modules.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// The sections, and the modules of the sources whose functions they hold.
const SECTIONS: [(&str, &[&str]); 17] = [
    ("Worlds: create, insert, move", &["world", "collider"]),
    ("Updates: the pairs that touch, began and ended, and their contacts", &["events"]),
    ("Queries: what is at a point, in a zone, on a ray, or near", &["query", "lists", "types"]),
    ("Motions: casts, moves up to an obstacle, moves along obstacles", &["motion"]),
    ("Many in one call: inserts, placements, rays, picks, casts, poses drawn ahead", &["bulk"]),
    ("Bodies: colliders of one owner", &["bodies"]),
    ("Run-time masks of a world: terrain that can be destroyed", &["runtime_masks"]),
    ("Snapshots, and the hash of a state", &["snapshot"]),
    ("Atlases: open, find sprites", &["atlas", "sprite"]),
    ("Several atlases in one world, and new versions of them", &["atlases"]),
    ("Maps: levels of an atlas, and their colliders in a world", &["maps"]),
    ("Bakes: images in memory to an atlas", &["baker", "texel_rule"]),
    ("Masks: create, ask, edit", &["mask", "mask_edit", "handles"]),
    ("Two masks at an offset, and shapes of masks", &["mask_pair", "mask_shapes"]),
    ("Shapes for physics engines: outlines, convex pieces, terrain in cells", &["shapes"]),
    ("Batches: many pairs of poses without a world", &["batch"]),
    ("Errors, the log, and the version", &["status", "log"]),
];

/// The line of the introduction where the list of sections goes.
const CONTENTS: &str = " * {CONTENTS}\n";

/// A declaration with its comment.
struct Declaration<'a> {
    block: &'a str,
    /// The lines after the comment.
    code: &'a str,
    name: &'a str,
}

impl<'a> Declaration<'a> {
    fn read(block: &'a str) -> Self {
        let (_, code) = block.split_once("\n */\n").expect("a comment");
        let name = match code.split_once("(*") {
            Some((_, callback)) => callback.split(')').next(),
            None if code.starts_with("#define") => code.split(' ').nth(1),
            None if code.starts_with("typedef") => {
                code.trim_end_matches(';').rsplit([' ', '}']).next()
            }
            None => words(code).find(|word| code.contains(&format!("{word}("))),
        };
        Self { block, code, name: name.expect("a name") }
    }
}

/// Returns the names of this library in C code, without comments of members.
fn words(code: &str) -> impl Iterator<Item = &str> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    let words = lines.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    words.filter(|word| word.starts_with("hm_") || word.starts_with("HM_"))
}

/// Where the sources declare a name: the module, and the type of a constant.
fn origins(sources: &Path) -> HashMap<String, (String, String)> {
    let mut found = HashMap::new();
    for file in std::fs::read_dir(sources.join("src")).expect("sources").flatten() {
        let path = file.path();
        let module = path.file_stem().and_then(|stem| stem.to_str()).expect("a module");
        let text = std::fs::read_to_string(&path).expect("a source file");
        for line in text.lines() {
            let kinds = ["extern \"C\" fn ", "const ", "type ", "struct ", "enum "];
            let Some(rest) = line.strip_prefix("pub ") else { continue };
            let Some(rest) = kinds.iter().find_map(|kind| rest.strip_prefix(kind)) else {
                continue;
            };
            let mut parts = words(rest);
            let Some(name) = parts.next() else { continue };
            let kind = parts.next().filter(|_| rest.contains(": ")).unwrap_or_default();
            found.insert(name.to_string(), (module.to_string(), kind.to_string()));
        }
    }
    found
}

/// Writes each declaration once, after those that it needs.
struct Writer<'a> {
    all: &'a [Declaration<'a>],
    written: Vec<bool>,
    constants: HashMap<&'a str, Vec<usize>>,
    out: String,
}

impl Writer<'_> {
    fn write(&mut self, at: usize) {
        if std::mem::replace(&mut self.written[at], true) {
            return;
        }
        let Declaration { block, code, name } = self.all[at];
        for needed in words(code) {
            if let Some(needed) = self.all.iter().position(|one| one.name == needed) {
                self.write(needed);
            }
        }
        write!(self.out, "{block}\n\n").expect("memory");
        for constant in self.constants.get(name).cloned().unwrap_or_default() {
            self.write(constant);
        }
    }
}

/// Returns the header with a struct for each lent list, and the comment of the list: cbindgen writes `hm_list` once for
/// each type of items, and each list as another name of one.
fn with_lists(header: &str) -> String {
    let (mut structs, mut out) = (HashMap::new(), Vec::new());
    for block in header.split("\n\n") {
        let (comment, code) = block.split_once("\n */\n").unwrap_or(("", block));
        let renamed = code.strip_prefix("typedef ").and_then(|code| code.split_once(' '));
        match (code.rsplit_once("} "), renamed) {
            (Some((members, name)), _) if name.starts_with("hm_list_") => {
                structs.insert(name.trim_end_matches(';'), members);
            }
            (_, Some((list, name))) if list.starts_with("hm_list_") => {
                out.push(format!("{comment}\n */\n{}}} {name}", structs[list]));
            }
            _ => out.push(block.to_owned()),
        }
    }
    out.join("\n\n")
}

/// Returns the header that cbindgen wrote, in sections.
pub(crate) fn in_sections(header: &str, sources: &Path) -> String {
    let header = with_lists(header.trim_end());
    let blocks = header.split("\n\n");
    let (declared, frame): (Vec<&str>, Vec<&str>) =
        blocks.partition(|block| block.starts_with("/**"));
    let [introduction, guard, includes, open, close, end] = frame[..] else {
        panic!("cbindgen writes another form: {frame:#?}");
    };
    let all: Vec<Declaration<'_>> = declared.into_iter().map(Declaration::read).collect();
    let origins = origins(sources);
    let origin = |name: &str| origins.get(name).unwrap_or_else(|| panic!("{name} is in no source"));
    let mut constants: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, constant) in all.iter().enumerate().filter(|(_, one)| one.code.starts_with('#')) {
        constants.entry(&origin(constant.name).1).or_default().push(at);
    }
    let is_used = |name: &str| {
        all.iter().any(|other| other.name != name && words(other.code).any(|word| word == name))
    };
    let mut contents = String::from(" * Contents, each section with the types that it adds:\n");
    let written = vec![false; all.len()];
    let mut writer = Writer { all: &all, written, constants, out: String::new() };
    for (title, modules) in SECTIONS {
        writeln!(contents, " *   {title}").expect("memory");
        let line = "-".repeat(96);
        write!(writer.out, "/* {line}\n * {title}\n * {line} */\n\n").expect("memory");
        let is_here = |one: &Declaration<'_>| modules.contains(&origin(one.name).0.as_str());
        let is_type = |one: &Declaration<'_>| one.code.starts_with("typedef");
        let is_constant = |one: &Declaration<'_>| {
            one.code.starts_with('#') && !origin(one.name).1.starts_with("hm_")
        };
        // First what no declaration takes, such as the values of bytes.
        for (at, _) in all.iter().enumerate().filter(|(_, one)| {
            is_here(one) && (is_constant(one) || is_type(one) && !is_used(one.name))
        }) {
            writer.write(at);
        }
        for module in modules {
            for (at, one) in all.iter().enumerate() {
                let is_function = !is_type(one) && !one.code.starts_with('#');
                if is_function && origin(one.name).0 == *module {
                    writer.write(at);
                }
            }
        }
    }
    let left = all.iter().zip(&writer.written).filter(|(_, written)| !**written);
    let left: Vec<&str> = left.map(|(one, _)| one.name).collect();
    assert!(left.is_empty(), "no section has {left:?}");
    let introduction = introduction.replace(CONTENTS, &contents);
    let out = writer.out.trim_end();
    format!("{introduction}\n\n{guard}\n\n{includes}\n\n{open}\n\n{out}\n\n{close}\n\n{end}\n")
}
