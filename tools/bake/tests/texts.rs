//! Files that are text, with what they bake to. `refusals.txt` has those that are refused, with their messages and
//! remedies, and `pictures.txt` the pictures of others. `HITMASK_BLESS=1` writes the answers anew.

use crate::sources::folder::{assert_same_text, bake, baked, fails, kind, png};
use hitmask_bake::{Bake, BakeError, Place};
use hitmask_scenes::Folder;
use std::fmt::Write;

/// Writes the file that a block begins with, and opens it or the file of the block that names it.
fn opened(folder: &Folder, block: &str, text: &str) -> Result<Bake, BakeError> {
    let (name, user) = block.split_once(" for ").unwrap_or((block, block));
    folder.write(name, text);
    let path = folder.path(user);
    if user == "hitmask.toml" { Bake::new().manifest(path) } else { bake(path) }
}

/// Returns how the file of a block is refused: the kind of the fault with the message, and the remedy.
fn refusal(folder: &Folder, opened: Result<Bake, BakeError>) -> [String; 2] {
    let error = fails(folder, opened);
    let root = folder.root().display().to_string();
    let one_line = |text: &str| text.replace(&root, "~").replace('\n', "\\n");
    let said = format!("{} {}", kind(&error), one_line(&error.to_string()));
    // The place repeats what the message says.
    let Place { path, line, column, frame, .. } = &*error.place;
    assert!(path.as_ref().is_some_and(|path| path.starts_with(folder.root())), "{said}");
    let at = line.zip(*column).map(|(line, column)| format!(", line {line}, column {column}: "));
    assert!(at.as_ref().map_or(!said.contains(", line "), |at| said.contains(at)), "{said}");
    let names_frame = line.is_none() && said.contains(": frame \"");
    assert!(frame.as_ref().map_or(!names_frame, |it| said.contains(&format!("{it:?}"))), "{said}");
    [said, one_line(&error.help())]
}

/// Returns each sprite of a bake as a line: its name, and the pivot and the rows of each frame.
fn shown(bake: Bake) -> String {
    let mut text = String::new();
    for (name, frames) in baked(bake) {
        let _ = write!(text, "> {name}");
        for (picture, [x, y]) in frames {
            let _ = write!(text, " {x},{y}:{}", picture.trim_end().replace('\n', "/"));
        }
        text.push('\n');
    }
    text
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
                lines.next_if(|line| !has_mark(line, &["= ", "- ", "+ ", "! ", "> "]))
            {
                let _ = writeln!(base, "{line}");
            }
            answered += &base;
            if let Some(name) = block.strip_prefix("image ") {
                let rows: Vec<&str> = base.lines().collect();
                name.split(' ').for_each(|name| drop(folder.write(name, png(&rows))));
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
        while let Some(answer) = lines.next_if(|line| has_mark(line, &["! ", "? ", "> "])) {
            marks += &answer[..1];
        }
        if has_mark(block, &["image ", "beside "]) {
            continue;
        }
        match opened(folder, block, &text).and_then(|bake| bake.to_bytes().map(|_| bake)) {
            Ok(bake) if marks.contains('>') => answered += &shown(bake),
            Ok(_) => {}
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
