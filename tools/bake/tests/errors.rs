//! Texts of all errors: `Display` states the fault in one line, and `help` the remedy.

use hitmask::baking::{Frame, SourceSprite, frame_mask};
use hitmask::{
    Accuracy, AtlasBuilder, AtlasError, AtlasId, BulkPlaceError, ColliderId, DrawingCost,
    InvariantViolation, IoCause, Mask, MaskError, MaskId, Pivot, PlaceError, PoseError,
    ProjectionError, ScalePolicy, Section, Settings, Simd, SimdError, SnapshotError, SpriteId,
    Warning, World, ZoneError,
};
use hitmask_bake::{BakeCost, BakeError, CacheNote, FrameFault, MergeError, OutputRefused};
use std::io::ErrorKind;
use std::path::PathBuf;

fn stale() -> (ColliderId, MaskId) {
    let mask = hitmask::Mask::new(1, 1).unwrap();
    let bytes = hitmask_bake::Bake::new().mask("dot", mask).to_bytes().unwrap();
    let mut world = World::new(hitmask::Atlas::from_vec(bytes).unwrap());
    let id = world.insert(hitmask::Collider::new(SpriteId::new(0))).unwrap();
    world.remove(id);
    let dot = hitmask::Mask::new(1, 1).unwrap();
    (id, world.insert_mask(dot, hitmask::Pivot::Center).unwrap())
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
        MaskError::Tolerance(f32::NAN),
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
        AtlasError::Version { found: 0, supported: 1 },
        AtlasError::Version { found: 9, supported: 1 },
        AtlasError::Length { expected: 64, got: 63 },
        AtlasError::OverLimit { cost: DrawingCost::Bytes, needed: 9, limit: 8 },
        AtlasError::OverLimit { cost: DrawingCost::Poses, needed: 9, limit: 8 },
        AtlasError::OverLimit { cost: DrawingCost::Samples, needed: 9, limit: 8 },
        AtlasError::OverLimit { cost: DrawingCost::Poses, needed: 3000000000, limit: 2147483648 },
        AtlasError::Checksum { section: Section::Pool, expected: 1, got: 2 },
        AtlasError::Corrupt { section: Section::Poses, index: 1, field: "size", offset: 2 },
        BakeError::NoSources,
        BakeError::Pattern { pattern: name(), cause: "odd" },
        BakeError::NoImages { path: path() },
        BakeError::NoImages { path: "art\\*.png".into() },
        BakeError::Read { path: path(), cause: ErrorKind::NotFound.into() },
        BakeError::NotAFile { path: path() },
        BakeError::NotAnImage { path: path() },
        BakeError::Text { path: path(), line: 1, column: 2, cause: "odd; very odd".to_owned() },
        BakeError::Refused {
            path: path(),
            line: 1,
            column: 2,
            cause: "odd; very odd".to_owned(),
            remedy: "remove it",
        },
        BakeError::NoTemplate { path: path(), line: 1, column: 2, named: name() },
        BakeError::UnknownKey { path: path(), line: 1, column: 2, key: name(), nearest: None },
        BakeError::UnknownKey {
            path: path(),
            line: 1,
            column: 2,
            key: name(),
            nearest: Some("angles".to_owned()),
        },
        BakeError::NoFramesIn { path: path() },
        BakeError::NoPage { path: path(), named: name() },
        BakeError::PageOutside { path: path(), named: name() },
        BakeError::NoFrameNamed { path: path(), animation: name(), frame: name() },
        BakeError::UnknownFrameKey { path: path(), frame: name(), key: name() },
        BakeError::FramesUnclear { path: path(), name: name(), cause: "odd".to_owned() },
        BakeError::Tag { path: path(), tag: name(), frames: [1, 2], count: 2 },
        BakeError::NoLayer { path: path(), layer: name(), layers: vec![name()] },
        BakeError::Manifest { path: path(), line: 1, column: 2, cause: "odd; very odd".to_owned() },
        BakeError::Tile { path: path(), tile: [0, 4] },
        BakeError::Grid { path: path(), size: [9, 9], fit: 1, count: 2 },
        BakeError::OverLimit { path: path(), cost: BakeCost::Texels, needed: 9, limit: 8 },
        BakeError::OverLimit { path: path(), cost: BakeCost::ThresholdTexels, needed: 9, limit: 8 },
        BakeError::OverLimit { path: path(), cost: BakeCost::Frames, needed: 9, limit: 8 },
        BakeError::OverLimit { path: path(), cost: BakeCost::DecodingBytes, needed: 9, limit: 8 },
        BakeError::OverLimit { path: path(), cost: BakeCost::TilesetBytes, needed: 9, limit: 8 },
        BakeError::OverLimit { path: path(), cost: BakeCost::UntrimmedTexels, needed: 9, limit: 8 },
        BakeError::Decode { path: path(), cause: "a; b".into() },
        BakeError::Unsupported {
            path: path(),
            cause: "layer 7 is odd".into(),
            remedy: "make it even".into()
        },
        BakeError::XcodePng { path: path() },
        BakeError::ImageTooLarge { path: path(), width: 1, height: 2, limit: 1 },
        BakeError::NotUnicode { path: path() },
        BakeError::SameName { name: name(), first: Some(path()), second: Some(path()) },
        BakeError::SameName { name: name(), first: Some("a".into()), second: Some(path()) },
        BakeError::SameName { name: name(), first: Some(path()), second: None },
        BakeError::SameName { name: name(), first: None, second: None },
        BakeError::Output { path: path(), fault: OutputRefused::Folder },
        BakeError::Output { path: path(), fault: OutputRefused::Special },
        BakeError::Output { path: path(), fault: OutputRefused::Needed },
        BakeError::Output { path: path(), fault: OutputRefused::Written },
        BakeError::Output { path: path(), fault: OutputRefused::Atlas },
        BakeError::Output { path: path(), fault: OutputRefused::Shard },
        BakeError::Output { path: path(), fault: OutputRefused::Foreign },
        BakeError::Write { path: path(), cause: ErrorKind::StorageFull.into() },
        BakeError::SameIdentifier { identifier: name(), first: name(), second: name() },
        BakeError::NotAnIdentifier { name: name() },
        BakeError::NoOutDir,
        BakeError::NoSuchShard { shard: 3, of: 2 },
        BakeError::ShardWithLimit,
        MergeError::NoShards,
        MergeError::Read { path: path(), cause: ErrorKind::NotFound.into() },
        MergeError::NotAShard { path: path() },
        MergeError::AnAtlas { path: path() },
        MergeError::Version { path: path() },
        MergeError::Damaged { path: path() },
        MergeError::Sprites { path: path(), cause: AtlasError::Shard },
        MergeError::OtherBake { first: path(), second: path() },
        MergeError::Twice { shard: 1, first: path(), second: path() },
        MergeError::Missing { shards: vec![2], of: 7, beside: path() },
        MergeError::Missing { shards: vec![2, 3], of: 7, beside: path() },
        MergeError::Output { path: path(), fault: OutputRefused::Needed },
        MergeError::Write { path: path(), cause: ErrorKind::StorageFull.into() },
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
        OutputRefused::Folder,
        BakeError::Frame { path: path(), frame: name(), fault: FrameFault::NotWhole },
        BakeError::Frame { path: path(), frame: name(), fault: FrameFault::Negative },
        BakeError::Frame { path: path(), frame: name(), fault: FrameFault::TooLarge },
        BakeError::Frame { path: path(), frame: name(), fault: FrameFault::Trim },
        BakeError::Frame { path: path(), frame: name(), fault: FrameFault::Pivot },
        BakeError::Frame {
            path: path(),
            frame: name(),
            fault: FrameFault::OutsidePage { page: [1, 2] },
        },
        FrameFault::Twice,
        FrameFault::TwoPivots,
        FrameFault::NoSourceSize,
        FrameFault::SizeMismatch,
        FrameFault::Triangles,
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

#[test]
fn the_debug_text_of_an_error_includes_its_help() {
    let error = BakeError::NoImages { path: "art".into() };
    let boxed: Box<dyn std::error::Error> = Box::new(BakeError::NoImages { path: "art".into() });
    assert_eq!(format!("{boxed:?}"), format!("{error}; {}", error.help()));
}

#[test]
fn missing_shard_numbers_are_listed_and_cut_after_20() {
    let message = |shards: &[u32]| {
        let beside = PathBuf::from("part-2");
        MergeError::Missing { shards: shards.to_vec(), of: 90, beside }.to_string()
    };
    for (shards, expected) in [
        (&[1][..], "of 90 shards, number 1 is missing beside part-2"),
        (&[1, 3], "of 90 shards, numbers 1 and 3 are missing beside part-2"),
        (&[1, 3, 4], "of 90 shards, numbers 1, 3 and 4 are missing"),
    ] {
        assert!(message(shards).starts_with(expected), "{}", message(shards));
    }
    let many: Vec<u32> = (1..=21).collect();
    assert!(message(&many).contains(" 19, 20, ... are missing"), "{}", message(&many));
    let field =
        |field| AtlasError::Corrupt { section: Section::Header, index: 0, field, offset: 0 };
    assert!(field("offsets").to_string().contains("invalid field offsets"));
}
