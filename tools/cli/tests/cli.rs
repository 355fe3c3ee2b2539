//! The command as a person or a script meets it: answers on standard output, errors in two lines
//! on standard error, and exit codes 0 done, 1 failed, 2 wrong usage.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder that goes away with the test; commands run in it.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hitmask-cli-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("art/small")).unwrap();
        let folder = Self(path);
        folder.image("art/arrow.png", ["..##", "####", "..##"]);
        folder.image("art/small/dot.png", ["#"]);
        folder
    }

    /// Writes a PNG file from rows of `#` and `.`.
    fn image<const N: usize>(&self, name: &str, rows: [&str; N]) {
        let (w, h) = (rows[0].len() as u32, N as u32);
        let rgba: Vec<u8> = rows
            .concat()
            .bytes()
            .flat_map(|b| if b == b'#' { [200, 100, 50, 255] } else { [0; 4] })
            .collect();
        image::save_buffer(self.0.join(name), &rgba, w, h, image::ExtendedColorType::Rgba8)
            .unwrap();
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_hitmask"))
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// Standard output of a command that succeeds.
    fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{args:?}\n{out}\n{err}");
        out
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap()
    }

    /// Cause and help of a command that fails.
    fn fails(&self, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}\n{out}\n{err}");
        assert_eq!(out, "", "{args:?}");
        let lines: Vec<&str> = err.lines().collect();
        let [cause, help] = lines[..] else { panic!("not two lines: {err}") };
        let (cause, help) = (cause.strip_prefix("error: "), help.strip_prefix("help: "));
        (cause.unwrap().to_owned(), help.unwrap().to_owned())
    }

    /// As `fails`, for a verb that has answered in part before it fails.
    fn fails_late(&self, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(1));
        let err = texts(&output).1;
        let (cause, help) = err.trim_end().split_once("\nhelp: ").unwrap();
        (cause.strip_prefix("error: ").unwrap().to_owned(), help.to_owned())
    }

    /// Standard error of a command that is refused as wrong usage.
    fn misused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}\n{:?}", texts(&output));
        texts(&output).1
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_folder_is_baked_described_and_verified() {
    let folder = Folder::new("bake");
    let summary =
        folder.ok(&["bake", "art", "-o", "a.hitmask", "--angles", "8", "--scales", "0.5,1"]);
    for part in
        ["sprites   2", "poses     32", "8 angles", "scales 0.5, 1", "size", "time", "warnings"]
    {
        assert!(summary.contains(part), "{part:?} is not in\n{summary}");
    }
    let info = folder.json(&["info", "a.hitmask", "--json"]);
    let size = fs::metadata(folder.0.join("a.hitmask")).unwrap().len();
    assert_eq!(info["bytes"], size);
    let names: Vec<&Value> =
        info["sprites"].as_array().unwrap().iter().map(|s| &s["name"]).collect();
    assert_eq!(names, ["arrow", "small/dot"]);
    let arrow = &info["sprites"][0];
    assert_eq!(arrow["angles"], 8);
    assert_eq!(arrow["scales"], json!([0.5, 1.0]));
    assert_eq!((&arrow["size"], &arrow["pivot"]), (&json!([4, 3]), &json!([2.0, 1.0])));
    assert!(folder.ok(&["info", "a.hitmask"]).contains("small/dot"));
    assert!(folder.ok(&["verify", "a.hitmask"]).contains("as they were baked"));
}

#[test]
fn a_mask_is_shown_as_text_json_and_picture() {
    let folder = Folder::new("show");
    folder.ok(&["bake", "art", "-o", "a.hitmask", "--angles", "4", "--pivot", "0,0"]);
    assert_eq!(folder.ok(&["show", "a.hitmask", "arrow"]), "..##\n####\n..##\n");
    assert_eq!(
        folder.json(&["show", "a.hitmask", "arrow", "--json"]),
        json!({"x0": 0, "y0": 0, "w": 4, "h": 3, "rows": ["..##", "####", "..##"]})
    );
    // A quarter turn about the top-left corner takes row y to column -1 - y.
    assert_eq!(
        folder.json(&["show", "a.hitmask", "arrow", "--angle", "1.57", "--json"]),
        json!({"x0": -3, "y0": 0, "w": 3, "h": 4, "rows": [".#.", ".#.", "###", "###"]})
    );
    assert_eq!(
        folder.json(&["show", "a.hitmask", "arrow", "--flip-x", "--json"]),
        json!({"x0": -4, "y0": 0, "w": 4, "h": 3, "rows": ["##..", "####", "##.."]})
    );
    assert_eq!(
        folder.json(&[
            "show",
            "a.hitmask",
            "arrow",
            "--angle",
            "-1.57",
            "--flip-x",
            "--flip-y",
            "--json"
        ]),
        json!({"x0": -3, "y0": 0, "w": 3, "h": 4, "rows": [".#.", ".#.", "###", "###"]})
    );
    folder.ok(&["show", "a.hitmask", "arrow", "--png", "arrow-out.png"]);
    let picture = image::open(folder.0.join("arrow-out.png")).unwrap().to_luma8();
    assert_eq!(picture.dimensions(), (4, 3));
    let rows: Vec<String> = picture
        .rows()
        .map(|row| row.map(|p| if p.0[0] == 255 { '#' } else { '.' }).collect())
        .collect();
    assert_eq!(rows, ["..##", "####", "..##"]);
}

#[test]
fn a_scene_is_checked_pair_by_pair_in_its_order() {
    let folder = Folder::new("check");
    folder.ok(&["bake", "art", "-o", "a.hitmask", "--angles", "4", "--pivot", "0,0"]);
    let scene = json!({"colliders": [
        {"id": "late", "sprite": "small/dot", "x": 2.4, "y": 0.0},
        {"id": "ship", "sprite": "arrow", "x": -0.3, "y": 0.2},
        {"id": "hole", "sprite": "small/dot", "x": 0.0, "y": 0.0},
        {"id": "other", "sprite": "arrow", "x": 3.0, "y": 1.0, "angle": 0.0, "scale": 1.0,
            "flip_x": false, "flip_y": false, "frame": 0},
    ]});
    folder.write("scene.json", &scene.to_string());
    let expected = json!({"contacts": [
        {"a": "late", "b": "ship", "rect": [2, 0, 3, 1], "area": 1, "point": [2, 0]},
        {"a": "ship", "b": "other", "rect": [3, 2, 4, 3], "area": 1, "point": [3, 2]},
    ]});
    assert_eq!(folder.json(&["check", "a.hitmask", "scene.json", "--json"]), expected);
    let text = folder.ok(&["check", "a.hitmask", "scene.json"]);
    assert!(text.contains("late ship: 1 px in 2,0 .. 3,1, first at 2,0"), "{text}");
    // As boxes the dot in the arrow's empty corner touches too.
    let mut boxes = scene;
    boxes["accuracy"] = json!("box");
    folder.write("boxes.json", &boxes.to_string());
    let contacts = folder.json(&["check", "a.hitmask", "boxes.json", "--json"]);
    assert_eq!(contacts["contacts"].as_array().unwrap().len(), 3);
}

#[test]
fn a_failed_bake_says_why_and_leaves_the_old_atlas() {
    let folder = Folder::new("failed");
    folder.ok(&["bake", "art", "-o", "a.hitmask"]);
    let before = fs::read(folder.0.join("a.hitmask")).unwrap();
    folder.write("art/broken.png", "this is no picture");
    let (cause, help) = folder.fails(&["bake", "art", "-o", "a.hitmask"]);
    assert!(cause.contains("broken.png") && cause.contains("not a PNG"), "{cause}");
    assert!(help.contains("convert"), "{help}");
    assert_eq!(fs::read(folder.0.join("a.hitmask")).unwrap(), before);
    let (cause, _) = folder.fails(&["bake", "nowhere", "-o", "a.hitmask"]);
    assert!(cause.contains("nowhere"), "{cause}");
    fs::remove_file(folder.0.join("art/broken.png")).unwrap();
    let (cause, help) = folder.fails(&["bake", "art", "-o", "missing/a.hitmask"]);
    assert!(cause.contains("missing/a.hitmask") && help.contains("folder"), "{cause}\n{help}");
    let (cause, _) = folder.fails(&["bake", "art", "art/arrow.png", "-o", "a.hitmask"]);
    assert!(cause.contains("\"arrow\""), "{cause}");
}

#[test]
fn wrong_usage_exits_with_two_and_says_what_is_possible() {
    let folder = Folder::new("usage");
    for (args, expected) in [
        (&["bake", "art", "-o", "a", "--angles", "6"][..], "multiple of 4"),
        (&["bake", "art", "-o", "a", "--angles", "x"], "not a whole number"),
        (&["bake", "art", "-o", "a", "--scales", "0"], "0.015625 to 64"),
        (&["bake", "art", "-o", "a", "--scales", "1,-2"], "0.015625 to 64"),
        (&["bake", "art", "-o", "a", "--scales", "nan"], "0.015625 to 64"),
        (&["bake", "art", "-o", "a", "--alpha", "256"], "256"),
        (&["bake", "art", "-o", "a", "--pivot", "1,1.5"], "share a lattice"),
        (&["bake", "art"], "--output"),
        (&["bake", "-o", "a"], "INPUT"),
        (&["bake", "art", "-o", "a", "--anlges", "4"], "--angles"),
        (&["show", "a", "b", "--angle", "inf"], "finite"),
        (&["show", "a", "b", "--scale", "-1"], "positive"),
        (&["demo", "--seconds", "-1"], "3600"),
        (&["paint"], "unrecognized"),
        (&[], "Usage"),
    ] {
        let said = folder.misused(args);
        assert!(said.contains(expected), "{args:?}: {said}");
    }
    assert!(!folder.0.join("a").exists());
}

#[test]
fn a_file_that_is_no_atlas_or_a_damaged_one_is_refused_by_every_verb() {
    let folder = Folder::new("damaged");
    folder.ok(&["bake", "art", "-o", "good", "--angles", "4"]);
    folder.write("scene.json", r#"{"colliders":[]}"#);
    let good = fs::read(folder.0.join("good")).unwrap();
    let damaged = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        bytes
    };
    for (name, bytes, expected) in [
        ("text", b"hello".to_vec(), "not a hitmask atlas"),
        ("empty", vec![], "not a hitmask atlas"),
        ("cut", good[..good.len() - 1].to_vec(), "cut short"),
        ("version", damaged(8), "version"),
        ("records", damaged(200), "checksum of its records"),
    ] {
        fs::write(folder.0.join(name), bytes).unwrap();
        for verb in ["info", "verify", "show", "check"] {
            let argument = if verb == "check" { "scene.json" } else { "arrow" };
            let takes_one = verb == "info" || verb == "verify";
            let args = if takes_one { vec![verb, name] } else { vec![verb, name, argument] };
            let (cause, help) = folder.fails(&args);
            assert!(cause.contains(name) && cause.contains(expected), "{verb} {name}: {cause}");
            assert!(help.len() > 8, "{help}");
        }
    }
    let (cause, _) = folder.fails(&["info", "absent"]);
    assert!(cause.contains("absent"), "{cause}");
    // The masks themselves are read by verify alone.
    fs::write(folder.0.join("pool"), damaged(good.len() - 1)).unwrap();
    folder.ok(&["info", "pool"]);
    assert!(folder.fails(&["verify", "pool"]).0.contains("checksum of its pool"));
}

#[test]
fn unknown_sprites_and_frames_are_refused_with_what_there_is() {
    let folder = Folder::new("unknown");
    folder.ok(&["bake", "art", "-o", "a", "--angles", "4"]);
    let (cause, help) = folder.fails(&["show", "a", "dot"]);
    assert!(cause.contains("\"dot\"") && help.contains("small/dot"), "{cause}\n{help}");
    let (_, help) = folder.fails(&["show", "a", "zebra"]);
    assert!(help.contains("hitmask info"), "{help}");
    let (cause, help) = folder.fails(&["show", "a", "arrow", "--frame", "1"]);
    assert!(cause.contains("frame 1") && help.contains("below 1"), "{cause}\n{help}");
}

#[test]
fn a_broken_scene_is_refused_by_line_or_by_collider() {
    let folder = Folder::new("scene");
    folder.ok(&["bake", "art", "-o", "a", "--angles", "4"]);
    let collider = |more: &str| format!(r#"{{"id":"a","sprite":"arrow","x":0,"y":0{more}}}"#);
    let scene = |collider: &str| format!("{{\"colliders\":[\n{collider}]}}");
    for (text, expected) in [
        ("".to_owned(), "line 1"),
        ("{".to_owned(), "line 1"),
        ("[]".to_owned(), "line 1"),
        (r#"{"colliders":[],"colour":1}"#.to_owned(), "colour"),
        (r#"{"accuracy":"pixel","colliders":[]}"#.to_owned(), "pixel"),
        (scene(r#"{"id":"a","x":0,"y":0}"#), "`sprite` at line 2"),
        (scene(r#"{"id":"a","sprite":"arrow","x":"0","y":0}"#), "line 2"),
        (scene(r#"{"id":"a","sprite":"arrow","x":NaN,"y":0}"#), "line 2"),
        (scene(r#"{"id":"a","sprite":"arrow","x":1e999,"y":0}"#), "line 2"),
        (scene(r#"{"id":"a","sprite":"arrow","x":1e39,"y":0}"#), "collider \"a\": position"),
        (scene(r#"{"id":"a","sprite":"arrow","x":0,"y":-2e9}"#), "collider \"a\": position"),
        (scene(r#"{"id":"a","sprite":"zebra","x":0,"y":0}"#), "collider \"a\": the atlas has no"),
        (scene(&collider(r#","frame":1"#)), "collider \"a\": frame 1"),
        (scene(&collider(r#","frame":-1"#)), "line 2"),
        (scene(&collider(r#","scale":0"#)), "collider \"a\": scale 0"),
        (scene(&collider(r#","angel":0"#)), "angel"),
        (scene(&format!("{},\n{}", collider(""), collider(""))), "two colliders have the id \"a\""),
    ] {
        folder.write("scene.json", &text);
        let (cause, help) = folder.fails(&["check", "a", "scene.json"]);
        assert!(cause.contains(expected), "{text}: {cause}");
        assert!(help.len() > 8);
    }
    assert!(folder.fails(&["check", "a", "absent.json"]).0.contains("absent.json"));
    fs::write(folder.0.join("binary.json"), [0xff, 0xfe, 0]).unwrap();
    assert!(folder.fails(&["check", "a", "binary.json"]).0.contains("binary.json"));
}

#[test]
fn the_demo_checks_itself_and_draws_its_last_frame() {
    let folder = Folder::new("demo");
    let said = folder.ok(&["demo", "--colliders", "400", "--seconds", "0", "--output", "last.png"]);
    for part in ["updates per second", "all agree", "times as fast", "last.png"] {
        assert!(said.contains(part), "{part:?} is not in\n{said}");
    }
    let picture = image::open(folder.0.join("last.png")).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (1200, 800));
    assert!(picture.pixels().any(|p| p.0 == [255; 3]), "somewhere two sprites touch");
    let (cause, _) = folder.fails_late(&[
        "demo",
        "--colliders",
        "2",
        "--seconds",
        "0",
        "--output",
        "no/last.png",
    ]);
    assert!(cause.contains("no/last.png"), "{cause}");
}

#[test]
fn the_bench_compares_answers_and_prints_rows() {
    let folder = Folder::new("bench");
    let rows = folder.json(&["bench", "open", "--json"]);
    let row = &rows["rows"][0];
    assert_eq!((&row["part"], &row["query"]), (&json!("open"), &json!("open")));
    for key in ["ns", "naive_ns", "ratio"] {
        assert!(row[key].as_f64().unwrap() > 0.0, "{row}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let folder = Folder::new("pipe");
    folder.ok(&["bake", "art", "-o", "a", "--angles", "4"]);
    let exe = Path::new(env!("CARGO_BIN_EXE_hitmask"));
    let script = format!("{} info a; echo $? >&2", exe.display());
    let piped = format!("({script}) | true");
    let output = Command::new("sh").args(["-c", &piped]).current_dir(&folder.0).output().unwrap();
    assert_eq!(texts(&output).1.trim(), "0");
}
