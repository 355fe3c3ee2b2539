//! Files that are text, with what they bake to. `refusals.txt` has those that are refused, with their messages and
//! remedies, `pictures.txt` the pictures and warnings of others, and `frames.txt` the sprites by names of frames.
//! `HITMASK_BLESS=1` writes the answers anew.

use crate::encode::sheets::{Packed, aseprite, tags};
use crate::sources::folder::{assert_same_text, bake, baked, fails, kind, png};
use hitmask::{Atlas, MapItem, Warning};
use hitmask_bake::{Bake, BakeError, Place};
use hitmask_scenes::Folder;
use std::fmt::Write;

/// Writes the file that a block begins with, and opens it or the file of the block that names it.
fn opened(folder: &Folder, block: &str, text: &str) -> Result<Bake, BakeError> {
    let (name, user) = block.split_once(" for ").unwrap_or((block, block));
    folder.write(name, in_full(text).as_deref().unwrap_or(text));
    let path = folder.path(user);
    if user == "hitmask.toml" { Bake::new().manifest(path) } else { bake(path) }
}

/// Returns the sheet of Aseprite that a text states in short: the names of its frames, each of 2 x 2 texels, the tags,
/// the layers, and lines of more keys for `meta`.
fn in_full(text: &str) -> Option<String> {
    let (names, rest) = text.strip_prefix("frames: ")?.split_once('\n')?;
    let mut meta = String::new();
    for line in rest.lines() {
        if let Some(all) = line.strip_prefix("tags: ") {
            let tag = all.split(", ").map(|tag| {
                let (name, range) = tag.rsplit_once(' ').unwrap();
                let (from, to) = range.split_once('-').unwrap();
                (name, from.parse().unwrap(), to.parse().unwrap())
            });
            meta += &tags(&tag.collect::<Vec<_>>());
        } else if let Some(all) = line.strip_prefix("layers: ") {
            let layer = |name| format!(r#"{{"name": "{name}"}}"#);
            let all: Vec<String> = all.split(", ").map(layer).collect();
            let _ = write!(meta, r#", "layers": [{}]"#, all.join(", "));
        } else {
            meta += line;
        }
    }
    let frame = |i| Packed { x: 2 * i, w: 2, h: 2, size: [2, 2], ..Packed::default() };
    Some(aseprite("s.png", &names.split(", ").collect::<Vec<_>>(), &meta, frame))
}

/// Returns how the file of a block is refused: the kind of the fault with the message, and the remedy.
fn refusal(folder: &Folder, opened: Result<Bake, BakeError>) -> [String; 2] {
    let error = fails(folder, opened);
    let root = folder.root().display().to_string();
    let one_line = |text: &str| text.replace(&root, "~").replace('\n', "\\n");
    let said = format!("{} {}", kind(&error), one_line(&error.to_string()));
    // The place repeats what the message says.
    let Place { path, line, column, frame, .. } = &*error.place;
    let is_inside = path.as_ref().is_some_and(|path| path.starts_with(folder.root()));
    assert!(is_inside || said.starts_with("Option invalid pattern"), "{said}");
    let at = line.zip(*column).map(|(line, column)| format!(", line {line}, column {column}: "));
    assert!(at.as_ref().map_or(!said.contains(", line "), |at| said.contains(at)), "{said}");
    let names_frame = line.is_none() && said.contains(": frame \"");
    assert!(frame.as_ref().map_or(!names_frame, |it| said.contains(&format!("{it:?}"))), "{said}");
    [said, one_line(&error.help())]
}

/// Returns each item of a map as a line, and each sprite: its name, and the pivot and the rows of each frame.
fn shown(bake: Bake) -> String {
    let mut text = String::new();
    for map in Atlas::from_vec(bake.to_bytes().unwrap()).unwrap().maps() {
        for MapItem { name, class, position, size, properties, shape, .. } in map.items {
            let shape = shape.map(|shape| (shape.sprite, shape.frame, shape.scale));
            let _ = writeln!(
                text,
                "> {}: {name:?} {class:?} {position:?} {size:?} {properties:?} {shape:?}",
                map.name
            );
        }
    }
    for (name, frames) in baked(bake) {
        let _ = write!(text, "> {name}");
        for (picture, [x, y]) in frames {
            let rows = match picture.len() {
                ..1000 => picture.trim_end().replace('\n', "/"),
                _ => {
                    let [at, width] = ['#', '\n'].map(|mark| picture.find(mark).unwrap_or(0));
                    let [left, top] = [at % (width + 1), at / (width + 1)];
                    format!("{} solid from {left},{top}", picture.matches('#').count())
                }
            };
            let _ = write!(text, " {x},{y}:{rows}");
        }
        text.push('\n');
    }
    text
}

/// Returns each warning of a bake and its remedy as a line.
fn warned(folder: &Folder, bake: Bake) -> String {
    let warnings = bake.angles(1).write(folder.path("a.hitmask")).unwrap().warnings;
    let line = |warning: &Warning| format!("~ {warning}; {}\n", warning.help());
    let text: String = warnings.iter().map(line).collect();
    let none = "~ no warnings\n".to_owned();
    if text.is_empty() { none } else { text.replace(&folder.root().display().to_string(), "~") }
}

/// Returns the text of a file with the answers that its texts have now.
fn answered(folder: &Folder, file: &str) -> String {
    let has_mark = |line: &str, marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
    let (mut answered, mut block, mut base) = (String::new(), "", String::new());
    let mut lines = file.lines().peekable();
    while let Some(line) = lines.next() {
        let _ = writeln!(answered, "{line}");
        let mut text = base.clone();
        if let Some(name) = line.strip_prefix("= ") {
            (block, base) = (name, String::new());
            while let Some(line) =
                lines.next_if(|line| !has_mark(line, &["= ", "- ", "+ ", "! ", "> ", "~ "]))
            {
                let _ = writeln!(base, "{line}");
            }
            answered += &base;
            if let Some(name) = block.strip_prefix("image ") {
                let rows: Vec<&str> = base.lines().collect();
                name.split(", ").for_each(|name| drop(folder.write(name, png(&rows))));
            } else if let Some(name) = block.strip_prefix("beside ") {
                folder.write(name, &base);
            }
            text.clone_from(&base);
        } else if !has_mark(line, &["- ", "+ "]) {
            continue;
        } else {
            let step = line[2..].replace("\\n", "\n");
            text = match step.split_once(" -> ") {
                Some((old, new)) if line.starts_with('-') => {
                    assert!(base.contains(old), "{block} has no {old}");
                    base.replacen(old, new, 1)
                }
                _ => format!("{base}{step}\n"),
            };
        }
        let mut marks = String::new();
        while let Some(answer) = lines.next_if(|line| has_mark(line, &["! ", "? ", "> ", "~ "])) {
            marks += &answer[..1];
        }
        if has_mark(block, &["image ", "beside "]) {
            continue;
        }
        match opened(folder, block, &text).and_then(|bake| bake.to_bytes().map(|_| bake)) {
            Ok(bake) => {
                if marks.contains('>') {
                    answered += &shown(bake);
                }
                if marks.contains('~') {
                    answered += &warned(folder, opened(folder, block, &text).unwrap());
                }
            }
            Err(_) => {
                let [said, help] = refusal(folder, opened(folder, block, &text));
                let _ = writeln!(answered, "! {said}");
                if marks.contains('?') {
                    let _ = writeln!(answered, "? {help}");
                }
            }
        }
    }
    answered
}

#[test]
fn every_faulty_text_is_refused_with_its_message_place_and_remedy() {
    let folder = Folder::new("refusals");
    let answered = answered(&folder, include_str!("refusals.txt"));
    assert!(answered.matches("\n! ").count() > 300);
    assert_same_text("refusals.txt", &answered);
}

#[test]
fn every_text_bakes_to_its_pictures() {
    let folder = Folder::new("pictures");
    let answered = answered(&folder, include_str!("pictures.txt"));
    assert!(!answered.contains("\n! "), "{answered}");
    assert_same_text("pictures.txt", &answered);
}

#[test]
fn names_of_frames_and_tags_tell_the_sprites_of_a_sheet() {
    let folder = Folder::new("frames");
    let mut answered = answered(&folder, include_str!("frames.txt"));
    // The frames in the order of their page, and one that the sheet left out.
    let frames = ["#./..", ".#/..", "##/..", "../#.", "#./#.", ".#/#.", "##/#.", "../.#", "../.."];
    for (frame, shown) in frames.iter().zip(["0", "1", "2", "3", "4", "5", "6", "7", "-"]) {
        answered = answered.replace(&format!("2,2:{frame}"), shown);
    }
    assert_same_text("frames.txt", &answered);
}

#[test]
fn a_truncated_tileset_is_rejected_by_name() {
    let folder = Folder::new("cut-tilesets");
    for name in ["tiles.tsx", "tiles.tsj"] {
        let (_, text) = include_str!("pictures.txt").split_once(&format!("\n= {name}\n")).unwrap();
        let text = text.split("\n> ").next().unwrap();
        for len in (0..text.len()).filter(|&len| text.is_char_boundary(len)) {
            let error = fails(&folder, bake(folder.write(name, &text[..len])));
            assert!(error.to_string().contains(name), "cut to {len}: {error}");
        }
    }
}
