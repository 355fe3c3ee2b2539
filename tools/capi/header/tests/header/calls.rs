//! The table of the calls of a world by language, `tools/calls.md`: a gap of a language is an empty cell.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Views of a world in Rust, with the name that each of their calls has where calls have no views.
const VIEWS: [(&str, &[(&str, &str)]); 5] = [
    ("PairRef", &[("planes", "overlapping_planes")]),
    (
        "Bodies",
        &[
            ("began", "began_bodies"),
            ("cast", "cast_body"),
            ("ended", "ended_bodies"),
            ("parts", "parts_of"),
            ("touching", "touching_bodies"),
        ],
    ),
    (
        "Probe",
        &[
            ("cast", "cast_mask"),
            ("cast_all", "cast_mask_all"),
            ("push_out", "nearest_free_offset"),
            ("touching", "query_mask"),
        ],
    ),
    (
        "MasksMut",
        &[
            ("edit", "edit_mask"),
            ("insert", "insert_mask"),
            ("insert_drawn", "insert_transformed"),
            ("redraw", "redraw_mask"),
            ("remove", "remove_mask"),
            ("transform", "transform_mask"),
        ],
    ),
    ("AtlasesMut", &[("add", "add_atlas"), ("drop", "drop_atlas"), ("replace", "replace_atlas")]),
];

/// Names of calls in a language, and the name of their row.
const ALIASES: [(&str, &str); 20] = [
    ("__len__", "count"),
    ("add", "insert"),
    ("add_map", "insert_map"),
    ("spawn_map", "insert_map"),
    ("load", "assign"),
    ("add_mask", "insert_mask"),
    ("at_point", "query_point"),
    ("data", "user_data"),
    ("dispose", "destroy"),
    ("in_circle", "query_circle"),
    ("in_rect", "query_rect"),
    ("len", "count"),
    ("move_many", "move_all"),
    ("on_line", "query_line"),
    ("place_many", "set_placements"),
    ("place_many_turns", "set_placements_turn"),
    ("scale_factor", "scale_policy"),
    ("set_data", "set_user_data"),
    ("snapshot_to", "snapshot"),
    ("with_mask", "query_mask"),
];

/// Returns the name that a call of a language has in the table.
fn row_of(name: &str) -> String {
    let mut row = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() {
            row.push('_');
        }
        row.extend(letter.to_lowercase());
    }
    let row = row.trim_start_matches('_');
    let row = row.strip_suffix("_array").unwrap_or(row);
    ALIASES.iter().find(|(alias, _)| *alias == row).map_or(row, |(_, name)| name).to_owned()
}

/// Returns the text between two marks, without them.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start:?}"));
    rest.split_once(end).map_or(rest, |(inside, _)| inside)
}

/// Returns the words that stand between `before` and a parenthesis, on lines with an indent.
fn declared<'t>(text: &'t str, before: &str, indent: usize) -> Vec<&'t str> {
    let name = |line: &'t str| {
        let inside = line.strip_prefix(&" ".repeat(indent)[..])?;
        let (head, _) = inside.strip_prefix(before)?.split_once('(')?;
        let head = head
            .strip_suffix('>')
            .and_then(|head| head.rsplit_once('<'))
            .map_or(head, |(name, _)| name);
        let word = head.rsplit([' ', '*', '&', ':']).next()?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        (!word.is_empty() && word.chars().all(is_name)).then_some(word)
    };
    text.lines().filter_map(name).collect()
}

/// Returns the calls of Rust, each with its row and its path.
fn rust_calls(api: &str) -> Vec<(String, String)> {
    let mut calls = Vec::new();
    for line in api.lines() {
        let Some((_, path)) = line.split_once("fn hitmask::") else { continue };
        let Some((owner, rest)) = path.split_once("::") else { continue };
        let (owner, name) =
            (owner.split('<').next().unwrap_or(owner), rest.split(['(', '<']).next());
        let Some(name) = name.filter(|name| *name != "fmt") else { continue };
        let row = match VIEWS.iter().find(|(view, _)| *view == owner) {
            Some((_, names)) => {
                let row = names.iter().find(|(call, _)| *call == name);
                row.map_or(name, |(_, row)| row).to_owned()
            }
            None if owner == "World" => row_of(name),
            None => continue,
        };
        calls.push((row, format!("{owner}::{name}")));
    }
    calls
}

/// Returns the calls of the world of C#, each with its row: a method, or a property, which stands for both of its calls.
fn c_sharp_calls(texts: [&str; 2]) -> Vec<(String, String)> {
    let renamed = [
        ("create", "World"),
        ("destroy", "Dispose"),
        ("from_snapshot_over", "FromSnapshot"),
        ("sprite_change", "ReplaceAtlas"),
    ];
    let mut calls: Vec<_> =
        renamed.iter().map(|(row, name)| ((*row).to_owned(), (*name).to_owned())).collect();
    for text in texts {
        let world = between(text, "partial class World", "\n    }\n");
        for member in world.split("\n        public ").skip(1) {
            let head = member.lines().next().unwrap_or_default();
            let head = head.split(['(', '{']).next().unwrap_or_default().trim_end();
            let name = head.rsplit(' ').next().unwrap_or_default();
            let row = row_of(name.strip_prefix("Try").unwrap_or(name));
            if name == "World" {
                continue;
            }
            if member.contains("\n            set {") {
                calls.push((format!("set_{row}"), name.to_owned()));
            }
            calls.push((row, name.to_owned()));
        }
    }
    calls
}

/// Returns the table. Rows are calls in the order of their names, columns are languages.
fn table(read: impl Fn(&str) -> String) -> String {
    let api = read("checks/public_api/hitmask.txt");
    let (header, cpp) = (read("capi/include/hitmask.h"), read("capi/include/hitmask.hpp"));
    let (lua, js) = (read("capi/love/hitmask.lua"), read("web/index.d.ts"));
    let c_sharp = [read("capi/csharp/Classes.cs"), read("capi/csharp/Hitmask.cs")];
    let python = read("python/python/hitmask/_hitmask.pyi");
    let bevy = ["queries", "maps", "rollback"].map(|file| read(&format!("bevy/src/{file}.rs")));
    let c: Vec<&str> = header
        .split("hm_world_")
        .skip(1)
        .filter_map(|rest| {
            let (name, _) = rest.split_once('(')?;
            name.chars().all(|c| c.is_lowercase() || c == '_').then_some(name)
        })
        .collect();
    let cpp = between(&cpp, "class World :", "\n};");
    let js = between(&js, "export class World {", "\n}");
    let python = between(&python, "\nclass World:", "\nclass ");
    let ignored = [
        "check",
        "copies",
        "found",
        "at",
        "World",
        "Mask",
        "Shape",
        "ShapeGrid",
        "Lent",
        "maybe",
        "constructor",
    ];
    let named = |names: Vec<&str>| {
        let names = names.into_iter().filter(|name| !ignored.contains(name));
        let rows = names.map(|name| (row_of(name), name.to_owned()));
        rows.collect::<Vec<_>>()
    };
    let languages: [(&str, Vec<(String, String)>); 7] = [
        ("C", named(c)),
        ("C++", named(declared(cpp, "", 2))),
        ("C#", c_sharp_calls(c_sharp.each_ref().map(String::as_str))),
        ("LÖVE", named(declared(&lua, "function World:", 0))),
        ("JavaScript", named(declared(js, "", 2))),
        ("Python", named(declared(python, "def ", 4))),
        ("Bevy", named(declared(&bevy.concat(), "pub fn ", 4))),
    ];
    let mut rows: BTreeMap<String, [BTreeSet<String>; 8]> = BTreeMap::new();
    for (row, path) in rust_calls(&api) {
        rows.entry(row).or_default()[0].insert(path);
    }
    for (at, (_, names)) in languages.iter().enumerate() {
        for (row, name) in names {
            if name == "__len__" || !(name.starts_with("__") || name.starts_with("hm_")) {
                rows.entry(row.clone()).or_default()[at + 1].insert(name.clone());
            }
        }
    }
    for (row, cells) in &mut rows {
        // One call of Rust takes each kind of zone.
        if row.starts_with("query_") && cells[0].is_empty() {
            cells[0].insert("World::query".to_owned());
        }
    }
    let mut text = format!(
        "# Calls of a world by language\n\nWritten by a test of tools/capi/header. LuaJIT has the calls of C.\n\n\
         | Rust | {} |\n|{}\n",
        languages.map(|(name, _)| name).join(" | "),
        "---|".repeat(8)
    );
    for (row, cells) in &rows {
        let [_, c, _, c_sharp, ..] = cells;
        assert!(c.is_empty() || !c_sharp.is_empty(), "{row} is in C, and not in C#");
        let cells = cells.each_ref().map(|names| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
        });
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

#[test]
fn the_table_of_calls_by_language_is_current() {
    let tools = super::root().parent().expect("the folder of tools");
    let read = |file: &str| std::fs::read_to_string(tools.join(Path::new(file))).expect(file);
    super::check_current("../calls.md", &table(read));
}
