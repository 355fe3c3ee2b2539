//! Every failure of a bake names its cause and leaves the old atlas unchanged.

use super::{built, planes};
use crate::image;
use hitmask::{BuildFault, Mask, Pivot, PoseError};
use hitmask_bake::{Bake, BakeError, BakeFault};
use hitmask_scenes::Folder;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Only a file that begins like an atlas may be replaced by one.
const OLD: &[u8] = b"HITMASK\x1a and so on";

/// Runs a failing bake over an existing atlas and returns the error. Asserts that the atlas is
/// unchanged.
#[track_caller]
fn assert_at(error: &BakeError, fault: &BakeFault, path: &Path) {
    assert_eq!((&error.fault, error.place.path.as_deref()), (fault, Some(path)), "{error}");
}

fn fails(folder: &Folder, bake: Result<Bake, BakeError>) -> BakeError {
    let path = folder.path("kept.hitmask");
    fs::write(&path, OLD).unwrap();
    let error = bake.and_then(|bake| bake.write(&path)).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), OLD, "{error}");
    let hidden = fs::read_dir(folder.root())
        .unwrap()
        .filter(|e| e.as_ref().unwrap().file_name().to_str().unwrap().ends_with(".tmp"));
    assert_eq!(hidden.count(), 0, "a temporary file was left");
    error
}

#[test]
fn invalid_images_are_rejected_by_path_and_the_old_atlas_stays() {
    let folder = Folder::new("images");
    let good = fs::read(image(&folder, "good.png", 30)).unwrap();
    let bake = |path: &Path| Bake::new().sprites(path);
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path(name);
        fs::write(&path, bytes).unwrap();
        path
    };

    let text = write("text.png", b"BM6, a bitmap by its first bytes");
    assert_at(&fails(&folder, bake(&text)), &BakeFault::NotAnImage, &text);
    let nothing = write("nothing.png", b"");
    assert!(fails(&folder, bake(&nothing)).fault == BakeFault::NotAnImage);
    for len in [8, 20, 33, 60, good.len() / 2, good.len() - 16] {
        let cut = write("cut.png", &good[..len]);
        let error = fails(&folder, bake(&cut));
        assert!(
            error.fault == BakeFault::Damaged && error.place.path.as_deref() == Some(cut.as_path()),
            "{len}: {error}"
        );
    }
    // A valid header, checksum included, may claim any size.
    for (width, height) in [(0, 5), (5, 0), (70_000, 5), (5, 65_537), (u32::MAX, u32::MAX)] {
        let claimed = write("claimed.png", &png_of(width, height));
        let error = fails(&folder, bake(&claimed));
        if error.fault == BakeFault::Damaged {
            assert!(width == 0 || height == 0 || width == u32::MAX, "{width} x {height}");
        } else {
            let (quantity, needed) = ("pixels a side", width.max(height).into());
            let fault = BakeFault::OverLimit { quantity, needed, limit: 65_536 };
            assert_at(&error, &fault, &claimed);
            assert!(error.to_string().contains(&format!("has {width} x {height} pixels")));
        }
    }
    // One invalid file among valid ones.
    fs::remove_file(folder.path("cut.png")).unwrap();
    fs::remove_file(folder.path("claimed.png")).unwrap();
    fs::remove_file(folder.path("nothing.png")).unwrap();
    assert_at(&fails(&folder, bake(folder.root())), &BakeFault::NotAnImage, &text);
}

/// Returns a PNG file with a header of this size and no pixels.
pub(crate) fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 6, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    png.extend(&header);
    png.extend(crc32fast::hash(&header).to_be_bytes());
    png.extend(b"\0\0\0\0IDAT");
    png.extend(crc32fast::hash(b"IDAT").to_be_bytes());
    png
}

#[test]
fn invalid_paths_and_patterns_are_rejected_by_name() {
    let folder = Folder::new("paths");
    image(&folder, "ship.png", 3);
    fs::create_dir(folder.path("bare")).unwrap();
    let error = |input: &str| fails(&folder, Bake::new().sprites(folder.path(input)));
    for (input, kind) in
        [("missing", ErrorKind::NotFound), ("ship.png/x", ErrorKind::NotADirectory)]
    {
        let error = error(input);
        assert_eq!(error.place.path, Some(folder.path(input)));
        assert!(matches!(error.fault, BakeFault::Read(cause) if cause.kind == kind), "{error}");
    }
    assert_at(&error("bare"), &BakeFault::NotFound, &folder.path("bare"));
    assert_at(&error("*.jpg"), &BakeFault::NotFound, &folder.path("*.jpg"));
    assert_eq!(error("a***b").fault, BakeFault::Option);
    assert!(error("a***b").to_string().starts_with("invalid pattern \"a***b\": "));
    assert_eq!(fails(&folder, Ok(Bake::new())).fault, BakeFault::Nothing);
}

#[test]
fn two_sources_with_one_name_are_rejected_by_both_paths() {
    let folder = Folder::new("twice");
    let (a, b) = (image(&folder, "a/ship.png", 3), image(&folder, "b/ship.png", 4));
    let bake =
        Bake::new().sprites(folder.path("a")).and_then(|bake| bake.sprites(folder.path("b")));
    let error = fails(&folder, bake);
    assert_at(&error, &BakeFault::SameName, &a);
    assert_eq!(error.place.sprite.as_deref(), Some("ship"));
    let (a, b) = (a.display(), b.display());
    assert_eq!(error.to_string(), format!("two sources give a sprite named \"ship\": {a} and {b}"));
    assert!(error.help().contains("common parent folder"), "{error:?}");
    // Two files of one folder have no other.
    fs::copy(folder.path("a/ship.png"), folder.path("a/ship.apng")).unwrap();
    let error = fails(&folder, Bake::new().sprites(folder.path("a")));
    assert_at(&error, &BakeFault::SameName, &folder.path("a/ship.apng"));
    assert!(error.help().contains("name in a manifest"), "{error:?}");
}

#[test]
fn a_repeated_name_is_reported_for_one_file_and_for_sources_without_files() {
    let folder = Folder::new("same");
    let ship = image(&folder, "ship.png", 3);
    let again = folder.path(".").join("ship.png");
    let bake = || Bake::new().sprites(&ship).unwrap();
    let mask = || hitmask::Mask::new(1, 1).unwrap();
    for (bake, expected) in [
        (bake().sprites(again).unwrap(), "ship.png gives a sprite named \"ship\" twice"),
        (bake().mask("ship", mask()), "ship.png and one that is not an image"),
        (Bake::new().mask("a", mask()).mask("a", mask()), "two sources without images"),
    ] {
        let error = fails(&folder, Ok(bake));
        assert_eq!(error.fault, BakeFault::SameName, "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn names_with_control_characters_are_rejected() {
    let folder = Folder::new("control");
    let mask = || hitmask::Mask::new(1, 1).unwrap();
    for odd in ["x\0", "new\nline", "\u{1b}[2J", "\u{85}"] {
        let error = fails(&folder, Ok(Bake::new().mask(odd, mask())));
        assert_eq!(error.place.sprite.as_deref(), Some(odd));
        let error = built(error);
        assert_eq!((&error.fault, error.sprite.as_deref()), (&BuildFault::Name, Some(odd)));
        let planes = planes([("body", mask()), (odd, mask())]);
        let planes = Bake::new().frames("ship", [planes], None);
        assert_eq!(built(planes.to_bytes().unwrap_err()).fault, BuildFault::Planes);
    }
    Bake::new().mask("schön / 船", mask()).to_bytes().unwrap();
}

#[test]
fn invalid_settings_are_rejected() {
    let folder = Folder::new("settings");
    let ship = image(&folder, "ship.png", 600);
    let bake = || Bake::new().sprites(&ship).unwrap();
    for angles in [0, 2, 6, 63, 100_000] {
        let error = fails(&folder, Ok(bake().angles(angles)));
        assert_eq!(built(error).fault, BuildFault::Settings(Some(PoseError::Angles(angles))));
    }
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 100.0] {
        let error = fails(&folder, Ok(bake().scales([1.0, scale])));
        let fault = built(error).fault;
        assert!(matches!(fault, BuildFault::Settings(Some(PoseError::Scale(_)))), "{fault:?}");
    }
    let error = fails(&folder, Ok(bake().scales([])));
    assert_eq!(built(error).fault, BuildFault::Settings(Some(PoseError::NoScales)));
    let error = fails(&folder, Ok(bake().pivot(Pivot::HalfTexels(0, 1 << 20))));
    let error = built(error);
    assert_eq!(error.sprite.as_deref(), Some("ship"));
    assert!(matches!(error.fault, BuildFault::Settings(Some(PoseError::Pivot { .. }))));
    let error = fails(&folder, Ok(bake().angles(16).scales([50.0])));
    let error = built(error);
    assert_eq!(error.sprite.as_deref(), Some("ship"));
    assert!(matches!(error.fault, BuildFault::Settings(Some(PoseError::TooLarge { .. }))));
    let error = fails(&folder, Ok(bake().mask("", hitmask::Mask::new(1, 1).unwrap())));
    assert_eq!(built(error).fault, BuildFault::Name);
    let none: [Mask; 0] = [];
    let error = built(fails(&folder, Ok(bake().frames("none", none, None))));
    assert_eq!((error.fault, error.sprite.as_deref()), (BuildFault::NoFrames, Some("none")));
}

#[test]
fn an_output_path_that_cannot_be_written_is_rejected_by_name() {
    let folder = Folder::new("output");
    let bake = Bake::new().sprites(image(&folder, "ship.png", 3)).unwrap();
    fs::create_dir_all(folder.path("folder/inside")).unwrap();
    for output in ["missing/a.hitmask", "ship.png/a.hitmask"] {
        let error = bake.write(folder.path(output)).unwrap_err();
        assert_eq!(error.place.path, Some(folder.path(output)));
        assert!(matches!(error.fault, BakeFault::Write(_)), "{error}");
    }
    fs::write(folder.path("notes.txt"), "mine").unwrap();
    bake.write(folder.path("whole.hitmask")).unwrap();
    let shard = || Bake::new().sprites(folder.path("ship.png")).unwrap().shard(1, 2);
    shard().write(folder.path("part")).unwrap();
    let refused = [
        (&bake, "folder", "is a folder, not a file"),
        (&bake, "ship.png", "is one of the files that are read, and would be lost"),
        (&bake, "folder/../ship.png", "is one of the files that are read, and would be lost"),
        (&bake, "notes.txt", "exists and is neither an atlas nor a shard"),
        (&bake, "part", "is a shard, but the output is a whole atlas"),
        (&shard(), "whole.hitmask", "is a whole atlas, but the output is a shard"),
    ];
    for (bake, output, reason) in refused {
        let (path, fault) = (folder.path(output), BakeFault::Output { reason });
        let error = bake.write(&path).unwrap_err();
        assert_at(&error, &fault, &path);
        assert_eq!(error.to_string(), format!("{} {reason}", path.display()));
    }
    assert!(folder.path("folder/inside").is_dir());
}

#[test]
fn write_out_dir_fails_without_out_dir() {
    let bake = Bake::new().mask("dot", hitmask::Mask::new(1, 1).unwrap());
    // Cargo sets OUT_DIR for tests of packages with a build script. This package has none.
    let error = bake.write_out_dir("sprites").unwrap_err();
    assert_eq!(error.fault, BakeFault::Option);
    assert!(error.to_string().starts_with("the variable OUT_DIR is not set"), "{error}");
}

#[test]
#[cfg(unix)]
fn pipes_sockets_and_devices_are_rejected_without_being_opened() {
    let folder = Folder::new("special");
    image(&folder, "art/ship.png", 3);
    let make_pipe = |name: &str| {
        let made = std::process::Command::new("mkfifo").arg(folder.path(name)).status();
        assert!(made.expect("this test needs mkfifo").success());
        folder.path(name)
    };
    let _socket = std::os::unix::net::UnixListener::bind(folder.path("socket.png")).unwrap();
    let special = [make_pipe("pipe.png"), folder.path("socket.png"), "/dev/zero".into()];
    for path in &special {
        let grid = hitmask_bake::Grid::of([2, 2]);
        for error in [
            fails(&folder, Bake::new().sprites(path)),
            fails(&folder, Bake::new().sheets(path, grid)),
            fails(&folder, Bake::new().manifest(path)),
        ] {
            assert_at(&error, &BakeFault::NotAFile, path);
        }
    }
    for extension in ["json", "atlas", "tsx", "aseprite", "gif"] {
        let pipe = make_pipe(&format!("sheet.{extension}"));
        let error = fails(&folder, Bake::new().sprites(&pipe));
        assert_at(&error, &BakeFault::NotAFile, &pipe);
    }
    // A page of a sheet must be a file too.
    make_pipe("page.png");
    let frame = r#"{"frame":{"x":0,"y":0,"w":1,"h":1}}"#;
    let sheet = format!(r#"{{"frames":{{"a":{frame}}},"meta":{{"image":"page.png"}}}}"#);
    let error = fails(&folder, Bake::new().sprites(folder.write("ui.json", sheet)));
    assert_eq!(error.fault, BakeFault::NotFound);
    let said = " names the file \"page.png\", which does not exist";
    assert!(error.to_string().ends_with(said), "{error}");
    // An atlas is opened in the same way.
    let opened = hitmask::Atlas::open(&special[0]);
    assert!(matches!(opened, Err(hitmask::AtlasError::NotAnAtlas { .. })));
}
