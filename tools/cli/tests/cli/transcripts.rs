//! Commands whose exit codes and words are those of a file: `refusals.txt` and `answers.txt`.

use crate::folder::{Folder, texts};
use std::fs;
use std::path::Path;

/// Writes the files that the commands name.
fn files(folder: &Folder) {
    folder.level();
    let level = folder.text("hitmask.toml");
    fs::rename(folder.0.join("hitmask.toml"), folder.0.join("level.toml")).unwrap();
    let bare = level.replace("\"hazard\", sensor = true", "\"\" }, { becomes = \"\"");
    let folders = ["empty", "clear", "other", "many", "faulty", "changed/small", "damaged/small"];
    for name in folders {
        fs::create_dir_all(folder.0.join(name)).unwrap();
    }
    folder.image("changed/bow.png", ["..##", "####", "..##"]);
    folder.image("changed/small/dot.png", ["##"]);
    let good = folder.read("art/arrow.png");
    fs::write(folder.0.join("damaged/arrow.png"), &good[..good.len() / 2]).unwrap();
    folder.image("damaged/small/dot.png", ["#"]);
    folder.image("clear/empty.png", ["..", ".."]);
    folder.image("other/tree.png", ["##"]);
    for i in 0..9 {
        folder.image(&format!("many/empty{i}.png"), ["....", "...."]);
        folder.image(&format!("many/same{i}.png"), ["####", "####"]);
    }
    folder.image("faulty/good.png", ["##"]);
    std::os::unix::fs::symlink("nowhere.png", folder.0.join("faulty/gone.png")).unwrap();
    folder.image("bar.png", ["########"]);
    folder.image("thin.png", ["#####..", "#####.#", "#####.."]);
    folder.image("strip.png", ["##.#.#", "##..##"]);
    folder.image("walk.png", ["##..", "##.#"]);
    folder.image("walk-1.png", ["#"]);
    let wide = image::RgbaImage::from_pixel(300, 1, image::Rgba([255; 4]));
    wide.save(folder.0.join("wide.png")).unwrap();
    let arrow = "[[source]]\nfiles = \"art/arrow.png\"\n";
    for (name, text) in [
        ("bare-level.toml", &*bare),
        ("over.toml", &format!("output = \"art/arrow.png\"\n{arrow}")),
        ("bare.toml", arrow),
        ("wrong.toml", "[defaults]\nangels = 4\n"),
        (
            "sheet.toml",
            &format!("{arrow}grid = {{ tile = [2, 3] }}\n[[source]]\nfiles = \"strip.png\"\n"),
        ),
        (
            "parts.toml",
            &format!(
                "{arrow}{arrow}name = \"left\"\nflip = \"x\"\n\
                 {arrow}name = \"tip\"\nrect = [2, 0, 2, 3]\n"
            ),
        ),
        ("fine.toml", &format!("resolution = 2\n{arrow}angles = 8\npivot = [1, 2]\n")),
        (
            "names.toml",
            "[[source]]\nfiles = \"walk.png\"\ngrid = { tile = [2, 2] }\n\
             [[source]]\nfiles = \"walk-1.png\"\n",
        ),
        ("notes.txt", "mine"),
        ("other/hitmask.toml", "mine"),
        ("faulty/broken.png", "not an image"),
        ("faulty/torn.gif", "GIF89a"),
        ("page.html", "\n<HTML>"),
        ("text", "hello"),
        ("nothing", ""),
    ] {
        folder.write(name, text);
    }
    folder.planes("cyclops", "....\n..#.");
    for command in [
        "bake art -o a --angles 4",
        "bake art -o s1 --shard 1/2",
        "bake art -o s2 --shard 2/2",
        "bake art -o compact --angles 1024 --scales 20 --compact",
        "bake art/small -o turns --angles 65536",
        "bake wide.png -o wide --angles 1",
        "bake -m level.toml -o yard",
        "export art -o shapes.json",
        "export walk.png --grid 2x2 -o walk.tsx",
    ] {
        folder.ok(command);
    }
    let good = folder.read("a");
    fs::write(folder.0.join("cut"), &good[..good.len() - 1]).unwrap();
    for (name, at) in [("version", 8), ("records", 200), ("pool", good.len() - 1)] {
        let mut damaged = good.clone();
        damaged[at] ^= 0x40;
        fs::write(folder.0.join(name), damaged).unwrap();
    }
    let made = std::process::Command::new("mkfifo").arg(folder.0.join("pipe")).status();
    assert!(made.expect("this test needs mkfifo").success());
}

/// Runs the commands of a file, each of which `check` looks at. Compares their exit codes and what they print with the
/// file, or writes these with `HITMASK_BLESS`.
fn transcript(folder: &Folder, name: &str, check: impl Fn(&str, i32, &str)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli").join(name);
    let committed = fs::read_to_string(&path).unwrap();
    let mut text = String::new();
    for line in committed.lines() {
        if let Some(command) = line.strip_prefix("+ ") {
            folder.ok(command);
        }
        if let Some(command) = line.strip_prefix("$ ") {
            let output = folder.run(command);
            let ((out, said), code) = (texts(&output), output.status.code().unwrap());
            check(command, code, &out);
            text += &format!("$ {command}\n= {code}\n");
            let said = said.replace(folder.0.to_str().unwrap(), "~");
            // The parser of arguments adds its usage, and a hint to --help.
            let is_told = |line: &&str| {
                !line.is_empty() && !line.starts_with("Usage: ") && !line.starts_with("For more ")
            };
            let is_equal = |line: &&str| !line.starts_with("  time ");
            for line in out.lines().filter(is_equal) {
                text += format!("> {line}").trim_end();
                text.push('\n');
            }
            said.lines().filter(is_told).for_each(|line| text += &format!("| {line}\n"));
        } else if !line.starts_with(['=', '>', '|', '.']) {
            text += &format!("{line}\n");
        }
        if let Some(file) = line.strip_prefix("< ") {
            folder.text(file).lines().for_each(|line| text += &format!(". {line}\n"));
        }
    }
    if std::env::var_os("HITMASK_BLESS").is_some() {
        fs::write(path, text).unwrap();
    } else {
        let differs = text.lines().zip(committed.lines()).find(|(now, before)| now != before);
        assert!(text == committed, "{differs:#?}; see the head of {name}");
    }
}

#[test]
fn each_refusal_says_what_is_wrong_and_how_to_fix_it_and_changes_no_file() {
    let folder = Folder::new("refusals");
    files(&folder);
    let before = folder.contents();
    transcript(&folder, "refusals.txt", |command, code, out| {
        assert!(out.is_empty() && matches!(code, 1 | 2), "{command}: {code}\n{out}");
        assert!(folder.contents() == before, "{command} has changed a file");
    });
}

#[test]
fn answers_about_atlases_and_masks_are_those_of_the_file() {
    let folder = Folder::new("answers");
    files(&folder);
    transcript(&folder, "answers.txt", |_, _, _| ());
}
