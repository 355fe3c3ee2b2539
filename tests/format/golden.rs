//! Committed atlases and snapshots, each with a text of what is read from it.
//!
//! The name of a file has its format versions: `v2-small.hitmask` is an atlas of version 2, and
//! `v2-small.v1.snapshot` a snapshot of version 1 over it. Files of the present versions equal those
//! that are written now. Files of earlier versions read as their texts, or are refused by their version.
//! `HITMASK_BLESS=1 cargo test --test format golden` writes the files of the present versions.

use crate::u64_at;
use hitmask::{
    Accuracy, Affine, Angle, Atlas, AtlasBuilder, Collider, ColliderShape, FileError, Flip, Map,
    MapItem, MapShape, Mask, Pivot, Pose, PosedRef, Raster, Sampling, ScalePolicy, Settings,
    Sprite, World,
};
use hitmask_scenes::{Picture, all, named, open, solid};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Returns a bake of large sprites, whose masks have levels, and of mask pixels finer than texels.
fn large() -> AtlasBuilder {
    let still = Settings { angles: 1, scales: vec![0.5, 1.0], ..Settings::default() };
    let thin = Settings { angles: 4, sampling: Sampling::Coverage25, ..Settings::default() };
    let pictures = all();
    let bake =
        pictures.iter().filter(|p| p.width < 70).fold(AtlasBuilder::new().angles(8), |bake, p| {
            bake.mask(format!("turning/{}", p.name), p.mask())
        });
    let frames = pictures.iter().filter(|p| p.width > 70).map(Picture::mask);
    let target = [[named("ring").mask(), named("hull").mask()]];
    bake.frames_with("still", frames, still)
        .frames_with("thin", [pictures[4].mask()], thin)
        .resolution(2.0)
        .frames_with("large", [Mask::disc(130).unwrap()], Settings::default())
        .planes("target", ["rim", "bull"], target)
        .unwrap()
}

/// Returns a bake of small sprites with every other feature of the format.
fn small() -> AtlasBuilder {
    let small = |name, width, height| named(name).mask().scaled(width, height).unwrap();
    let [hull, ring] = [small("hull", 16, 15), small("ring", 16, 15)];
    let upright = Settings { angles: 1, ..Settings::default() };
    let walk = Settings { scales: vec![1.0, 2.0], motion_frame: true, ..upright.clone() };
    let still = Settings { mirrored: false, ..upright };
    let covered = Settings { angles: 4, sampling: Sampling::Coverage25, ..Settings::default() };
    let aside = Settings { angles: 12, pivot: Pivot::HalfTexels(-3, 5), ..Settings::default() };
    // The alpha falls from left to right.
    let fog: Vec<u8> = (0..64).flat_map(|i| [90, 90, 90, 255 - i % 8 * 30]).collect();
    let faded = Settings { angles: 4, thresholds: vec![200, 32], ..Settings::default() };
    AtlasBuilder::new()
        .angles(8)
        .scales([0.5, 1.0])
        .mask("dot", solid(1, 1))
        .mask("empty", named("empty").mask())
        .mask("fighter", small("fighter", 11, 16))
        .frames_with("aside", [small("star", 14, 13)], aside)
        .frames_with("covered", [small("crescent", 19, 20)], covered)
        .frames_with("long", [solid(130, 3)], Settings { angles: 4, ..Settings::default() })
        .frames_with("still", [ring.clone()], still)
        .frames_with("walk", [hull.clone(), ring.clone()], walk)
        .rgba_frames("fog", [8, 8], [fog], faded)
        .unwrap()
        .planes("target", ["rim", "bull"], [[ring.clone(), hull.clone()], [hull, ring]])
        .unwrap()
        .map(yard())
        .map(Map { name: "empty".into(), ..Map::default() })
}

/// Returns a map with a value in each field.
fn yard() -> Map {
    let text = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    let shape = MapShape {
        sprite: "target".into(),
        frame: 1,
        picture: "arrow 4x3".into(),
        plane: 1,
        angle: Angle::turn(16_384),
        scale: 0.5,
        flip: Flip::X,
        sensor: true,
        layers: 6,
        collides_with: 5,
    };
    let item = MapItem {
        id: "things/4".into(),
        name: "box".into(),
        class: "crate".into(),
        position: [40.0, 8.5],
        size: [4.0, 3.0],
        properties: text("Zahl", "π"),
        shape: Some(shape),
    };
    let start = MapItem { name: "start".into(), position: [7.5, -3.0], ..MapItem::default() };
    Map {
        name: "levels/yard".into(),
        atlas: None,
        size: [320.0, 200.5],
        properties: text("music", ""),
        items: vec![item, start],
    }
}

/// The atlases by name: those of the features above, and two versions of one that stands beside them in a
/// world.
fn atlases() -> [(&'static str, AtlasBuilder); 5] {
    let room = AtlasBuilder::new().angles(4).mask("rock", solid(9, 7));
    let level = room.clone().mask("door", solid(5, 12));
    let [small, compact] = [small(), small().compact(true)];
    [("large", large()), ("small", small), ("compact", compact), ("level", level), ("room", room)]
}

/// Worlds by name, each with the names of its atlases. A world over `small` can also be read with
/// `compact`, and the reverse.
const WORLDS: [(&str, &[&str]); 3] =
    [("small", &["small"]), ("new", &["compact"]), ("several", &["compact", "room", "level"])];

/// Returns a world of [`WORLDS`]. `atlas` opens an atlas.
fn world(name: &str, atlas: &dyn Fn(&str) -> Atlas) -> World {
    match name {
        "small" => of_all_features(atlas("small")),
        // Never updated.
        "new" => {
            let mut world = World::new(atlas("compact"));
            let dot = Collider::new(world.atlas().sprite_id("dot").unwrap());
            world.set_scale_policy(ScalePolicy::Within(4.0)).unwrap();
            world.insert_all(&[dot.scaled(3.5), dot]).unwrap();
            world
        }
        // Over two atlases, and over the earlier version of one, because the newest lacks the door.
        _ => {
            let level = atlas("level");
            let mut world = World::new(atlas("compact"));
            world.atlases_mut().add(level.clone()).unwrap();
            world.set_scale_policy(ScalePolicy::Nearest).unwrap();
            world.set_accuracy(Accuracy::Coarse);
            let small = ["fighter", "walk"].map(|name| world.atlas().sprite_id(name).unwrap());
            let [rock, door] = ["rock", "door"].map(|name| level.sprite_id(name).unwrap());
            for (i, sprite) in (0_u16..).zip([small[0], rock, door, small[1], rock, door]) {
                let at = [f32::from(i) * 6.0, f32::from(i)];
                world.insert(Collider::new(sprite).at(at).scaled(7.0)).unwrap();
            }
            world.update();
            let reloaded = world.atlases_mut().replace(level.id(), atlas("room")).unwrap();
            assert_eq!(reloaded.outdated.len(), 2);
            world
        }
    }
}

/// Returns a world with every feature of the snapshot of one atlas.
fn of_all_features(atlas: Atlas) -> World {
    let sprite = |name: &str| Collider::new(atlas.sprite_id(name).unwrap());
    let [fighter, walk, target] = ["fighter", "walk", "target"].map(sprite);
    let [fog, long] = ["fog", "long"].map(sprite);
    let mut world = World::new(atlas.clone());
    let mut masks = world.masks_mut();
    let gone = masks.insert(solid(1, 1), Pivot::Center).unwrap();
    let crater = masks.insert("##.##\n#...#".parse().unwrap(), Pivot::HalfTexels(3, -2)).unwrap();
    let card = Raster::new(&named("fighter").mask(), Pivot::Center, Sampling::Coverage25).unwrap();
    let skewed = Affine { a: 0.75, b: 0.25, c: -0.5, d: 0.625, tx: -7.25, ty: 0.5 };
    let card = masks.insert_drawn(card, skewed).unwrap();
    masks.edit(card, |mask| mask.set(9, 9, false)).unwrap();
    masks.remove(gone).unwrap();
    let places = [
        fighter.at([3.5, -4.25]).turned(0.7).scaled(0.5),
        fighter.at([6.0, 2.0]).turned(Angle::turn(40_000)).flipped(Flip::XY),
        fighter.at([-0.0, 2.0]).turned(-1e-3).flipped(Flip::Y).on_layers(6, 3),
        Collider { user_data: 1 << 40, ..walk.at([9.0, 1.0]).with_frame(2).scaled(2.0) },
        target.at([14.0, 5.0]).with_plane(1).with_frame(1).fixed().with_min_overlap(5),
        target.at([2.0, 8.0]).sensor().with_min_overlap([3, 2]),
        Collider { accuracy: Accuracy::Box, ..fog.at([5.0, 6.0]).with_plane(2) },
        Collider { accuracy: Accuracy::Coarse, ..fog.at([8.0, 6.0]) },
        long.at([0.0, 9.0]).with_move_accuracy(Accuracy::Box).owned_by(7),
        long.at([0.0, 7.0]).with_move_accuracy(Accuracy::Exact).owned_by(7),
        fighter.at([4.0, 4.0]).disabled(),
        Collider::from_mask(crater).at([-300.0, 8.0]),
        Collider::from_mask(card).at([11.0, 6.5]).owned_by(8),
        sprite("dot").at([-3.0, 9.0]),
        sprite("empty"),
    ];
    let ids = world.insert_all(&places).unwrap();
    world.update();
    world.remove(ids[13]).unwrap();
    world.move_to(ids[1], [900.0, 2.0]).unwrap();
    world.move_to(ids[11], [6.0, 0.0]).unwrap();
    world.update();
    // After the update, so that the snapshot has the owners of before.
    world.set(ids[8], places[8].owned_by(9)).unwrap();
    world.set(ids[12], Collider { owner: 0, ..places[12] }).unwrap();
    let counts = [world.touching(), world.began(), world.ended()].map(<[_]>::len);
    assert!(counts.iter().all(|&count| count > 1), "{counts:?}");
    world
}

/// Returns the CRC-32 of a mask with its place.
fn hash(posed: Option<PosedRef<'_>>) -> u32 {
    let Some(posed) = posed else { return 0 };
    let place = [posed.origin.x, posed.origin.y].map(i32::to_le_bytes).concat();
    let size = [posed.mask.width(), posed.mask.height()].map(u32::to_le_bytes).concat();
    crc32fast::hash(&[place, size, posed.mask.to_bits()].concat())
}

/// Returns a line of all that a sprite has, with a hash of all its poses.
fn sprite_text(sprite: Sprite<'_>) -> String {
    let frames = 0..sprite.frame_count();
    let frame = |i: u32| (sprite.frame_size(i).unwrap(), sprite.pivot(i).unwrap());
    let mut hashes = Vec::new();
    for plane in 0..sprite.plane_count() {
        let sprite = sprite.in_plane(plane).unwrap();
        for (frame, scale) in
            frames.clone().flat_map(|i| (0..sprite.scales().len()).map(move |s| (i, s)))
        {
            for step in 0..sprite.angles() {
                let pose = Pose { step, scale: scale as u32 };
                for flip in [Flip::NONE, Flip::X, Flip::Y, Flip::XY] {
                    let drawn = sprite.draw(frame, pose, flip);
                    let drawn = hash(drawn.as_ref().map(|posed| posed.as_ref()));
                    hashes.extend(drawn.to_le_bytes());
                }
            }
        }
    }
    format!(
        "{}: {} angles, scales {:?}, {:?}, {:?}, planes {:?}, sizes and pivots {:?}, poses {:08x}\n",
        sprite.name(),
        sprite.angles(),
        sprite.scales(),
        sprite.alpha_rule(),
        sprite.sampling(),
        sprite.planes().collect::<Vec<_>>(),
        frames.clone().map(frame).collect::<Vec<_>>(),
        crc32fast::hash(&hashes),
    )
}

fn atlas_text(atlas: &Atlas) -> String {
    atlas.verify().unwrap();
    let mut text = format!(
        "{:?}, resolution {}, drawn: {}, {} poses, {} bytes of a drawn atlas\n",
        atlas.id(),
        atlas.resolution(),
        atlas.is_drawn(),
        atlas.pose_count(),
        atlas.drawn_bytes()
    );
    atlas.maps().iter().for_each(|map| writeln!(text, "{map:?}").unwrap());
    text + &atlas.sprites().map(sprite_text).collect::<String>()
}

/// Returns all that a world shows, before and after its next update, and with drawn masks upright.
fn world_text(mut world: World) -> String {
    assert_eq!(world.validate(), Ok(()));
    let ids: Vec<_> = world.atlases().map(Atlas::id).collect();
    let mut text = format!(
        "{:?}, {:?}, updated: {}, atlases {ids:?}\n",
        world.accuracy(),
        world.scale_policy(),
        world.is_updated()
    );
    for (id, collider) in world.iter() {
        writeln!(text, "{id:?}, pixels {:08x}: {collider:?}", hash(world.posed(id))).unwrap();
    }
    for _ in 0..2 {
        if world.is_updated() {
            let pairs = [world.touching(), world.began(), world.ended()];
            for (name, pairs) in ["touching", "began", "ended"].into_iter().zip(pairs) {
                let pairs = pairs.iter().map(|pair| [pair.a.index(), pair.b.index()]);
                writeln!(text, "{name}: {:?}", pairs.collect::<Vec<_>>()).unwrap();
            }
            let bodies = world.bodies();
            writeln!(text, "{:?}, {:?}", bodies.began(), bodies.ended()).unwrap();
        }
        world.update();
    }
    let shapes: Vec<_> = world.iter().map(|(id, collider)| (id, collider.shape)).collect();
    for (id, shape) in shapes {
        if let ColliderShape::Mask(mask) = shape {
            let drawn = world.masks_mut().transform(mask, Affine::IDENTITY).ok();
            writeln!(text, "drawn {drawn:?}, pixels {:08x}", hash(world.posed(id))).unwrap();
        }
    }
    text
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Returns the text of a committed file, or the error by which it is refused.
fn read(file: &str) -> Result<String, FileError> {
    let (stem, kind) = file.rsplit_once('.').unwrap();
    let path = folder().join(file);
    if kind == "hitmask" {
        return Atlas::open(path).map(|atlas| atlas_text(&atlas));
    }
    let (atlas_version, name) = stem.split_once('.').unwrap().0.split_once('-').unwrap();
    let (_, atlases) = WORLDS.into_iter().find(|(world, _)| *world == name).unwrap();
    let atlas = |name: &&str| Atlas::open(folder().join(format!("{atlas_version}-{name}.hitmask")));
    let atlases = atlases.iter().map(atlas).collect::<Result<Vec<Atlas>, FileError>>()?;
    World::from_snapshot(atlases, &std::fs::read(path).unwrap()).map(world_text)
}

/// Returns the files of the present versions, with their bytes.
fn written() -> Vec<(String, Vec<u8>)> {
    let version = |bytes: &[u8]| u64_at(bytes, 8) as u32;
    let baked = atlases().map(|(name, bake)| (name, bake.to_bytes().unwrap()));
    let of_atlas = version(&baked[0].1);
    let opened = |name: &str| open(&atlases().into_iter().find(|(n, _)| *n == name).unwrap().1);
    let snapshots = WORLDS.map(|(name, _)| {
        let bytes = world(name, &opened).snapshot();
        (format!("v{of_atlas}-{name}.v{}.snapshot", version(&bytes)), bytes)
    });
    let baked = baked.map(|(name, bytes)| (format!("v{of_atlas}-{name}.hitmask"), bytes));
    baked.into_iter().chain(snapshots).collect()
}

#[test]
fn committed_files_are_written_alike_and_read_as_their_texts() {
    let present = written();
    let text_of = |file: &str| folder().join(format!("{file}.txt"));
    if std::env::var_os("HITMASK_BLESS").is_some() {
        present
            .iter()
            .for_each(|(file, bytes)| std::fs::write(folder().join(file), bytes).unwrap());
        present
            .iter()
            .for_each(|(file, _)| std::fs::write(text_of(file), read(file).unwrap()).unwrap());
    }
    for (file, bytes) in &present {
        let committed = std::fs::read(folder().join(file));
        let committed = committed.unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(committed == *bytes, "{file} is written with other bytes");
    }
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name());
    let files = files.map(|file| file.into_string().unwrap());
    let files: Vec<_> =
        files.filter(|file| file.ends_with(".hitmask") || file.ends_with(".snapshot")).collect();
    assert!(files.len() >= present.len());
    for file in files {
        match read(&file) {
            Ok(found) => {
                let known = std::fs::read_to_string(text_of(&file)).unwrap();
                for (found, known) in found.lines().zip(known.lines()) {
                    assert_eq!(found, known, "{file}");
                }
                assert_eq!(found.len(), known.len(), "{file}");
            }
            // An earlier version that is not read any more.
            Err(FileError::Version { found, supported, .. }) if found < supported => {}
            Err(error) => panic!("{file}: {error}"),
        }
    }
}

/// The two kinds of an atlas have one id, so a game can change the kind between two versions.
#[test]
fn a_committed_snapshot_reads_the_same_over_a_drawn_and_a_compact_atlas() {
    let saved = world("small", &|_| open(&small())).snapshot();
    let text = |compact| {
        let atlas = open(&small().compact(compact));
        world_text(World::from_snapshot([atlas], &saved).unwrap())
    };
    assert_eq!(text(true), text(false));
}
