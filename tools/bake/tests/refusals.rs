//! Refusals of files that are text. `refusals.txt` has the files, the messages and the remedies.

use crate::sources::folder::{bake, fails, png};
use hitmask_bake::{Bake, BakeError, Place};
use hitmask_scenes::Folder;

/// Files that the texts of the table name.
const IMAGES: [&str; 7] =
    ["a.png", "b.png", "old/d.png", "page.png", "ring.png", "s.png", "sub/page.png"];

fn opened(folder: &Folder, name: &str, text: &str) -> Result<Bake, BakeError> {
    let path = folder.write(name, text);
    if name == "hitmask.toml" { Bake::new().manifest(path) } else { bake(path) }
}

/// Returns how the file `name` is refused: the kind of the fault with the message, and the remedy.
fn refusal(folder: &Folder, name: &str, text: &str) -> [String; 2] {
    let error = fails(folder, opened(folder, name, text));
    let root = folder.root().display().to_string();
    let one_line = |text: &str| text.replace(&root, "~").replace('\n', "\\n");
    let kind = format!("{:?}", error.fault);
    let kind = kind.split(|c: char| !c.is_alphanumeric()).next().unwrap();
    let said = format!("{kind} {}", one_line(&error.to_string()));
    // The place repeats what the message says.
    let Place { path, line, column, frame, .. } = &*error.place;
    assert!(path.as_ref().is_some_and(|path| path.starts_with(folder.root())), "{said}");
    let at = line.zip(*column).map(|(line, column)| format!(", line {line}, column {column}: "));
    assert!(at.as_ref().map_or(!said.contains(", line "), |at| said.contains(at)), "{said}");
    let names_frame = line.is_none() && said.contains(": frame \"");
    assert!(frame.as_ref().map_or(!names_frame, |it| said.contains(&format!("{it:?}"))), "{said}");
    [said, one_line(&error.help())]
}

#[test]
fn every_faulty_text_is_refused_with_its_message_place_and_remedy() {
    let folder = Folder::new("refusals");
    IMAGES.iter().for_each(|name| drop(folder.write(name, png(&["#.######"; 8]))));
    folder.write("old/text.png", "no image");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for block in include_str!("refusals.txt").split("\n= ").skip(1) {
        let is_step = |line: &&str| ["- ", "+ ", "! "].iter().any(|mark| line.starts_with(mark));
        let mut lines = block.lines().peekable();
        let name = lines.next().unwrap();
        let mut base = String::new();
        while let Some(line) = lines.next_if(|line| !is_step(line)) {
            base += &format!("{line}\n");
        }
        let mut text = base.clone();
        loop {
            if let Some(said) = lines.next_if(|line| line.starts_with("! ")) {
                let help = lines.next_if(|line| line.starts_with("? "));
                let [found, remedy] = refusal(&folder, name, &text);
                if found != said[2..] || help.is_some_and(|help| remedy != help[2..]) {
                    wrong.push(format!("! {found}\n? {remedy}\nin place of\n{said}\n{help:?}"));
                }
                count += 1;
            } else if let Err(error) = opened(&folder, name, &text).and_then(|it| it.to_bytes()) {
                wrong.push(format!("{error} refuses\n{text}"));
            }
            let Some(line) = lines.next() else { break };
            let step = line[2..].replace("\\n", "\n");
            text = match step.split_once(" -> ") {
                Some((old, new)) if line.starts_with('-') => {
                    assert!(base.contains(old), "{name} has no {old}");
                    base.replacen(old, new, 1)
                }
                _ => format!("{base}{step}\n"),
            };
        }
    }
    assert!(wrong.is_empty(), "{} refusals:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 250, "{count} refusals");
}
