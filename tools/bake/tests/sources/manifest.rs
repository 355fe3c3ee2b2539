//! The manifest: sources by pattern, settings per source, and errors with line and column.

use super::folder::{Folder, fails, manifest, png};
use crate::encode::sheets::{entry, json};
use hitmask::{AlphaRule, Atlas, Sampling, Warning};
use hitmask_bake::{Bake, BakeError, BakeFault};

/// Writes a square image with a clear corner. Images of different sizes have different pixels.
fn square(folder: &Folder, name: &str, side: usize) {
    let mut image = vec!["#".repeat(side); side];
    image[0].replace_range(..1, ".");
    let image: Vec<&str> = image.iter().map(String::as_str).collect();
    folder.write(name, png(&image));
}

#[test]
fn later_sources_override_earlier_ones_and_the_defaults() {
    let folder = Folder::new("cascade");
    for (side, name) in
        ["ui/a.png", "ships/b.png", "ships/boss/c.png", "old/d.png"].iter().enumerate()
    {
        square(&folder, name, side + 3);
    }
    folder.write("notes.txt", "no image");
    let text = r##"
        output = "out/sprites.hitmask"
        [defaults]
        angles = 8
        scales = [2, 0.5]
        [[source]]
        files = "**/*"
        except = ["old/*"]
        alpha = { above = 3 }
        [[source]]
        files = ["ships/boss/*.png", "ui/a.png"]
        angles = 16
        coverage = true
        [[source]]
        files = "ui/*.png"
        scales = 1
        alpha = { bits = 0x80 }
    "##;
    let bake = manifest(&folder, text).unwrap();
    assert_eq!(bake.output(), Some(folder.path("out/sprites.hitmask").as_path()));
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let sprites: Vec<_> = atlas
        .sprites()
        .map(|s| (s.name(), s.angles(), s.scales().to_vec(), s.alpha_rule(), s.sampling()))
        .collect();
    let (all, nearest, coverage) = (vec![0.5, 2.0], Sampling::Nearest, Sampling::Coverage25);
    assert_eq!(
        sprites,
        [
            ("ships/b", 8, all.clone(), AlphaRule::Above(3), nearest),
            ("ships/boss/c", 16, all, AlphaRule::Above(3), coverage),
            ("ui/a", 16, vec![1.0], AlphaRule::Bits(0x80), coverage),
        ]
    );
    // Settings that the manifest omits are those of the setters. Names are relative to the root.
    let path = folder.write("sub/hitmask.toml", "root = \"../ui\"\n[[source]]\nfiles = \"a.png\"");
    let bake = Bake::new().angles(4).manifest(path).unwrap();
    assert_eq!(bake.output(), None);
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let sprite = atlas.sprites().next().unwrap();
    assert_eq!((sprite.name(), sprite.angles()), ("a", 4));
}

#[test]
fn a_sheet_is_read_if_named_and_its_page_is_not_a_sprite() {
    let folder = Folder::new("pages");
    square(&folder, "ui.png", 4);
    square(&folder, "free.png", 5);
    let frame = r#"{"frame": {"x":0,"y":0,"w":2,"h":2}, "duration": 10}"#;
    let tags = r#"[{"name": "idle", "from": 0, "to": 0}]"#;
    let sheet = format!(
        r#"{{"frames": [{frame}, {frame}], "meta": {{"image": "ui.png", "frameTags": {tags}}}}}"#
    );
    folder.write("ui.json", sheet);
    folder.write("package.json", "{\"not\": \"a sheet\"}");
    let names = |text: &str| crate::names(&manifest(&folder, text).unwrap());
    let both = "[[source]]\nfiles = \"*\"\n[[source]]\nfiles = \"u*.json\"\n";
    assert_eq!(names("[[source]]\nfiles = \"*\""), ["free", "ui"]);
    assert_eq!(names(both), ["free", "ui/idle"]);
    assert_eq!(names(&format!("{both}tags = false\nflip = \"y\"")), ["free", "ui"]);
    // A source that names the page without wildcards, or gives it a name, asks for it.
    let sheet = "[[source]]\nfiles = \"ui.json\"\n";
    for (files, expected) in [
        ("\"ui.png\"\nname = \"whole\"", ["ui/idle", "whole"]),
        ("\"ui*.png\"\nname = \"whole\"", ["ui/idle", "whole"]),
        ("[\"ui.png\", \"u*.png\"]", ["ui", "ui/idle"]),
    ] {
        assert_eq!(names(&format!("{sheet}[[source]]\nfiles = {files}\n")), expected);
    }
    // Extensions of sheets match in any case, as those of images.
    std::fs::rename(folder.path("ui.json"), folder.path("UI.JSON")).unwrap();
    assert_eq!(names("[[source]]\nfiles = \"*.json\"\nexcept = \"package.json\""), ["UI/idle"]);
}

#[test]
fn paths_from_the_current_folder_are_those_from_any_other() {
    // Runs this test again in the folder of the manifest, because the current folder is that of all tests.
    if std::env::var_os("HITMASK_TEST_FOLDER").is_none() {
        let folder = Folder::new("current");
        for (side, name) in ["art/a.png", "art/b.png", "page.png"].iter().enumerate() {
            square(&folder, name, side + 3);
        }
        folder.write("ui.json", json(&[entry("q", [0, 0, 2, 2], "")], "page.png", ""));
        let test = "sources::manifest::paths_from_the_current_folder_are_those_from_any_other";
        let again = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test])
            .env("HITMASK_TEST_FOLDER", "")
            .current_dir(folder.root())
            .output()
            .unwrap();
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stdout));
        return;
    }
    let read = |text: &str| {
        std::fs::write("hitmask.toml", text).unwrap();
        ["hitmask.toml", "./hitmask.toml"].map(|path| {
            let bake = Bake::new().manifest(path)?;
            let atlas = Atlas::from_vec(bake.to_bytes()?).unwrap();
            let sprite = |s: hitmask::Sprite<'_>| (s.name().to_owned(), s.angles());
            Ok::<_, BakeError>(atlas.sprites().map(sprite).collect::<Vec<_>>())
        })
    };
    for (text, expected) in [
        (
            "[[source]]\nfiles = \"art/*\"\n[[source]]\nfiles = \"./art/./a.png\"\nangles = 8",
            &[("art/a", 8), ("art/b", 64)][..],
        ),
        ("[[source]]\nfiles = \"**/*\"\nexcept = \"./art/a.png\"", &[("art/b", 64), ("page", 64)]),
        ("[[source]]\nfiles = [\"*\", \"./*.json\"]", &[("ui/q", 64)]),
        ("root = \"\"\n[[source]]\nfiles = \"./page.png\"", &[("page", 64)]),
    ] {
        for read in read(text) {
            let read = read.unwrap();
            let found: Vec<_> =
                read.iter().map(|(name, angles)| (name.as_str(), *angles)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
    for read in read("[[source]]\nfiles = \"**\"") {
        let error = read.unwrap_err().to_string();
        assert!(
            error
                .ends_with("no image or sheet matches \"**\"; write \"**/*\" for the images below"),
            "{error}"
        );
    }
    for path in ["**", "./**"] {
        assert_eq!(Bake::new().sprites(path).unwrap_err().fault, BakeFault::NotFound, "{path}");
    }
    assert_eq!(crate::names(&Bake::new().sprites("./art/*").unwrap()), ["a", "b"]);
}

#[test]
fn resolution_compact_and_max_mb_apply_to_the_whole_atlas() {
    let folder = Folder::new("whole");
    square(&folder, "a.png", 60);
    let bake =
        |keys: &str| manifest(&folder, format!("{keys}\n[[source]]\nfiles = \"a.png\"\n")).unwrap();
    let bytes = |keys: &str| bake(keys).to_bytes().unwrap();
    let whole = bytes("");
    assert_eq!(Atlas::from_vec(bytes("resolution = 0.5")).unwrap().resolution(), 0.5);
    let compact = Atlas::from_vec(bytes("compact = true")).unwrap();
    assert_eq!(compact.drawn().unwrap().as_bytes(), whole);
    assert!(bytes("compact = true").len() < whole.len() / 10);
    let fitted = bytes("max_mb = 0.03");
    assert!(fitted.len() <= 30_000 && whole.len() > 30_000, "{} {}", fitted.len(), whole.len());
    // Options that the manifest omits are those of the setters before it.
    let text = "[[source]]\nfiles = \"a.png\"\n";
    let path = folder.write("hitmask.toml", text);
    let finer = Bake::new().resolution(2.0).manifest(path).unwrap().to_bytes().unwrap();
    assert_eq!(Atlas::from_vec(finer).unwrap().resolution(), 2.0);
}

#[test]
fn wildcards_pass_over_ase_files_of_other_programs_and_plain_names_do_not() {
    let folder = Folder::new("manifest-foreign");
    square(&folder, "art/ship.png", 5);
    let swatches = folder.write("art/swatches.ase", b"ASEF\0\x01\0\0\0\0\0\x02".as_slice());
    let named = |files: &str| manifest(&folder, format!("[[source]]\nfiles = {files}"));
    for files in ["\"art/*\"", "[\"**/*.ase\", \"art/ship.png\"]", "\"**/*\""] {
        let report = named(files).unwrap().write(folder.path("a.hitmask")).unwrap();
        let path = swatches.clone();
        assert_eq!(
            report.warnings,
            [Warning::NotAnImage { sprite: "art/swatches".to_owned(), path }],
            "{files}"
        );
        assert_eq!(report.sprites, 1, "{files}");
    }
    for files in ["\"art/swatches.ase\"", "\"art/*.ase\""] {
        let error = fails(&folder, named(files));
        let found = (&error.fault, error.place.path.as_ref());
        assert_eq!(found, (&BakeFault::NotAnImage, Some(&swatches)), "{error}");
    }
    // An exception is not passed over, because it is no source.
    let report = named("\"art/*\"\nexcept = \"**/*.ase\"").unwrap();
    assert_eq!(report.write(folder.path("b.hitmask")).unwrap().warnings, []);
}
