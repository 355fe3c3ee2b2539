//! Texts of all errors: `Display` states the fault in one line, and `help` the remedy.

use super::planes;
use crate::encode::sheets::{entry, json};
use crate::sources::folder::{assert_refused, assert_same_text, fails, kind};
use hitmask::baking::{Frame, SourceSprite, frame_mask};
use hitmask::{AtlasBuilder, AtlasOptions, CallError, Mask, Pivot, Settings};
use hitmask_bake::{Bake, BakeError, BakeFault, Grid, merge};
use hitmask_scenes::Folder;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

#[test]
fn every_error_of_a_builder_states_the_fault_and_the_remedy() {
    let mask = || hitmask::Mask::solid(3, 3).unwrap();
    let wide = || Mask::solid(32_767, 2).unwrap();
    let ship = |settings: Settings| AtlasBuilder::new().settings(settings).mask("ship", mask());
    let of = |change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        ship(settings)
    };
    let frame = |planes: &[(&str, Mask)]| {
        Frame::of_planes(
            planes.iter().map(|(name, mask)| (name.to_string(), mask.clone())).collect(),
        )
    };
    let pivot = |x| Frame { pivot: Some(Pivot::HalfTexels(x, 0)), ..Frame::from(wide()) };
    let motion = Settings { motion_frame: true, ..Settings::default() };
    let sprite = |frames: &[Frame], settings: &Settings| {
        SourceSprite::new("ship", frames, settings, 1.0).unwrap_err()
    };
    let still = Settings { angles: 1, ..Settings::default() };
    let page = frame_mask([32_768, 1], &[1; 32_768], |value| value > 0).unwrap();
    let errors = [
        AtlasBuilder::new().to_bytes().unwrap_err(),
        AtlasBuilder::new().mask("", mask()).to_bytes().unwrap_err(),
        AtlasBuilder::new().mask("ship\n", mask()).to_bytes().unwrap_err(),
        ship(Settings::default()).mask("ship", mask()).to_bytes().unwrap_err(),
        of(&|settings| settings.max_error = Some(-1.0)).to_bytes().unwrap_err(),
        of(&|settings| settings.angles = 6).to_bytes().unwrap_err(),
        of(&|settings| settings.thresholds = vec![0]).to_bytes().unwrap_err(),
        of(&|settings| settings.thresholds = vec![7, 7]).to_bytes().unwrap_err(),
        of(&|settings| settings.thresholds = (1..=255).collect()).to_bytes().unwrap_err(),
        of(&|settings| settings.pivot = Pivot::HalfTexels(1 << 20, 0)).to_bytes().unwrap_err(),
        of(&|settings| settings.scales = vec![64.0]).mask("z", wide()).to_bytes().unwrap_err(),
        ship(Settings::default()).max_bytes(1).to_bytes().unwrap_err(),
        sprite(&[], &still),
        sprite(&[page.into()], &still),
        sprite(&[frame(&[("", mask())])], &still),
        sprite(&[frame(&[("a", mask()), ("b", wide())])], &still),
        sprite(&[pivot(0), pivot(1)], &motion),
        sprite(&[pivot(0), pivot(70_000)], &motion),
    ];
    errors.iter().for_each(|error| check(&error.to_string(), &error.help()));
}

/// Checks that the fault and the remedy of an error read like an error.
fn check(fault: &str, help: &str) {
    for text in [fault, help] {
        assert!(text.len() > 8 && !text.contains('\n'), "{fault} / {help}");
        assert!(!text.ends_with('.') && !text.starts_with(char::is_uppercase), "{text}");
    }
    assert!(!fault.contains(help), "{fault}");
}

/// Returns the kind of an error, its message and its remedy, as a line. `~` stands for the folder.
fn told(folder: &Folder, error: &BakeError) -> String {
    let help = error.help().into_owned();
    assert_eq!(format!("{error:?}"), format!("{error}; {help}"));
    check(&error.to_string(), &help);
    let (said, root) = (error.to_string(), folder.root().display().to_string());
    let names_file = said.contains(&root) || said.contains("/dev/");
    assert_eq!(error.place.path.is_some(), names_file, "{error}");
    format!("{} {error:?}\n", kind(error)).replace(&root, "~")
}

/// `golden/bake-errors.txt` has the texts. The system words its own causes.
#[test]
fn every_error_of_a_bake_states_the_fault_and_the_remedy_and_keeps_the_old_atlas() {
    let folder = Folder::new("error-bakes");
    let image = super::image(&folder, "s.png", 3);
    super::image(&folder, "b/s.png", 4);
    super::image(&folder, "s.apng", 4);
    fs::create_dir(folder.path("bare")).unwrap();
    fs::write(folder.path("note"), "mine").unwrap();
    let failed = |bake: Result<Bake, BakeError>| fails(&folder, bake);
    let dot = || Mask::new(1, 1).unwrap();
    let found = |pattern: &str| failed(Bake::new().sprites(folder.path(pattern)));
    let bake = || Bake::new().sprites(&image).unwrap();
    let written = |bake: Bake, path: &str| bake.write(folder.path(path)).unwrap_err();
    let wide = || Bake::new().mask("wide", Mask::solid(700, 1).unwrap());
    let sheets = |grid| failed(Bake::new().sheets(&image, grid));
    bake().write(folder.path("atlas")).unwrap();
    bake().shard(1, 3).write(folder.path("part")).unwrap();
    let shard = |[shard, of]: [u32; 2]| bake().shard(shard, of).to_bytes().unwrap_err();
    let errors = [
        failed(Ok(Bake::new())),
        found("a***b"),
        found("bare"),
        found("*.tif"),
        found("bare\\*.png"),
        found("gone"),
        found("s.png/x"),
        sheets(Grid::of([0, 4])),
        sheets(Grid { columns: Some(2), ..Grid::of([0, 2]) }),
        sheets(Grid { count: Some(3), ..Grid::of([3, 3]) }),
        sheets(Grid { count: Some(0), ..Grid::of([3, 3]) }),
        sheets(Grid::of([9, 1])),
        sheets(Grid { margin: [u32::MAX; 2], ..Grid::of([3, 3]) }),
        sheets(Grid { spacing: [u32::MAX; 2], ..Grid::of([u32::MAX; 2]) }),
        sheets(Grid::divided([2, 1])),
        sheets(Grid { columns: Some(5), ..Grid::of([1, 1]) }),
        failed(bake().sprites(folder.path(".").join("s.png"))),
        failed(bake().sprites(folder.path("b"))),
        failed(bake().sprites(folder.path("s.apng"))),
        failed(Ok(bake().mask("s", dot()))),
        failed(Ok(Bake::new().mask("s", dot()).mask("s", dot()))),
        failed(Ok(bake().grow(257))),
        failed(Ok(bake().angles(0))),
        failed(Ok(bake().angles(63))),
        failed(Ok(bake().angles(100_000))),
        failed(Ok(bake().scales([]))),
        failed(Ok(bake().scales([1.0, 0.0]))),
        failed(Ok(bake().scales([1.0, f32::NAN]))),
        failed(Ok(bake().scales([1.0, 100.0]))),
        failed(Ok(wide().scales([50.0]).angles(4))),
        failed(Ok(bake().pivot(Pivot::HalfTexels(0, 1 << 20)))),
        failed(Ok(bake().mask("", dot()))),
        failed(Ok(bake().mask("new\nline", dot()))),
        failed(Ok(bake().mask("\u{1b}[2J", dot()))),
        failed(Ok(bake().mask("\u{85}", dot()))),
        failed(Ok(bake().frames::<Mask>("none", [], None))),
        failed(Ok(bake().frames("z", [planes([("body", dot()), ("x\0", dot())])], None))),
        written(bake(), "bare"),
        written(bake(), "s.png"),
        written(bake(), "bare/../s.png"),
        written(bake().cache(folder.path("atlas")), "atlas"),
        written(bake().shard(1, 2), "atlas"),
        written(bake(), "part"),
        written(bake(), "note"),
        written(bake(), "no/a"),
        bake().write_out_dir("a").unwrap_err(),
        bake().max_bytes(1 << 20).shard(1, 2).to_bytes().unwrap_err(),
        shard([0, 3]),
        shard([4, 3]),
        shard([1, 0]),
        shard([1, 65_537]),
    ];
    let mut text = errors.iter().map(|error| told(&folder, error)).collect::<String>();
    for (path, name) in [("gone", "gone"), ("s.png/x", "below")] {
        let cause = fs::read(folder.path(path)).unwrap_err();
        text = text.replace(&cause.to_string(), &format!("({name})"));
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let named = folder.root().join(std::ffi::OsStr::from_bytes(b"\xff"));
        for error in [
            Bake::new().sprites(named).unwrap_err(),
            Bake::new().sprites("/dev/zero").unwrap_err(),
            bake().write("/dev/null").unwrap_err(),
        ] {
            text += &told(&folder, &error);
        }
        assert_same_text("golden/bake-errors.txt", &text);
    }
}

/// `golden/merge-errors.txt` has the texts.
#[test]
fn every_error_of_a_merge_states_the_fault_and_the_remedy_and_keeps_the_old_atlas() {
    const OLD: &[u8] = b"HITMASK\x1a and so on";
    let folder = Folder::new("error-merges");
    let image = super::image(&folder, "s.png", 3);
    let bake = || Bake::new().sprites(&image).unwrap();
    let shard = |name: &str, bake: Bake| {
        bake.write(folder.path(name)).unwrap();
        folder.path(name)
    };
    let one = shard("one", bake().shard(1, 3));
    let two = shard("two", bake().shard(2, 3));
    let bytes = fs::read(&one).unwrap();
    let changed = |name: &str, at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        folder.write(name, bytes)
    };
    let merged = |shards: &[&PathBuf]| {
        let output = folder.write("out", OLD);
        let error = merge(&output, shards, AtlasOptions::DEFAULT).unwrap_err();
        assert_eq!(fs::read(&output).unwrap(), OLD, "{error}");
        error
    };
    let atlas = shard("atlas", bake());
    let (version, head) = (changed("version", 20), changed("head", 33));
    let (note, sprites) = (folder.write("note", "no shard"), folder.write("cut", &bytes[..150]));
    let gone = folder.path("gone");
    let cause = fs::read(&gone).unwrap_err();
    let whole = shard("whole", bake().shard(1, 1));
    let nowhere = merge(folder.path("no/a"), [whole], AtlasOptions::DEFAULT).unwrap_err();
    assert!(matches!(nowhere.fault, BakeFault::Write(_)), "{nowhere}");
    // Other settings, another sprite, another number of shards, compact, another resolution.
    let dot = || Mask::new(1, 1).unwrap();
    let others = [
        bake().angles(20).shard(2, 3),
        bake().mask("one more", dot()).shard(2, 3),
        bake().shard(2, 4),
        bake().compact(true).shard(2, 3),
        bake().resolution(2.0).shard(2, 3),
    ];
    let other = |bake| merged(&[&one, &shard("other", bake)]);
    let mut errors = vec![
        merged(&[]),
        merged(&[&one, &gone]),
        merged(&[&note]),
        merged(&[&one, &atlas]),
        merged(&[&version]),
        merged(&[&head]),
        merged(&[&sprites]),
        merged(&[&one, &two, &one]),
        merged(&[&one, &two]),
        merged(&[&two]),
    ];
    errors.extend(others.into_iter().map(other));
    let text = errors.iter().map(|error| told(&folder, error)).collect::<String>();
    assert_same_text("golden/merge-errors.txt", &text.replace(&cause.to_string(), "(gone)"));
}

#[test]
fn the_source_of_an_error_is_the_cause_that_a_program_can_match() {
    use std::error::Error;
    let folder = Folder::new("error-source");
    let read = Bake::new().sprites(folder.path("gone")).unwrap_err();
    let BakeFault::Read(cause) = &read.fault else { panic!("{read}") };
    assert_eq!(cause.kind, ErrorKind::NotFound);
    assert_eq!(read.source().unwrap().to_string(), cause.to_string());
    let wide = Settings { scales: vec![64.0], ..Settings::default() };
    let bake = Bake::new().frames("z", [Mask::solid(32_767, 2).unwrap()], wide);
    let built = bake.to_bytes().unwrap_err();
    assert_eq!(built.place.sprite.as_deref(), Some("z"));
    assert!(built.source().unwrap().downcast_ref::<CallError>().is_some(), "{built}");
}

#[test]
fn missing_shard_numbers_are_listed_and_cut_after_20() {
    let folder = Folder::new("error-missing");
    let bake = || Bake::new().angles(1).mask("dot", Mask::new(1, 1).unwrap());
    let part = |i: u32| folder.path(&format!("part-{i}"));
    for i in 1..=25 {
        bake().shard(i, 25).write(part(i)).unwrap();
    }
    let message = |missing: &[u32]| {
        let shards: Vec<PathBuf> = (1..=25).filter(|i| !missing.contains(i)).map(part).collect();
        merge(folder.path("out"), shards, AtlasOptions::DEFAULT).unwrap_err().to_string()
    };
    assert!(message(&[1, 3, 4]).contains("of 25 shards, numbers 1, 3 and 4 are missing beside "));
    let many: Vec<u32> = (1..=21).collect();
    assert!(message(&many).contains(" 19, 20, ... are missing"), "{}", message(&many));
}

#[test]
#[cfg(unix)]
fn pipes_sockets_and_devices_are_rejected_without_being_opened() {
    let folder = Folder::new("special");
    let make_pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(folder.path(name)).status();
        assert!(made.expect("this test needs mkfifo").success());
        folder.path(name)
    };
    let refused = |bake: Result<Bake, BakeError>, path: &PathBuf| {
        let error = assert_refused(&folder, bake, "NotAFile", "");
        assert_eq!(error.place.path.as_ref(), Some(path), "{error}");
    };
    let _socket = std::os::unix::net::UnixListener::bind(folder.path("socket.png")).unwrap();
    let special = [make_pipe("pipe.png"), folder.path("socket.png"), "/dev/zero".into()];
    for path in &special {
        refused(Bake::new().sprites(path), path);
        refused(Bake::new().sheets(path, Grid::of([2, 2])), path);
        refused(Bake::new().manifest(path), path);
    }
    for extension in ["json", "atlas", "tsx", "aseprite", "gif"] {
        let pipe = make_pipe(&format!("sheet.{extension}"));
        refused(Bake::new().sprites(&pipe), &pipe);
    }
    // A page of a sheet must be a file too.
    make_pipe("page.png");
    let sheet = folder.write("ui.json", json(&[entry("a", [0, 0, 1, 1], "")], "page.png", ""));
    let said = " names the file \"page.png\", which does not exist";
    assert_refused(&folder, Bake::new().sprites(sheet), "NotFound", said);
    // An atlas is opened in the same way.
    let opened = hitmask::Atlas::open(&special[0]);
    assert!(matches!(opened, Err(hitmask::FileError::NotAnAtlas { .. })));
}
