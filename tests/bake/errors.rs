//! Every message says what is wrong and, behind the last "; ", what to do: one line, both parts.

use hitmask::{
    AtlasError, BakeError, Broken, ColliderId, FrameFault, MaskError, MaskId, MergeError, Note,
    OutputFault, PlaceError, PlaceManyError, PoseError, Section, SnapshotError, SpriteId, World,
    ZoneError,
};
use std::io::ErrorKind;
use std::path::PathBuf;

fn stale() -> (ColliderId, MaskId) {
    let mask = hitmask::Mask::new(1, 1).unwrap();
    let bytes = hitmask::Bake::new().mask("dot", mask).to_bytes().unwrap();
    let mut world = World::new(hitmask::Atlas::from_vec(bytes).unwrap());
    let id = world.insert(hitmask::Collider::new(SpriteId::new(0))).unwrap();
    world.remove(id);
    let dot = hitmask::Mask::new(1, 1).unwrap();
    (id, world.insert_mask(dot, hitmask::Pivot::Center).unwrap())
}

#[test]
fn every_message_has_a_cause_and_an_advice() {
    let path = || PathBuf::from("art/ship.png");
    let name = || "ship".to_owned();
    let (id, mask) = stale();
    let pose = PoseError::Angles(6);
    let messages: Vec<String> = [
        MaskError::TooLarge { width: 1, height: 2 }.to_string(),
        MaskError::WrongLength { expected: 4, got: 3 }.to_string(),
        MaskError::BadCharacter { found: 'x', line: 1, column: 2 }.to_string(),
        MaskError::RaggedRow { line: 2, expected: 3, got: 4 }.to_string(),
        MaskError::Tolerance(f32::NAN).to_string(),
        pose.to_string(),
        PoseError::NoScales.to_string(),
        PoseError::Transform.to_string(),
        ZoneError::Position([f32::NAN, 0.0]).to_string(),
        ZoneError::Size(-1.0).to_string(),
        ZoneError::Span { from: [0.0; 2], to: [1.0; 2] }.to_string(),
        ZoneError::Direction([0.0, 0.0]).to_string(),
        PoseError::Scale(0.0).to_string(),
        PoseError::Resolution(3.0).to_string(),
        PoseError::ScaleAtResolution { scale: 64.0, resolution: 2.0 }.to_string(),
        PoseError::Pivot { half_texels: [1, 2], limit: 3 }.to_string(),
        PoseError::TooLarge { width: 1, height: 2 }.to_string(),
        AtlasError::Io { path: path(), kind: ErrorKind::NotFound, code: None }.to_string(),
        AtlasError::Io { path: path(), kind: ErrorKind::NotFound, code: Some(2) }.to_string(),
        AtlasError::NotAnAtlas { len: 3 }.to_string(),
        AtlasError::Shard.to_string(),
        AtlasError::Version { found: 0, supported: 1 }.to_string(),
        AtlasError::Version { found: 9, supported: 1 }.to_string(),
        AtlasError::Length { expected: 64, got: 63 }.to_string(),
        AtlasError::Checksum { section: Section::Pool, expected: 1, got: 2 }.to_string(),
        AtlasError::Corrupt { section: Section::Poses, index: 1, field: "size", offset: 2 }
            .to_string(),
        BakeError::NoSources.to_string(),
        BakeError::Pattern { pattern: name(), cause: "odd" }.to_string(),
        BakeError::NoImages { path: path() }.to_string(),
        BakeError::Read { path: path(), cause: ErrorKind::NotFound.into() }.to_string(),
        BakeError::NotAnImage { path: path() }.to_string(),
        BakeError::Text { path: path(), line: 1, column: 2, cause: "odd; very odd".to_owned() }
            .to_string(),
        BakeError::UnknownKey { path: path(), line: 1, column: 2, key: name(), nearest: None }
            .to_string(),
        BakeError::UnknownKey {
            path: path(),
            line: 1,
            column: 2,
            key: name(),
            nearest: Some("angles".to_owned()),
        }
        .to_string(),
        BakeError::NoFramesIn { path: path() }.to_string(),
        BakeError::NoPage { path: path(), named: name() }.to_string(),
        BakeError::PageOutside { path: path(), named: name() }.to_string(),
        BakeError::NoFrameNamed { path: path(), animation: name(), frame: name() }.to_string(),
        BakeError::Tag { path: path(), tag: name(), frames: [1, 2], count: 2 }.to_string(),
        BakeError::NoLayer { path: path(), layer: name(), layers: vec![name()] }.to_string(),
        BakeError::Manifest { path: path(), line: 1, column: 2, cause: "odd; very odd".to_owned() }
            .to_string(),
        BakeError::Tile { path: path(), tile: [0, 4] }.to_string(),
        BakeError::Grid { path: path(), size: [9, 9], fit: 1, count: 2 }.to_string(),
        BakeError::TooManyTexels { path: path() }.to_string(),
        BakeError::Decode { path: path(), cause: "a; b".into() }.to_string(),
        BakeError::ImageTooLarge { path: path(), width: 1, height: 2 }.to_string(),
        BakeError::NotUnicode { path: path() }.to_string(),
        BakeError::EmptyName.to_string(),
        BakeError::ControlInName { name: "a\nb".to_owned() }.to_string(),
        BakeError::NoFrames { name: name() }.to_string(),
        BakeError::PlaneName { name: name(), plane: name() }.to_string(),
        BakeError::PlaneMasks { name: name(), frame: 1, planes: 2 }.to_string(),
        BakeError::SameName { name: name(), first: Some(path()), second: Some(path()) }.to_string(),
        BakeError::SameName { name: name(), first: Some("a".into()), second: Some(path()) }
            .to_string(),
        BakeError::SameName { name: name(), first: Some(path()), second: None }.to_string(),
        BakeError::SameName { name: name(), first: None, second: None }.to_string(),
        BakeError::Settings(pose.clone()).to_string(),
        BakeError::MaxError(0.0).to_string(),
        BakeError::OverBudget { bytes: 2, limit: 1 }.to_string(),
        BakeError::Pose { name: name(), cause: pose }.to_string(),
        BakeError::AtlasTooLarge.to_string(),
        BakeError::Output { path: path(), fault: OutputFault::Folder }.to_string(),
        BakeError::Output { path: path(), fault: OutputFault::Special }.to_string(),
        BakeError::Output { path: path(), fault: OutputFault::Needed }.to_string(),
        BakeError::Output { path: path(), fault: OutputFault::Written }.to_string(),
        BakeError::Output { path: path(), fault: OutputFault::Atlas }.to_string(),
        BakeError::Output { path: path(), fault: OutputFault::Shard }.to_string(),
        BakeError::Output { path: path(), fault: OutputFault::Foreign }.to_string(),
        BakeError::Write { path: path(), cause: ErrorKind::StorageFull.into() }.to_string(),
        BakeError::SameIdentifier { identifier: name(), first: name(), second: name() }.to_string(),
        BakeError::NotAnIdentifier { name: name() }.to_string(),
        BakeError::NoOutDir.to_string(),
        BakeError::NoSuchShard { shard: 3, of: 2 }.to_string(),
        BakeError::ShardWithLimit.to_string(),
        MergeError::NoShards.to_string(),
        MergeError::Read { path: path(), cause: ErrorKind::NotFound.into() }.to_string(),
        MergeError::NotAShard { path: path() }.to_string(),
        MergeError::AnAtlas { path: path() }.to_string(),
        MergeError::Version { path: path() }.to_string(),
        MergeError::Damaged { path: path() }.to_string(),
        MergeError::Sprites { path: path(), cause: AtlasError::Shard }.to_string(),
        MergeError::OtherBake { first: path(), second: path() }.to_string(),
        MergeError::Twice { shard: 1, first: path(), second: path() }.to_string(),
        MergeError::Missing { shards: vec![2], of: 7, beside: path() }.to_string(),
        MergeError::Missing { shards: vec![2, 3], of: 7, beside: path() }.to_string(),
        MergeError::AtlasTooLarge.to_string(),
        MergeError::Output { path: path(), fault: OutputFault::Needed }.to_string(),
        MergeError::Write { path: path(), cause: ErrorKind::StorageFull.into() }.to_string(),
        Note::CacheDamaged { path: path() }.to_string(),
        Note::CacheForeign { path: path() }.to_string(),
        Note::CacheOfOtherVersion { path: path() }.to_string(),
        Note::CacheOfOtherAtlas { path: path() }.to_string(),
        Note::CacheNotWritten { path: path(), cause: name() }.to_string(),
        PlaceError::UnknownSprite { sprite: SpriteId::new(3), sprites: 2 }.to_string(),
        SnapshotError::NotASnapshot.to_string(),
        SnapshotError::Version { found: 2, supported: 1 }.to_string(),
        SnapshotError::OtherAtlas { expected: 1, got: 2 }.to_string(),
        SnapshotError::Checksum { expected: 1, got: 2 }.to_string(),
        SnapshotError::Corrupt { field: "look", offset: 3 }.to_string(),
        SnapshotError::Place { slot: 1, cause: PlaceError::Full }.to_string(),
        Broken::Slots.to_string(),
        Broken::Placement { slot: 1 }.to_string(),
        Broken::Order.to_string(),
        Broken::Events.to_string(),
        Broken::Index { slot: 1 }.to_string(),
        PlaceError::UnknownMask(mask).to_string(),
        PlaceError::PosedMask(mask).to_string(),
        PlaceError::MaskInUse(mask).to_string(),
        PlaceError::Pose(PoseError::NoScales).to_string(),
        PlaceManyError { index: 3, cause: PlaceError::Full }.to_string(),
        PlaceError::UnknownFrame { frame: 1, frames: 1 }.to_string(),
        PlaceError::UnknownPlane { plane: 1, planes: 1 }.to_string(),
        PlaceError::Position([f32::NAN, 0.0]).to_string(),
        PlaceError::Angle(f32::NAN.into()).to_string(),
        PlaceError::Scale(0.0).to_string(),
        PlaceError::Stale(id).to_string(),
        PlaceError::Full.to_string(),
    ]
    .into();
    let faults = [
        FrameFault::NotWhole,
        FrameFault::Negative,
        FrameFault::TooLarge,
        FrameFault::Trim,
        FrameFault::Pivot,
        FrameFault::OutsidePage { page: [1, 2] },
    ];
    let frames =
        faults.map(|fault| BakeError::Frame { path: path(), frame: name(), fault }.to_string());
    for message in messages.into_iter().chain(frames) {
        assert!(!message.contains('\n'), "{message}");
        let (cause, advice) = message.rsplit_once("; ").unwrap_or_else(|| panic!("{message}"));
        assert!(cause.len() > 10 && advice.len() > 8, "{message}");
        assert!(!advice.ends_with('.') && !cause.starts_with(char::is_uppercase), "{message}");
    }
}

#[test]
fn numbers_of_what_is_missing_read_as_a_sentence() {
    let said = |shards: &[u32]| {
        let beside = PathBuf::from("part-2");
        MergeError::Missing { shards: shards.to_vec(), of: 90, beside }.to_string()
    };
    for (shards, expected) in [
        (&[1][..], "of 90 shards, number 1 is missing beside part-2; bake it, or name its file"),
        (&[1, 3], "of 90 shards, numbers 1 and 3 are missing beside part-2; bake them, or"),
        (&[1, 3, 4], "of 90 shards, numbers 1, 3 and 4 are missing"),
    ] {
        assert!(said(shards).starts_with(expected), "{}", said(shards));
    }
    let many: Vec<u32> = (1..=21).collect();
    assert!(said(&many).contains(" 19, 20, ... are missing"), "{}", said(&many));
    let field =
        |field| AtlasError::Corrupt { section: Section::Header, index: 0, field, offset: 0 };
    assert!(field("offsets").to_string().contains("an impossible value in its field offsets;"));
}
