//! Tests of wrong usage, of files that are not atlases, and of closed pipes.

use crate::folder::{Folder, texts};
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn wrong_usage_exits_with_2_and_names_the_accepted_values() {
    let folder = Folder::new("usage");
    for (args, expected) in [
        ("bake art -o a --angles 6", "multiple of 4"),
        ("bake art -o a --angles x", "not a whole number"),
        ("bake art -o a --scales 0", "0.015625 to 64"),
        ("bake art -o a --scales 1,-2", "0.015625 to 64"),
        ("bake art -o a --scales nan", "0.015625 to 64"),
        ("bake art -o a --alpha 256", "256"),
        ("bake art -o a --thresholds 32,0", "1..=255"),
        ("bake art -o a --thresholds 32,256", "1..=255"),
        ("bake art -o a --exclude-color red", "neither a colour nor a range"),
        ("bake art -o a --exclude-color 202020..000000", "lower bounds first"),
        ("bake art -o a --only-color +ff00f", "#ff00ff80 with alpha"),
        ("bake art -o a --resolution 3", "power of two"),
        ("bake art -o a --resolution -1", "power of two"),
        ("bake art -o a --max-error 0", "positive"),
        ("bake art -o a --max-error -1", "positive"),
        ("bake art -o a --max-error nan", "positive"),
        ("bake art -o a --max-error inf", "positive"),
        ("bake art -o a --max-error 0px", "positive number of pixels"),
        ("bake art -o a --max-error x", "not a number: give pixels, such as 1"),
        ("bake art -o a --max-error px", "such as 1 or 1px"),
        ("bake art -o a --max-error 1mb", "such as 1 or 1px"),
        ("bake art -o a --max-error 1é", "such as 1 or 1px"),
        ("bake art -o a --max-mb 0", "positive"),
        ("bake art -o a --max-mb -2", "positive"),
        ("bake art -o a --max-mb nan", "positive"),
        ("bake art -o a --max-mb 64kb", "such as 64 or 64mb"),
        ("bake art -o a --max-mb 64px", "such as 64 or 64mb"),
        ("report a -o b --max-error 1kb", "such as 1 or 1px"),
        ("bake art -o a --pivot 1,1.25", "multiples of 0.5"),
        ("bake art", "--output"),
        ("bake -o a", "INPUT"),
        ("bake art -o a --anlges 4", "--angles"),
        ("show a b --angle inf", "finite"),
        ("show a b --scale -1", "positive"),
        ("demo --seconds -1", "3600"),
        ("paint", "unrecognized"),
        ("", "Usage"),
    ] {
        let said = folder.misused(args);
        assert!(said.contains(expected), "{args:?}: {said}");
    }
    assert!(!folder.0.join("a").exists());
}

#[test]
fn an_unknown_option_is_answered_with_those_of_the_verb() {
    let folder = Folder::new("unknown-option");
    for (args, known) in [
        ("show a arrow --picture x", "show has no option --picture, but --frame, --plane"),
        ("show a arrow --picture x", "--png"),
        ("info a --zebra", "info has no option --zebra, but "),
        ("bake art --quiet", "bake has no option --quiet, but --output"),
    ] {
        let said = folder.misused(args);
        assert!(said.contains(known) && !said.contains("'-- --"), "{args}: {said}");
    }
    // A name alike is still suggested.
    assert!(folder.misused("show a arrow --fram 1").contains("'--frame'"));
}

#[test]
fn an_instruction_set_that_is_unknown_or_missing_exits_with_2_and_names_the_available_ones() {
    let run = |name: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_hitmask"));
        program.args(["completions", "bash"]).env("HITMASK_SIMD", name).output().unwrap()
    };
    let available = hitmask::Simd::available();
    let all = ["avx512", "avx2", "sse2", "neon", "wasm", "fallback"];
    let has = |name: &str| available.iter().any(|simd| simd.name() == name);
    for name in all.into_iter().filter(|name| !has(name)).chain(["avx-512", "AVX2", " "]) {
        let output = run(name);
        assert_eq!(output.status.code(), Some(2), "{name:?}");
        let (out, said) = texts(&output);
        assert_eq!(out, "", "{name:?}");
        let (error, help) = said.trim_end().split_once('\n').unwrap();
        assert!(error.contains("HITMASK_SIMD") && error.contains(name), "{said}");
        let names: Vec<&str> = available.iter().map(|simd| simd.name()).collect();
        assert!(help.starts_with("help: ") && help.ends_with(&names.join(", ")), "{said}");
    }
    for name in available.iter().map(|simd| simd.name()).chain([""]) {
        assert!(run(name).status.success(), "{name:?}");
    }
}

#[test]
fn every_verb_refuses_foreign_and_damaged_files() {
    let folder = Folder::new("damaged");
    folder.ok("bake art -o good --angles 4");
    let good = folder.read("good");
    let damaged = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        bytes
    };
    for (name, bytes, expected) in [
        ("text", b"hello".to_vec(), "not a hitmask atlas"),
        ("empty", vec![], "not a hitmask atlas"),
        ("cut", good[..good.len() - 1].to_vec(), "but its header says"),
        ("version", damaged(8), "version"),
        ("records", damaged(200), "checksum of its records"),
    ] {
        fs::write(folder.0.join(name), bytes).unwrap();
        for (verb, argument) in [("info", ""), ("verify", ""), ("show", "arrow")] {
            let args = format!("{verb} {name} {argument}");
            folder.refuses(&args, expected, "");
            folder.refuses(&args, name, "");
        }
    }
    fs::write(folder.0.join("pool"), damaged(good.len() - 1)).unwrap();
    for args in ["info pool", "info pool arrow", "info pool --json"] {
        let (_, warned) = texts(&folder.run(args));
        assert!(warned.starts_with("warning: pool: ") && warned.contains("checksum of its pool"));
    }
    assert!(folder.json("info pool --json")["damage"].is_string());
    assert!(folder.json("info good --json")["damage"].is_null());
    assert_eq!(texts(&folder.run("info good")).1, "");
    folder.refuses("verify pool", "checksum of its pool", "");
}

#[test]
fn every_verb_reports_a_missing_file_in_the_same_words() {
    let folder = Folder::new("absent");
    folder.ok("bake art -o a --angles 4");
    let system = fs::read(folder.0.join("absent")).unwrap_err();
    let expected = format!("cannot read absent: {system}");
    for args in [
        "bake absent -o b",
        "bake -m absent -o b",
        "merge b absent",
        "info absent",
        "verify absent",
        "show absent arrow",
        "report absent -o b",
        "export absent -f json -o b",
    ] {
        assert_eq!(folder.fails(args).0, expected, "{args:?}");
    }
}

#[test]
fn a_closed_pipe_counts_as_success() {
    let folder = Folder::new("pipe");
    folder.ok("bake art -o a --angles 4");
    let exe = Path::new(env!("CARGO_BIN_EXE_hitmask"));
    let script = format!("{} info a; echo $? >&2", exe.display());
    let piped = format!("({script}) | true");
    let output = Command::new("sh").args(["-c", &piped]).current_dir(&folder.0).output().unwrap();
    assert_eq!(texts(&output).1.trim(), "0");
}

#[test]
fn the_help_of_bake_names_every_kind_of_file() {
    let folder = Folder::new("usage-kinds");
    let help = folder.ok("bake --help");
    for ending in [
        "png", "apng", "gif", "webp", "jpg", "jpeg", "bmp", "tga", "ase", "aseprite", "json",
        "atlas", "xml", "plist", "tsx", "tsj", "tmx", "tmj", "ldtk",
    ] {
        assert!(help.contains(&format!(".{ending}")), "{ending}: {help}");
    }
}
