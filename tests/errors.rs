//! Every message says what is wrong and, behind the last "; ", what to do: one line, both parts.

use hitmask::{
    AtlasError, BakeError, ColliderId, MaskError, PlaceError, PoseError, Section, SpriteId, World,
};
use std::io::ErrorKind;
use std::path::PathBuf;

fn stale() -> ColliderId {
    let mask = hitmask::Mask::new(1, 1).unwrap();
    let bytes = hitmask::Bake::new().mask("dot", mask).to_bytes().unwrap();
    let mut world = World::new(hitmask::Atlas::from_vec(bytes).unwrap());
    let id = world.insert(hitmask::Collider::new(SpriteId::new(0))).unwrap();
    world.remove(id);
    id
}

#[test]
fn every_message_has_a_cause_and_an_advice() {
    let path = || PathBuf::from("art/ship.png");
    let name = || "ship".to_owned();
    let pose = PoseError::Angles(6);
    let messages: Vec<String> = [
        MaskError::TooLarge { width: 1, height: 2 }.to_string(),
        MaskError::WrongLength { expected: 4, got: 3 }.to_string(),
        MaskError::BadCharacter { found: 'x', line: 1, column: 2 }.to_string(),
        MaskError::RaggedRow { line: 2, expected: 3, got: 4 }.to_string(),
        pose.to_string(),
        PoseError::NoScales.to_string(),
        PoseError::Scale(0.0).to_string(),
        PoseError::Pivot { half_texels: [1, 2], limit: 3 }.to_string(),
        PoseError::TooLarge { width: 1, height: 2 }.to_string(),
        AtlasError::Io { path: path(), kind: ErrorKind::NotFound }.to_string(),
        AtlasError::NotAnAtlas { len: 3 }.to_string(),
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
        BakeError::Decode { path: path(), cause: "a; b".into() }.to_string(),
        BakeError::ImageTooLarge { path: path(), width: 1, height: 2 }.to_string(),
        BakeError::NotUnicode { path: path() }.to_string(),
        BakeError::EmptyName.to_string(),
        BakeError::NoFrames { name: name() }.to_string(),
        BakeError::SameName { name: name(), first: path(), second: path() }.to_string(),
        BakeError::Settings(pose.clone()).to_string(),
        BakeError::Pose { name: name(), cause: pose }.to_string(),
        BakeError::AtlasTooLarge.to_string(),
        BakeError::Write { path: path(), cause: ErrorKind::StorageFull.into() }.to_string(),
        BakeError::SameIdentifier { identifier: name(), first: name(), second: name() }.to_string(),
        BakeError::NotAnIdentifier { name: name() }.to_string(),
        BakeError::NoOutDir.to_string(),
        PlaceError::UnknownSprite { sprite: SpriteId::new(3), sprites: 2 }.to_string(),
        PlaceError::UnknownFrame { frame: 1, frames: 1 }.to_string(),
        PlaceError::Position([f32::NAN, 0.0]).to_string(),
        PlaceError::Angle(f32::NAN.into()).to_string(),
        PlaceError::Scale(0.0).to_string(),
        PlaceError::Stale(stale()).to_string(),
        PlaceError::Full.to_string(),
    ]
    .into();
    for message in messages {
        assert!(!message.contains('\n'), "{message}");
        let (cause, advice) = message.rsplit_once("; ").unwrap_or_else(|| panic!("{message}"));
        assert!(cause.len() > 10 && advice.len() > 8, "{message}");
        assert!(!advice.ends_with('.') && !cause.starts_with(char::is_uppercase), "{message}");
    }
}
