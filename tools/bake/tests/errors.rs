//! Texts of all errors: `Display` states the fault in one line, and `help` the remedy.

use hitmask::baking::{Frame, SourceSprite, frame_mask};
use hitmask::{
    Accuracy, AtlasBuilder, AtlasError, AtlasId, AtlasOptions, BulkPlaceError, ColliderId,
    DrawingCost, InvariantViolation, IoCause, Mask, MaskError, MaskId, Pivot, PlaceError,
    PoseError, ProjectionError, ScalePolicy, Section, Settings, Simd, SimdError, SnapshotError,
    SpriteId, Warning, World, ZoneError,
};
use hitmask_bake::{Bake, BakeError, BakeFault, CacheNote, Grid, merge};
use hitmask_scenes::Folder;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

fn stale() -> (ColliderId, MaskId) {
    let mask = hitmask::Mask::new(1, 1).unwrap();
    let bytes = hitmask_bake::Bake::new().mask("dot", mask).to_bytes().unwrap();
    let mut world = World::new(hitmask::Atlas::from_vec(bytes).unwrap());
    let id = world.insert(hitmask::Collider::new(SpriteId::new(0))).unwrap();
    world.remove(id);
    let dot = hitmask::Mask::new(1, 1).unwrap();
    (id, world.masks_mut().insert(dot, hitmask::Pivot::Center).unwrap())
}

/// Returns for each error the expression that builds it, its fault and its help.
macro_rules! texts {
    ($($error:expr),* $(,)?) => {
        vec![$({
            let error = $error;
            (stringify!($error), error.to_string(), error.help().into_owned())
        }),*]
    };
}

/// Returns the values that the expression of an error holds: its numbers, names and paths.
fn values(source: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut values: Vec<String> = source
        .split(|c: char| !is_word(c))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .map(|number| number.trim_end_matches(".0").replace('_', ""))
        .collect();
    values.extend(source.contains("path()").then(|| "art/ship.png".to_owned()));
    values.extend(source.contains("name()").then(|| "ship".to_owned()));
    values
}

#[test]
fn every_error_states_the_fault_and_separately_the_remedy() {
    let path = || PathBuf::from("art/ship.png");
    let name = || "ship".to_owned();
    let (id, mask) = stale();
    let texts: Vec<(&str, String, String)> = texts![
        MaskError::TooLarge { width: 1, height: 2 },
        MaskError::WrongLength { expected: 4, got: 3 },
        MaskError::BadCharacter { found: 'x', line: 1, column: 2 },
        MaskError::RaggedRow { line: 2, expected: 3, got: 4 },
        MaskError::BadColor { text: name() },
        MaskError::ShapeOption { name: "max_error", value: f32::NAN, least: 0.1, most: 9.0 },
        MaskError::SizeChanged { expected: [1, 2], got: [3, 4] },
        SimdError::Unknown { name: name() },
        SimdError::Unavailable { simd: Simd::Neon },
        PoseError::Angles(6),
        PoseError::NoScales,
        PoseError::Transform,
        ZoneError::Position([f32::NAN, 0.0]),
        ZoneError::Size(-1.0),
        ZoneError::Span { from: [0.0, 2.5], to: [1.0, 3.5] },
        ZoneError::Direction([0.0, 0.0]),
        ProjectionError::Perspective { x: 0.5, y: 0.25 },
        ProjectionError::Behind { w: 0.0 },
        ProjectionError::NotFinite,
        PoseError::Scale(0.0),
        PoseError::Resolution(3.0),
        PoseError::ScaleAtResolution { scale: 64.0, resolution: 2.0 },
        PoseError::Pivot { half_texels: [1, 2], limit: 3 },
        PoseError::TooLarge { width: 1, height: 2 },
        AtlasError::Io { path: path(), cause: ErrorKind::NotFound.into() },
        AtlasError::Io {
            path: path(),
            cause: IoCause { kind: ErrorKind::NotFound, code: Some(2) }
        },
        AtlasError::NotAnAtlas { len: 3 },
        AtlasError::Shard,
        AtlasError::Version { found: 0, supported: 2 },
        AtlasError::Version { found: 9, supported: 2 },
        AtlasError::Length { expected: 64, got: 63 },
        AtlasError::OverLimit { cost: DrawingCost::Bytes, needed: 9, limit: 8 },
        AtlasError::OverLimit { cost: DrawingCost::Poses, needed: 9, limit: 8 },
        AtlasError::OverLimit { cost: DrawingCost::Samples, needed: 9, limit: 8 },
        AtlasError::OverLimit { cost: DrawingCost::Poses, needed: 3000000000, limit: 2147483648 },
        AtlasError::Checksum { section: Section::Pool, expected: 1, got: 2 },
        AtlasError::Corrupt { section: Section::Poses, index: 1, field: "size", offset: 2 },
        CacheNote::CacheDamaged { path: path() },
        CacheNote::CacheForeign { path: path() },
        CacheNote::CacheOfOtherVersion { path: path() },
        CacheNote::CacheOfOtherAtlas { path: path() },
        CacheNote::CacheNotWritten { path: path(), cause: name() },
        PlaceError::UnknownSprite { sprite: SpriteId::new(3), sprites: 2 },
        SnapshotError::NotASnapshot,
        SnapshotError::Version { found: 2, supported: 1 },
        SnapshotError::OtherAtlas { expected: AtlasId::new(1), got: AtlasId::new(2) },
        SnapshotError::Checksum { expected: 1, got: 2 },
        SnapshotError::Corrupt { field: "look", offset: 3 },
        SnapshotError::Placement { slot: 1, cause: PlaceError::Full },
        InvariantViolation::Slots,
        InvariantViolation::Placement { slot: 1 },
        InvariantViolation::Order,
        InvariantViolation::Events,
        InvariantViolation::Index { slot: 1 },
        PlaceError::UnknownMask(mask),
        PlaceError::UnknownOwner(42),
        PlaceError::PosedMask(mask),
        PlaceError::MaskInUse(mask),
        PlaceError::Pose(PoseError::NoScales),
        BulkPlaceError { index: 3, cause: PlaceError::Full },
        PlaceError::UnknownFrame { frame: 1, frames: 1 },
        PlaceError::UnknownPlane { plane: 1, planes: 1 },
        PlaceError::Position([f32::NAN, 0.0]),
        PlaceError::Angle(f32::NAN.into()),
        Accuracy::from_factor(-2.5).unwrap_err(),
        PlaceError::Scale(0.0),
        PlaceError::UnbakedScale { scale: 10.0, nearest: 1.0, policy: ScalePolicy::Exact },
        PlaceError::UnbakedScale { scale: 4.0, nearest: 1.25, policy: ScalePolicy::Within(1.5) },
        PlaceError::ScaleFactor(0.5),
        PlaceError::Stale(id),
        PlaceError::Full,
        PlaceError::UndrawnMask(mask),
        Warning::Empty { sprite: name(), frame: 1 },
        Warning::Sensitive { sprite: name(), frame: 1, seen: 3, solid: 2 },
        Warning::Thin { sprite: name(), frame: 1 },
        Warning::Duplicate { sprite: name(), of: name() },
        Warning::OverBudget { sprite: name(), bytes: 2, budget: 1 },
        Warning::NotAnImage { sprite: name(), path: path() },
        Warning::Truncated { sprite: name(), frame: 1 },
        Warning::OverError { sprite: name(), error: 2.5, limit: 1.0, angles: 128, needed: 320 },
    ];
    check(texts);
}

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
    check(errors.iter().map(|error| ("", error.to_string(), error.help().into_owned())).collect());
}

/// Checks that each text shows the values of its source and reads like an error.
fn check(texts: Vec<(&str, String, String)>) {
    for (source, fault, help) in texts {
        for value in values(source) {
            let is_shown = fault.contains(&value) || help.contains(&value);
            assert!(is_shown, "{source} does not show {value}: {fault} / {help}");
        }
        for text in [&fault, &help] {
            assert!(text.len() > 8 && !text.contains('\n'), "{fault} / {help}");
            assert!(!text.ends_with('.') && !text.starts_with(char::is_uppercase), "{text}");
        }
        assert!(!fault.contains(&help), "{fault}");
    }
}

/// Returns files whose bake fails, each with the message and the help. `~` stands for the folder.
fn faulty_files() -> Vec<(&'static str, String, &'static str, &'static str)> {
    const EXPORT: &str = "export the sheet and its description again, together";
    const AGAIN: &str = "export the file again, or remove it from the sources";
    const UNCLEAR: &str = "export the sheet again; from Aseprite one file per sheet, with --filename-format \"{title} ({layer}) {frame}.{extension}\" and --list-layers, without --ignore-empty, or turn tags off in the manifest";
    let meta = r#""meta": {"image": "s.png"}"#;
    let sheet = |frame: &str| format!(r#"{{"frames": {{"a": {frame}}}, {meta}}}"#);
    let rect = r#""frame": {"x":0,"y":0,"w":2,"h":2}"#;
    let of = |more: &str| sheet(&format!("{{{rect}, {more}}}"));
    let tiled = |more: &str, object: &str| {
        format!(
            "<tileset tilewidth=\"4\" tileheight=\"4\" tilecount=\"1\"{more}><tile id=\"0\">\
             <objectgroup>{object}</objectgroup></tile></tileset>"
        )
    };
    vec![
        (
            "a.json",
            "{".to_owned(),
            "~/a.json, line 1, column 1: EOF while parsing an object",
            "correct the file at that position, or export the sheet as JSON for PixiJS or Phaser",
        ),
        ("a.json", "{}".to_owned(), "~/a.json describes no frames", AGAIN),
        (
            "a.json",
            sheet(&format!("{{{rect}}}")).replace("s.png", "no.png"),
            "~/a.json names the file \"no.png\", which does not exist",
            "put the named file into the folder of the description",
        ),
        (
            "a.json",
            sheet(&format!("{{{rect}}}")).replace("s.png", "../s.png"),
            "~/a.json names the file \"../s.png\" outside its own folder",
            "move the named file to the folder of the description",
        ),
        (
            "a.json",
            format!(r#"{{"frames": {{"a": {{{rect}}}}}, "animations": {{"b": ["c"]}}, {meta}}}"#),
            "~/a.json: animation \"b\" names the frame \"c\", which does not exist",
            "export the file again",
        ),
        (
            "a.json",
            of(r#""mask": 1"#),
            "~/a.json: frame \"a\" has the unknown key \"mask\", which may change its pixels",
            "remove the key, or export without that feature",
        ),
        (
            "a.json",
            format!(
                r#"{{"frames": [{{"filename": "h 1", "duration": 1, {rect}}}, {{"filename": "h 2", "duration": 1, {rect}}}],
                "meta": {{"image": "s.png", "frameTags": [{{"name": "walk", "from": 0, "to": 0}}]}}}}"#
            ),
            "~/a.json: the frames of \"walk\" are unclear: the numbers in the names of the frames do not begin with 0",
            UNCLEAR,
        ),
        (
            "a.json",
            format!(
                r#"{{"frames": [{{"filename": "h 0", "duration": 1, {rect}}}],
                "meta": {{"image": "s.png", "frameTags": [{{"name": "walk", "from": 1, "to": 0}}]}}}}"#
            ),
            "~/a.json: tag \"walk\" has frames 1 to 0 of 1",
            "correct the tag, or export the file again",
        ),
        (
            "a.json",
            sheet(r#"{"frame": {"x":0.5,"y":0,"w":2,"h":2}}"#),
            "~/a.json: frame \"a\" has a position or size that is not a whole number",
            EXPORT,
        ),
        (
            "a.json",
            sheet(r#"{"frame": {"x":-1,"y":0,"w":2,"h":2}}"#),
            "~/a.json: frame \"a\" has a negative position or size",
            EXPORT,
        ),
        (
            "a.json",
            sheet(r#"{"frame": {"x":32768,"y":0,"w":2,"h":2}}"#),
            "~/a.json: frame \"a\" has a position or size above 32767",
            EXPORT,
        ),
        (
            "a.json",
            of(r#""spriteSourceSize": {"x":1,"y":0,"w":2,"h":2}, "sourceSize": {"w":2,"h":2}"#),
            "~/a.json: frame \"a\" exceeds the size that it had before trimming",
            EXPORT,
        ),
        (
            "a.json",
            of(r#""pivot": {"x":1e9,"y":0}"#),
            "~/a.json: frame \"a\" has a pivot that is not a number or is too far away",
            EXPORT,
        ),
        (
            "a.json",
            sheet(r#"{"frame": {"x":0,"y":0,"w":3,"h":2}}"#),
            "~/a.json: frame \"a\" exceeds its page of 2 x 2 texels",
            EXPORT,
        ),
        (
            "a.xml",
            "<TextureAtlas imagePath=\"s.png\">".to_owned()
                + &"<SubTexture name=\"a\" x=\"0\" y=\"0\" width=\"1\" height=\"1\"/>".repeat(2)
                + "</TextureAtlas>",
            "~/a.xml: frame \"a\" is described twice",
            "give each frame a name of its own, and export the sheet again",
        ),
        (
            "a.json",
            of(r#""pivot": {"x":0,"y":0}, "anchor": {"x":1,"y":0}"#),
            "~/a.json: frame \"a\" has a pivot and an anchor that differ",
            "remove one of the two, or make them equal",
        ),
        (
            "a.json",
            of(r#""trimmed": true"#),
            "~/a.json: frame \"a\" is trimmed, but spriteSourceSize or sourceSize is missing",
            EXPORT,
        ),
        (
            "a.json",
            of(r#""spriteSourceSize": {"x":0,"y":0,"w":1,"h":2}"#),
            "~/a.json: frame \"a\" has a size on the page that differs from its trimmed size",
            "export the sheet again without inner padding",
        ),
        (
            "a.json",
            of(r#""triangles": [[0,1,2]]"#),
            "~/a.json: frame \"a\" has triangles that are malformed or do not match its rectangle",
            "export the sheet again, or pack it by rectangles",
        ),
        (
            "a.tsx",
            tiled(" zoom=\"2\"", ""),
            "~/a.tsx, line 1, column 1: tileset has the unknown attribute zoom=\"2\"",
            "remove it, or save the file in the format of Tiled 1.12",
        ),
        (
            "a.tsx",
            tiled("", "<object template=\"b.tx\"/>"),
            "~/a.tsx, line 1, column 79: there is no template \"b.tx\"",
            "put the template at that path, relative to the file, or detach the object in Tiled",
        ),
        (
            "hitmask.toml",
            String::new(),
            "~/hitmask.toml, line 1, column 1: the manifest has no [[source]]",
            "correct the manifest at that position",
        ),
        (
            "hitmask.toml",
            "[sprites]\nx = 1".to_owned(),
            "~/hitmask.toml, line 1, column 2: unknown key \"sprites\"",
            "run hitmask init, which writes a manifest with every key",
        ),
        (
            "hitmask.toml",
            "[defaults]\nangels = 3".to_owned(),
            "~/hitmask.toml, line 2, column 1: unknown key \"angels\"",
            "did you mean \"angles\"?",
        ),
        (
            "b.png",
            "text".to_owned(),
            "~/b.png is not a PNG, GIF, WebP, BMP, TGA or Aseprite image",
            "convert the file, or remove it from the sources",
        ),
        (
            "a.png",
            "\u{0}\u{0}\u{1}\u{0}".to_owned(),
            "~/a.png is not a PNG, GIF, WebP, BMP, TGA or Aseprite image, but by its first bytes image/x-icon",
            "convert the file, or remove it from the sources",
        ),
        (
            "level.tmx",
            "<map/>".to_owned(),
            "~/level.tmx, line 1, column 1: the file is a \"map\", not a tileset",
            "export the tileset from Tiled to a file of its own",
        ),
        (
            "ui.tpsheet",
            "{}".to_owned(),
            "~/ui.tpsheet: sheets of this kind are not read",
            "export the sheet again from TexturePacker, in the format JSON (Array)",
        ),
        (
            "a.webp",
            "RIFF\u{7f}\0\0\0WEBP".to_owned(),
            "~/a.webp is damaged: the file is shorter than its header says",
            "export the image again",
        ),
    ]
}

#[test]
fn every_error_of_a_file_states_the_fault_and_the_remedy() {
    let folder = Folder::new("error-files");
    super::image(&folder, "s.png", 2);
    let mut texts = Vec::new();
    for (name, contents, fault, help) in faulty_files() {
        let path = folder.write(name, contents);
        let bake = if name == "hitmask.toml" {
            Bake::new().manifest(path)
        } else {
            Bake::new().sprites(path)
        };
        let error = bake.and_then(|bake| bake.to_bytes()).unwrap_err();
        texts.push((error, fault, help));
    }
    check_bake(&folder, texts);
}

/// Checks the texts of errors, in which `~` stands for the folder.
fn check_bake(folder: &Folder, errors: Vec<(BakeError, &str, &str)>) {
    let root = folder.root().display().to_string();
    for (error, fault, help) in errors {
        let (found, said) = (error.to_string().replace(&root, "~"), error.help().into_owned());
        assert_eq!((found.as_str(), said.as_str()), (fault, help));
        assert_eq!(format!("{error:?}"), format!("{error}; {said}"));
        if found.starts_with('~') {
            assert!(
                error.place.path.is_some_and(|path| path.starts_with(folder.root())),
                "{found}"
            );
        }
        check(vec![("", found, said)]);
    }
}

#[test]
fn every_error_of_a_bake_or_a_merge_states_the_fault_and_the_remedy() {
    const SHARD: &str = "name files that hitmask bake --shard has written";
    const COPY: &str = "copy the shard or bake it again";
    const ROOM: &str = "check that the folder exists and that the disk has room";
    const READ: &str = "check the path and its permissions";
    const REMOVE: &str = "remove it, or choose another path";
    let folder = Folder::new("error-bakes");
    let image = super::image(&folder, "s.png", 3);
    super::image(&folder, "b/s.png", 4);
    fs::create_dir(folder.path("bare")).unwrap();
    fs::write(folder.path("note"), "mine").unwrap();
    let failed = |bake: Result<Bake, BakeError>| bake.and_then(|bake| bake.to_bytes()).unwrap_err();
    let dot = || Mask::new(1, 1).unwrap();
    let found = |pattern: &str| failed(Bake::new().sprites(folder.path(pattern)));
    let bake = || Bake::new().sprites(&image).unwrap();
    let written = |bake: Bake, path: &str| bake.write(folder.path(path)).unwrap_err();
    let sheets = |grid| failed(Bake::new().sheets(&image, grid));
    bake().write(folder.path("atlas")).unwrap();
    let shard = |name: &str, bake: Bake| {
        bake.write(folder.path(name)).unwrap();
        folder.path(name)
    };
    let [one, two] = [1, 2].map(|i| shard(&format!("part-{i}"), bake().shard(i, 3)));
    let other = shard("other", bake().angles(8).shard(2, 3));
    let changed = |name: &str, at: usize| {
        let mut bytes = fs::read(&one).unwrap();
        bytes[at] ^= 1;
        folder.write(name, bytes)
    };
    let (version, head) = (changed("version", 20), changed("head", 33));
    let sprites = folder.write("cut", &fs::read(&one).unwrap()[..150]);
    let merged =
        |shards: &[&PathBuf]| merge(folder.path("out"), shards, AtlasOptions::DEFAULT).unwrap_err();
    let gone = fs::read(folder.path("gone")).unwrap_err();
    let read = format!("cannot read ~/gone: {gone}");
    let write = format!("cannot write ~/no/a: {gone}; any file at that path is unchanged");
    let cut = merged(&[&sprites]);
    let BakeFault::Atlas(cause) = &cut.fault else { panic!("{cut}") };
    let cut_text = format!("the shard ~/cut: {cause}");
    let mut errors = vec![
        (failed(Ok(Bake::new())), "there is nothing to bake", "add an image or a folder of images"),
        (
            found("a***b"),
            "invalid pattern \"a***b\": wildcards are either regular `*` or recursive `**`",
            "escape a literal [, * or ? as [[], [*] or [?]",
        ),
        (
            found("bare"),
            "no image at ~/bare",
            "check the path, and that the images are PNG, GIF, WebP, BMP, TGA or Aseprite files",
        ),
        (
            found("bare\\*.png"),
            "no image at ~/bare\\*.png",
            "separate folders by / in patterns, and check the path",
        ),
        (found("gone"), &read, READ),
        (
            sheets(Grid::of([0, 4])),
            "the grid for ~/s.png has tiles of 0 x 4 texels",
            "set both sides of the tile to at least 1 texel",
        ),
        (
            sheets(Grid { count: Some(3), ..Grid::of([3, 3]) }),
            "~/s.png has 3 x 3 texels and 1 whole frames of the grid, but 3 are requested",
            "check tile, margin, spacing, columns, rows and count",
        ),
        (
            failed(bake().sprites(&image)),
            "~/s.png gives a sprite named \"s\" twice",
            "name the file once, or give one of the sprites another name",
        ),
        (
            failed(bake().sprites(folder.path("b"))),
            "two sources give a sprite named \"s\": ~/s.png and ~/b/s.png",
            "rename one of them, or bake their common parent folder",
        ),
        (
            failed(Ok(bake().mask("s", dot()))),
            "two sources give a sprite named \"s\": ~/s.png and one that is not an image",
            "rename one of them",
        ),
        (
            failed(Ok(Bake::new().mask("s", dot()).mask("s", dot()))),
            "two sources without images give a sprite named \"s\"",
            "rename one of them",
        ),
        (written(bake(), "bare"), "~/bare is a folder, not a file", "name a file in that folder"),
        (
            written(bake(), "s.png"),
            "~/s.png is one of the files that are read, and would be lost",
            "choose another path to write to",
        ),
        (
            written(bake().cache(folder.path("atlas")), "atlas"),
            "~/atlas is the output file, so it cannot be the cache too",
            "choose another path for the cache",
        ),
        (
            written(bake().shard(1, 2), "atlas"),
            "~/atlas is a whole atlas, but the output is a shard",
            REMOVE,
        ),
        (written(bake(), "part-1"), "~/part-1 is a shard, but the output is a whole atlas", REMOVE),
        (written(bake(), "note"), "~/note exists and is neither an atlas nor a shard", REMOVE),
        (written(bake(), "no/a"), &write, ROOM),
        (
            bake().write_out_dir("a").unwrap_err(),
            "the variable OUT_DIR is not set, so this is not a build script",
            "call write() with a path instead",
        ),
        (
            failed(Ok(bake().shard(3, 2))),
            "there is no shard 3 of 2",
            "number the shards from 1, up to 65536",
        ),
        (
            failed(Ok(bake().max_bytes(1 << 20).shard(1, 2))),
            "a shard cannot keep a limit on the atlas size, because the limit depends on all sprites",
            "remove the limit, or bake without shards",
        ),
        (merged(&[]), "no shard was given", "name all shards of one bake"),
        (merged(&[&folder.path("gone")]), &read, READ),
        (merged(&[&folder.path("note")]), "~/note is not a shard", SHARD),
        (merged(&[&folder.path("atlas")]), "~/atlas is a whole atlas, not a shard", SHARD),
        (
            merged(&[&version]),
            "another version of hitmask wrote ~/version",
            "bake and merge all shards with the same version",
        ),
        (merged(&[&head]), "the shard ~/head is damaged", COPY),
        (cut, &cut_text, COPY),
        (
            merged(&[&one, &other]),
            "~/part-1 and ~/other are shards of different bakes: their sprites, settings or shard counts differ",
            "bake all shards of the same sources with the same settings",
        ),
        (merged(&[&one, &one]), "~/part-1 and ~/part-1 are both shard 1", "name each shard once"),
        (
            merged(&[&one, &two]),
            "of 3 shards, number 3 is missing beside ~/part-1",
            "bake the missing shards, or name their files too",
        ),
    ];
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let named = folder.root().join(std::ffi::OsStr::from_bytes(b"\xff"));
        let text =
            format!("the path {} is not Unicode, so it cannot name a sprite", named.display());
        let error = failed(Bake::new().sprites(named));
        assert_eq!(
            (error.to_string(), &*error.help()),
            (text, "rename the file to a Unicode name")
        );
        let what = "is not a file, but a folder, a device, a pipe or a socket";
        let help = "save the contents to a regular file, and name that file";
        let special = format!("/dev/zero {what}");
        errors.push((failed(Bake::new().sprites("/dev/zero")), &special, help));
        let error = bake().write("/dev/null").unwrap_err();
        let text = "/dev/null is not a file, but a device, a pipe or a socket";
        errors.push((error, text, "choose the path of a regular file"));
        check_bake(&folder, errors);
    }
    #[cfg(not(unix))]
    check_bake(&folder, errors);
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
    assert!(built.source().unwrap().downcast_ref::<PoseError>().is_some(), "{built}");
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
    let field =
        |field| AtlasError::Corrupt { section: Section::Header, index: 0, field, offset: 0 };
    assert!(field("offsets").to_string().contains("invalid field offsets"));
}
