//! Texts of all errors: `Display` states the fault in one line, and `help` the remedy.

use crate::sources::folder::fails;
use hitmask::baking::{Frame, SourceSprite, frame_mask};
use hitmask::{AtlasBuilder, AtlasOptions, CallError, FileError, Mask, Pivot, Section, Settings};
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

/// Returns the kind of an error, its message and its remedy. `~` stands for the folder.
fn told(folder: &Folder, error: &BakeError) -> String {
    let kind = format!("{:?}", error.fault);
    let kind = kind.split(|c: char| !c.is_alphanumeric()).next().unwrap();
    let help = error.help().into_owned();
    let text = format!("{kind} {error:?}").replace(&folder.root().display().to_string(), "~");
    assert_eq!(format!("{error:?}"), format!("{error}; {help}"));
    check(&error.to_string(), &help);
    text
}

#[test]
fn every_error_of_a_bake_states_the_fault_and_the_remedy_and_keeps_the_old_atlas() {
    const REMOVE: &str = "remove it, or choose another path";
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
    let sheets = |grid| failed(Bake::new().sheets(&image, grid));
    bake().write(folder.path("atlas")).unwrap();
    bake().shard(1, 3).write(folder.path("part")).unwrap();
    let gone = fs::read(folder.path("gone")).unwrap_err();
    let below = fs::read(folder.path("s.png/x")).unwrap_err();
    let cases = [
        (
            failed(Ok(Bake::new())),
            "Nothing there is nothing to bake; add an image or a folder of images",
        ),
        (
            found("a***b"),
            "Option invalid pattern \"a***b\": wildcards are either regular `*` or recursive `**`; \
             escape a literal [, * or ? as [[], [*] or [?]",
        ),
        (
            found("bare"),
            "NotFound no image at ~/bare; check the path, and that the images are PNG, GIF, WebP, JPEG, \
             BMP, TGA or Aseprite files",
        ),
        (
            found("*.tif"),
            "NotFound no image at ~/*.tif; check the path, and that the images are PNG, GIF, WebP, JPEG, \
             BMP, TGA or Aseprite files",
        ),
        (
            found("bare\\*.png"),
            "NotFound no image at ~/bare\\*.png; separate folders by / in patterns, and check the path",
        ),
        (
            found("gone"),
            &format!(
                "Read cannot read ~/gone: {gone}; check the path and its permissions; did you mean \"note\"?"
            ),
        ),
        (
            found("s.png/x"),
            &format!("Read cannot read ~/s.png/x: {below}; check the path and its permissions"),
        ),
        (
            sheets(Grid::of([0, 4])),
            "Option the grid for ~/s.png has tiles of 0 x 4 texels; set both sides of the tile to at \
             least 1 texel",
        ),
        (
            sheets(Grid { count: Some(3), ..Grid::of([3, 3]) }),
            "Option ~/s.png has 3 x 3 texels and 1 whole frames of the grid, but 3 are requested; check \
             tile, margin, spacing, columns, rows and count",
        ),
        (
            failed(bake().sprites(folder.path(".").join("s.png"))),
            "SameName ~/s.png gives a sprite named \"s\" twice; name the file once, or give one of the \
             sprites another name",
        ),
        (
            failed(bake().sprites(folder.path("b"))),
            "SameName two sources give a sprite named \"s\": ~/s.png and ~/b/s.png; rename one of them, \
             or bake their common parent folder",
        ),
        (
            failed(bake().sprites(folder.path("s.apng"))),
            "SameName two sources give a sprite named \"s\": ~/s.png and ~/s.apng; rename one of them, \
             or give it a name in a manifest: a [[source]] with files and name",
        ),
        (
            failed(Ok(bake().mask("s", dot()))),
            "SameName two sources give a sprite named \"s\": ~/s.png and one that is not an image; \
             rename one of them",
        ),
        (
            failed(Ok(Bake::new().mask("s", dot()).mask("s", dot()))),
            "SameName two sources without images give a sprite named \"s\"; rename one of them",
        ),
        (
            failed(Ok(bake().grow(257))),
            "Option sprite \"s\" grows or shrinks by 257 texels; use a radius of at most 256 texels",
        ),
        (
            written(bake(), "bare"),
            "Output ~/bare is a folder, not a file; name a file in that folder",
        ),
        (
            written(bake(), "s.png"),
            "Output ~/s.png is one of the files that are read, and would be lost; choose another path to \
             write to",
        ),
        (
            written(bake(), "bare/../s.png"),
            "Output ~/bare/../s.png is one of the files that are read, and would be lost; choose another \
             path to write to",
        ),
        (
            written(bake().cache(folder.path("atlas")), "atlas"),
            "Output ~/atlas is the output file, so it cannot be the cache too; choose another path for \
             the cache",
        ),
        (
            written(bake().shard(1, 2), "atlas"),
            &format!("Output ~/atlas is a whole atlas, but the output is a shard; {REMOVE}"),
        ),
        (
            written(bake(), "part"),
            &format!("Output ~/part is a shard, but the output is a whole atlas; {REMOVE}"),
        ),
        (
            written(bake(), "note"),
            &format!("Output ~/note exists and is neither an atlas nor a shard; {REMOVE}"),
        ),
        (
            written(bake(), "no/a"),
            &format!(
                "Write cannot write ~/no/a: {gone}; any file at that path is unchanged; check that the \
                 folder exists and that the disk has room"
            ),
        ),
        (
            bake().write_out_dir("a").unwrap_err(),
            "Option the variable OUT_DIR is not set, so this is not a build script; call write() with a \
             path instead",
        ),
        (
            bake().max_bytes(1 << 20).shard(1, 2).to_bytes().unwrap_err(),
            "Option a shard cannot keep a limit on the atlas size, because the limit depends on all \
             sprites; remove the limit, or bake without shards",
        ),
    ];
    for (error, expected) in &cases {
        assert_eq!(told(&folder, error), *expected);
        assert_eq!(
            error.place.path.is_some(),
            error.to_string().contains(folder.root().to_str().unwrap())
        );
    }
    for [shard, of] in [[0, 3], [4, 3], [1, 0], [1, 65_537]] {
        let error = bake().shard(shard, of).to_bytes().unwrap_err();
        let expected = format!(
            "Option there is no shard {shard} of {of}; number the shards from 1, up to 65536"
        );
        assert_eq!(told(&folder, &error), expected);
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let named = folder.root().join(std::ffi::OsStr::from_bytes(b"\xff"));
        let shown = named.display().to_string();
        for (error, expected) in [
            (
                Bake::new().sprites(named).unwrap_err(),
                format!(
                    "Unsupported the path {shown} is not Unicode, so it cannot name a sprite; rename the \
                     file to a Unicode name"
                )
                .replace(folder.root().to_str().unwrap(), "~"),
            ),
            (
                Bake::new().sprites("/dev/zero").unwrap_err(),
                "NotAFile /dev/zero is not a file, but a folder, a device, a pipe or a socket; save the \
                 contents to a regular file, and name that file"
                    .to_owned(),
            ),
            (
                bake().write("/dev/null").unwrap_err(),
                "Output /dev/null is not a file, but a device, a pipe or a socket; choose the path of a \
                 regular file"
                    .to_owned(),
            ),
        ] {
            assert_eq!(told(&folder, &error), expected);
        }
    }
}

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
    let cut = merged(&[&sprites]);
    let BakeFault::Atlas(of_cut) = &cut.fault else { panic!("{cut}") };
    let of_cut = of_cut.to_string();
    let whole = shard("whole", bake().shard(1, 1));
    let nowhere = merge(folder.path("no/a"), [whole], AtlasOptions::DEFAULT).unwrap_err();
    assert!(matches!(nowhere.fault, BakeFault::Write(_)), "{nowhere}");
    const SHARD: &str = "name files that hitmask bake --shard has written";
    const COPY: &str = "copy the shard or bake it again";
    for (error, expected) in [
        (merged(&[]), "Nothing no shard was given; name all shards of one bake"),
        (
            merged(&[&one, &gone]),
            &format!(
                "Read cannot read ~/gone: {cause}; check the path and its permissions; did you mean \"one\"?"
            ),
        ),
        (merged(&[&note]), &format!("Shard ~/note is not a shard; {SHARD}")),
        (merged(&[&one, &atlas]), &format!("Shard ~/atlas is a whole atlas, not a shard; {SHARD}")),
        (
            merged(&[&version]),
            "Shard another version of hitmask wrote ~/version; bake and merge all shards with the same \
             version",
        ),
        (merged(&[&head]), &format!("Damaged the shard ~/head is damaged; {COPY}")),
        (cut, &format!("Atlas the shard ~/cut: {of_cut}; {COPY}")),
        (
            merged(&[&one, &two, &one]),
            "Shard ~/one and ~/one are both shard 1; name each shard once",
        ),
        (
            merged(&[&one, &two]),
            "Shard of 3 shards, number 3 is missing beside ~/one; bake the missing shards, or name their \
             files too",
        ),
        (
            merged(&[&two]),
            "Shard of 3 shards, numbers 1 and 3 are missing beside ~/two; bake the missing shards, or \
             name their files too",
        ),
    ] {
        assert_eq!(told(&folder, &error), expected);
        assert_eq!(error.place.path.is_none(), error.fault == BakeFault::Nothing);
    }
    // Other settings, another sprite, another number of shards, compact, another resolution.
    let dot = || Mask::new(1, 1).unwrap();
    for other in [
        bake().angles(20).shard(2, 3),
        bake().mask("one more", dot()).shard(2, 3),
        bake().shard(2, 4),
        bake().compact(true).shard(2, 3),
        bake().resolution(2.0).shard(2, 3),
    ] {
        fs::remove_file(&two).unwrap();
        let error = merged(&[&one, &shard("two", other)]);
        let expected = "Shard ~/one and ~/two are shards of different bakes: their sprites, settings or \
                        shard counts differ; bake all shards of the same sources with the same settings, and \
                        remove those of an earlier bake";
        assert_eq!(told(&folder, &error), expected);
        assert_eq!(error.place.path.as_ref(), Some(&one));
    }
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
    let bake = || {
        let add = |bake: Bake, i: u32| bake.mask(i.to_string(), Mask::new(1, 1).unwrap());
        (0..90).fold(Bake::new().angles(1), add)
    };
    let part = |i: u32| folder.path(&format!("part-{i}"));
    for i in 1..=90 {
        bake().shard(i, 90).write(part(i)).unwrap();
    }
    let message = |missing: &[u32]| {
        let shards: Vec<PathBuf> = (1..=90).filter(|i| !missing.contains(i)).map(part).collect();
        merge(folder.path("out"), shards, AtlasOptions::DEFAULT).unwrap_err().to_string()
    };
    let root = folder.root().display();
    for (shards, expected) in [
        (&[1][..], format!("of 90 shards, number 1 is missing beside {root}/part-2")),
        (&[1, 3], format!("of 90 shards, numbers 1 and 3 are missing beside {root}/part-2")),
        (&[1, 3, 4], format!("of 90 shards, numbers 1, 3 and 4 are missing beside {root}/part-2")),
    ] {
        assert_eq!(message(shards), expected);
    }
    let many: Vec<u32> = (1..=21).collect();
    assert!(message(&many).contains(" 19, 20, ... are missing"), "{}", message(&many));
}

#[test]
fn an_invalid_field_of_an_atlas_is_named() {
    let field = |field| FileError::Corrupt { section: Section::Header, index: 0, field, offset: 0 };
    assert!(field("offsets").to_string().contains("invalid field offsets"));
}
