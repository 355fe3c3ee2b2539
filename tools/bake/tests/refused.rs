//! Every failure of a bake names its cause and leaves the old atlas unchanged.

use super::{built, planes};
use crate::encode::png::{self, Png};
use crate::encode::sheets::{entry, json};
use crate::image;
use crate::sources::folder::fails;
use hitmask::{BuildFault, CallError, Mask, Pivot};
use hitmask_bake::{Bake, BakeError, BakeFault};
use hitmask_scenes::Folder;
use std::fs;
use std::path::Path;

#[track_caller]
fn assert_at(error: &BakeError, fault: &BakeFault, path: &Path) {
    assert_eq!((&error.fault, error.place.path.as_deref()), (fault, Some(path)), "{error}");
}

#[test]
fn invalid_images_are_rejected_by_path_and_the_old_atlas_stays() {
    let folder = Folder::new("images");
    let good = fs::read(image(&folder, "good.png", 30)).unwrap();
    let bake = |path: &Path| Bake::new().sprites(path);
    let write = |name: &str, bytes: &[u8]| folder.write(name, bytes);

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
        let claimed = write("claimed.png", &Png::new([width, height], png::RGBA).still(&[]).cut());
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
        let text = format!("number of angle steps {angles}: ");
        assert!(error.to_string().contains(&text), "{error}");
    }
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 100.0] {
        let error = fails(&folder, Ok(bake().scales([1.0, scale])));
        let fault = built(error).fault;
        assert!(matches!(fault, BuildFault::Settings(Some(CallError::Number { .. }))), "{fault:?}");
    }
    let error = fails(&folder, Ok(bake().scales([])));
    assert_eq!(built(error).fault, BuildFault::Settings(Some(CallError::NoScales)));
    let error = fails(&folder, Ok(bake().pivot(Pivot::HalfTexels(0, 1 << 20))));
    let error = built(error);
    assert_eq!(error.sprite.as_deref(), Some("ship"));
    assert!(matches!(error.fault, BuildFault::Settings(Some(CallError::Pivot { .. }))));
    let error = fails(&folder, Ok(bake().angles(16).scales([50.0])));
    let error = built(error);
    assert_eq!(error.sprite.as_deref(), Some("ship"));
    assert!(matches!(error.fault, BuildFault::Settings(Some(CallError::TooLarge { .. }))));
    let error = fails(&folder, Ok(bake().mask("", hitmask::Mask::new(1, 1).unwrap())));
    assert_eq!(built(error).fault, BuildFault::Name);
    let none: [Mask; 0] = [];
    let error = built(fails(&folder, Ok(bake().frames("none", none, None))));
    assert_eq!((error.fault, error.sprite.as_deref()), (BuildFault::NoFrames, Some("none")));
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
    let sheet = json(&[entry("a", [0, 0, 1, 1], "")], "page.png", "");
    let error = fails(&folder, Bake::new().sprites(folder.write("ui.json", sheet)));
    assert_eq!(error.fault, BakeFault::NotFound);
    let said = " names the file \"page.png\", which does not exist";
    assert!(error.to_string().ends_with(said), "{error}");
    // An atlas is opened in the same way.
    let opened = hitmask::Atlas::open(&special[0]);
    assert!(matches!(opened, Err(hitmask::FileError::NotAnAtlas { .. })));
}
