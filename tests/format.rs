//! The atlas as bytes: what is not exactly as it was baked is refused, by a typed error, and
//! nothing panics, whatever the bytes are.

use hitmask::{
    AlphaRule, Atlas, AtlasError, Bake, BakeError, Collider, First, Mask, Pivot, Point, Pose,
    PoseId, PosePair, PoseSet, Raster, Sampling, Section, Settings, Simd, SpriteId, World,
};
use hitmask_sprites::{Random, all};

/// Where the record checksum lies, where what it covers begins, and where the header says that the
/// pool starts, by the published format.
const RECORDS_CRC: usize = 24;
const CHECKED_FROM: usize = 32;
const POOL_OFFSET: usize = 120;

fn masks() -> Vec<(&'static str, Mask)> {
    all().iter().map(|picture| (picture.name, picture.mask())).collect()
}

/// A few sprites of every kind: still, turning, scaled, of several frames, of several planes,
/// empty.
fn bake() -> Bake {
    let masks = masks();
    let find = |name| masks.iter().find(|(n, _)| *n == name).unwrap().1.clone();
    let still = Settings { angles: 1, ..Settings::default() };
    let scaled = Settings { angles: 4, scales: vec![0.5, 1.0], ..Settings::default() };
    let covered = Settings {
        angles: 8,
        sampling: Sampling::Coverage25,
        alpha: AlphaRule::Bits(3),
        ..scaled.clone()
    };
    Bake::new()
        .angles(4)
        .mask("dot", find("dot"))
        .mask("empty", find("empty"))
        .frames_with("walk", [find("hull"), find("ring"), find("hull")], still)
        .frames_with("bar", [find("bar")], scaled)
        .frames_with("thin", [find("diagonal")], covered)
        .planes(
            "target",
            ["rim", "bull"],
            [[find("ring"), find("hull")], [find("hull"), Mask::new(64, 64).unwrap()]],
        )
        .unwrap()
}

fn baked() -> Vec<u8> {
    bake().to_bytes().unwrap()
}

/// The committed atlas of the oldest version that is read.
fn oldest() -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1.hitmask");
    std::fs::read(path).unwrap()
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// CRC-32 (IEEE), bit by bit, so that a test can forge a file whose checksum is right.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 * (crc & 1)))
    })
}

/// The same bytes with the record checksum made right.
fn forged(mut bytes: Vec<u8>) -> Vec<u8> {
    let pool = (u64_at(&bytes, POOL_OFFSET) as usize).min(bytes.len());
    if pool > CHECKED_FROM {
        let crc = crc32(&bytes[CHECKED_FROM..pool]);
        bytes[RECORDS_CRC..RECORDS_CRC + 4].copy_from_slice(&crc.to_le_bytes());
    }
    bytes
}

#[test]
fn an_atlas_opens_verifies_and_holds_what_was_baked() {
    let atlas = Atlas::from_vec(baked()).unwrap();
    atlas.verify().unwrap();
    let names: Vec<_> = atlas.sprites().map(|s| s.name()).collect();
    assert_eq!(names, ["bar", "dot", "empty", "target", "thin", "walk"]);
    for (i, sprite) in atlas.sprites().enumerate() {
        assert_eq!(atlas.sprite(sprite.name()), Some(sprite.id()));
        assert_eq!(sprite.id().index() as usize, i);
    }
    assert_eq!(atlas.sprite("boat"), None);
    let walk = atlas.get(atlas.sprite("walk").unwrap()).unwrap();
    assert_eq!((walk.frame_count(), walk.angles(), walk.scales()), (3, 1, &[1.0][..]));
    assert_eq!(walk.frame_size(0), Some([64, 64]));
    assert_eq!(walk.frame_size(3), None);
    let thin = atlas.get(atlas.sprite("thin").unwrap()).unwrap();
    assert_eq!((thin.alpha_rule(), thin.sampling()), (AlphaRule::Bits(3), Sampling::Coverage25));
}

#[test]
fn an_atlas_tells_what_it_stores_and_a_checksum_of_all_of_it() {
    let atlas = Atlas::from_vec(baked()).unwrap();
    // As the format says: a strip of 64 columns takes a word a row, seven at least for guards, and
    // ends on a block of eight. What never turns is stored at a half turn too.
    let words = |mask: hitmask::MaskRef<'_>| match mask.height() {
        0 => 0,
        height => mask.width().div_ceil(64) * (height + 7).next_multiple_of(8),
    };
    for sprite in atlas.sprites() {
        let mut bytes = 0;
        for plane in (0..sprite.plane_count()).map(|plane| sprite.in_plane(plane).unwrap()) {
            for frame in 0..sprite.frame_count() {
                for (step, scale) in (0..sprite.angles())
                    .flat_map(|step| (0..sprite.scales().len() as u32).map(move |s| (step, s)))
                {
                    let posed = plane.posed(frame, Pose { step, scale }, false, false).unwrap();
                    let times = if sprite.angles() == 1 { 2 } else { 1 };
                    bytes += 8 * times * u64::from(words(posed.mask));
                }
            }
        }
        assert_eq!(sprite.mask_bytes(), bytes, "{}", sprite.name());
        assert_eq!(bytes > 0, sprite.name() != "empty");
    }
    // The dot, nothing, two frames that never turn, the bar, the diagonal, and two planes; the third
    // frame and two of the planes were there already.
    assert_eq!(atlas.pose_count(), 4 + 4 + 2 * 2 + 4 * 2 + 8 * 2 + 2 * 4);
    // Equal for equal atlases, however they were opened; else for whatever differs.
    let again = Atlas::from_bytes(&bake().compact(true).to_bytes().unwrap()).unwrap();
    assert_eq!(again.checksum(), atlas.checksum());
    let others = [
        bake().mask("one more", "#".parse().unwrap()),
        bake().mask("one more", ".#".parse().unwrap()),
        bake().mask("one else", "#".parse().unwrap()),
        bake().resolution(2.0),
    ];
    let mut sums: Vec<u32> = others
        .iter()
        .map(|bake| Atlas::from_vec(bake.to_bytes().unwrap()).unwrap().checksum())
        .chain([atlas.checksum()])
        .collect();
    sums.sort_unstable();
    sums.dedup();
    assert_eq!(sums.len(), 5);
}

#[test]
fn every_stored_pose_and_flip_is_that_of_the_rasteriser() {
    for angles in [1, 4, 12] {
        let poses = PoseSet::new(angles, [0.5, 1.0]).unwrap();
        let sampling = Sampling::Nearest;
        for pivot in [Pivot::Center, Pivot::HalfTexels(3, -5)] {
            let bake =
                masks().into_iter().fold(Bake::new(), |bake, (name, mask)| bake.mask(name, mask));
            let bytes = bake.angles(angles).scales([0.5, 1.0]).pivot(pivot).to_bytes().unwrap();
            let atlas = Atlas::from_vec(bytes).unwrap();
            for (name, mask) in masks() {
                let sprite = atlas.get(atlas.sprite(name).unwrap()).unwrap();
                let raster = Raster::new(&mask, pivot, sampling).unwrap();
                for (step, scale) in (0..angles).flat_map(|k| [(k, 0), (k, 1)]) {
                    let back = (angles - step) % angles;
                    let posed = |step| raster.pose(&poses, Pose { step, scale }).unwrap();
                    let shown = |x, y| sprite.posed(0, Pose { step, scale }, x, y).unwrap();
                    let at = format!("{name}, step {step} of {angles}, {pivot:?}");
                    assert_eq!(shown(false, false), posed(step).as_ref(), "{at}");
                    // Mirrored, then turned by k: the mirror image of a turn by -k.
                    assert_eq!(shown(true, false), posed(back).flip_x().as_ref(), "flip x of {at}");
                    assert_eq!(shown(false, true), posed(back).flip_y().as_ref(), "flip y of {at}");
                    let both = posed(step).flip_x().flip_y();
                    assert_eq!(shown(true, true), both.as_ref(), "both flips of {at}");
                }
            }
        }
    }
}

#[test]
fn a_sprite_of_planes_shows_each_at_every_pose() {
    let atlas = Atlas::from_vec(baked()).unwrap();
    let target = atlas.get(atlas.sprite("target").unwrap()).unwrap();
    assert_eq!(target.planes().collect::<Vec<_>>(), ["rim", "bull"]);
    assert_eq!((target.plane("rim"), target.plane("bull")), (Some(0), Some(1)));
    assert_eq!((target.plane("body"), target.plane_count()), (None, 2));
    assert_eq!((target.frame_count(), atlas.frame_count()), (2, 9));
    assert!(target.in_plane(2).is_none());
    let poses = PoseSet::new(4, [1.0]).unwrap();
    let find = |name| masks().into_iter().find(|(n, _)| *n == name).unwrap().1;
    let expected = [[find("ring"), find("hull")], [find("hull"), Mask::new(64, 64).unwrap()]];
    for (frame, planes) in (0..).zip(&expected) {
        for (plane, mask) in (0..).zip(planes) {
            let raster = Raster::new(mask, Pivot::Center, Sampling::Nearest).unwrap();
            for step in 0..4 {
                let pose = Pose { step, scale: 0 };
                let posed = raster.pose(&poses, pose).unwrap();
                let shown = target.in_plane(plane).unwrap().posed(frame, pose, false, false);
                assert_eq!(shown.unwrap(), posed.as_ref(), "frame {frame}, plane {plane}");
                if plane == 0 {
                    assert_eq!(target.posed(frame, pose, false, false), shown);
                }
            }
        }
    }
    // The hull is there twice, and stored once.
    let hull = |frame, plane| {
        target.in_plane(plane).unwrap().pose_id(frame, Pose::default(), false, false)
    };
    assert_eq!(hull(0, 1), hull(1, 0));
    let bar = atlas.get(atlas.sprite("bar").unwrap()).unwrap();
    assert_eq!((bar.planes().collect::<Vec<_>>(), bar.plane("body")), (vec!["body"], Some(0)));
}

#[test]
fn a_resolution_is_that_of_the_whole_atlas_and_of_its_poses() {
    for resolution in [0.25_f32, 0.5, 2.0, 4.0] {
        let atlas = Atlas::from_vec(bake().resolution(resolution).to_bytes().unwrap()).unwrap();
        atlas.verify().unwrap();
        assert_eq!(atlas.resolution(), resolution);
        let poses = PoseSet::new(4, [1.0]).unwrap().at_resolution(resolution).unwrap();
        let ring = masks().into_iter().find(|(n, _)| *n == "ring").unwrap().1;
        let raster = Raster::new(&ring, Pivot::Center, Sampling::Nearest).unwrap();
        let target = atlas.get(atlas.sprite("target").unwrap()).unwrap();
        for step in 0..4 {
            let pose = Pose { step, scale: 0 };
            let posed = raster.pose(&poses, pose).unwrap();
            assert_eq!(target.posed(0, pose, false, false).unwrap(), posed.as_ref());
        }
        assert_eq!(target.frame_size(0), Some([64, 64]), "in texels, whatever the resolution");
    }
}

#[test]
fn planes_that_cannot_be_are_refused() {
    let mask = |side| Mask::new(side, side).unwrap();
    let planes = |names: &[&str]| {
        let masks = names.iter().map(|_| mask(3)).collect::<Vec<_>>();
        Bake::new().planes("a", names.to_vec(), [masks]).map(|_| ())
    };
    let many: Vec<String> = (0..256).map(|i| i.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let long = "x".repeat(256);
    planes(&many[..255]).unwrap();
    for (names, bad) in [
        (&[][..], ""),
        (&["a", ""], ""),
        (&["a", "b", "a"], "a"),
        (&[&long], &long),
        (&many, "255"),
    ] {
        match planes(names) {
            Err(BakeError::PlaneName { name, plane }) => assert_eq!((&*name, &*plane), ("a", bad)),
            other => panic!("{other:?}"),
        }
    }
    for second in [vec![mask(3)], vec![mask(3), mask(4)], vec![mask(3); 3]] {
        let frames = [vec![mask(5), mask(5)], second];
        match Bake::new().planes("a", ["x", "y"], frames).map(|_| ()) {
            Err(BakeError::PlaneMasks { frame, planes, .. }) => assert_eq!((frame, planes), (1, 2)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn frames_and_poses_that_are_not_there_are_none() {
    let atlas = Atlas::from_vec(baked()).unwrap();
    let bar = atlas.get(atlas.sprite("bar").unwrap()).unwrap();
    assert!(bar.posed(0, Pose { step: 3, scale: 1 }, false, false).is_some());
    for (frame, step, scale) in [(1, 0, 0), (0, 4, 0), (0, 0, 2), (u32::MAX, u32::MAX, u32::MAX)] {
        assert_eq!(bar.posed(frame, Pose { step, scale }, false, false), None);
    }
    assert!(atlas.get(hitmask::SpriteId::new(6)).is_none());
    assert!(atlas.get(hitmask::SpriteId::new(u32::MAX)).is_none());
}

#[test]
fn an_atlas_cut_short_anywhere_is_refused() {
    let bytes = baked();
    for len in 0..bytes.len() {
        let error = Atlas::from_bytes(&bytes[..len]).unwrap_err();
        match len {
            0..8 => assert_eq!(error, AtlasError::NotAnAtlas { len: len as u64 }),
            8..192 => assert_eq!(error, AtlasError::Length { expected: 192, got: len as u64 }),
            _ => {
                let expected = bytes.len() as u64;
                assert_eq!(error, AtlasError::Length { expected, got: len as u64 });
            }
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(Atlas::from_bytes(&longer), Err(AtlasError::Length { .. })));
}

#[test]
fn any_changed_byte_of_the_records_is_refused_when_opening() {
    for bytes in [baked(), oldest()] {
        every_changed_byte_is_refused(&bytes);
    }
}

fn every_changed_byte_is_refused(bytes: &[u8]) {
    let pool = u64_at(bytes, POOL_OFFSET) as usize;
    for at in 0..pool {
        for flip in [0x01, 0x80, 0xff] {
            let mut changed = bytes.to_vec();
            changed[at] ^= flip;
            let error = Atlas::from_bytes(&changed).expect_err("a changed byte");
            match at {
                0..8 => assert!(matches!(error, AtlasError::NotAnAtlas { .. }), "{at}: {error}"),
                // Version 1 with its last bit changed is 0, and version 2 is 3.
                8..12 => assert!(matches!(error, AtlasError::Version { .. }), "{at}: {error}"),
                16..24 => assert!(matches!(error, AtlasError::Length { .. }), "{at}: {error}"),
                _ => {}
            }
        }
    }
}

#[test]
fn any_changed_byte_of_the_masks_is_found_by_verify() {
    let bytes = baked();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    for at in (pool..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        let atlas = Atlas::from_vec(changed).expect("opening does not read the masks");
        let error = atlas.verify().unwrap_err();
        assert!(
            matches!(error, AtlasError::Checksum { section: Section::Pool, .. }),
            "{at}: {error}"
        );
    }
}

#[test]
fn another_version_is_refused_by_number() {
    for version in [0_u32, 3, 99] {
        let mut bytes = baked();
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        let error = Atlas::from_bytes(&forged(bytes)).unwrap_err();
        assert_eq!(error, AtlasError::Version { found: version, supported: 2 });
    }
}

/// Reads all there is to read. Wrong pixels are possible in a forged file; a panic is not.
fn exercise(atlas: &Atlas) {
    let _ = atlas.verify();
    let mut last = None;
    let planes = |sprite: hitmask::Sprite<'_>| {
        assert_eq!(sprite.planes().count(), sprite.plane_count() as usize);
        sprite.plane_count()
    };
    let all = atlas.sprites().flat_map(|s| (0..planes(s)).filter_map(move |p| s.in_plane(p)));
    for sprite in all {
        assert!(!sprite.name().is_empty());
        let _ =
            (sprite.alpha_rule(), sprite.sampling(), sprite.mask_bytes(), format!("{sprite:?}"));
        for frame in 0..sprite.frame_count() {
            for step in (0..sprite.angles()).take(9) {
                for flips in [(false, false), (true, false), (false, true)] {
                    let pose = Pose { step, scale: (sprite.scales().len() - 1) as u32 };
                    let posed = sprite.posed(frame, pose, flips.0, flips.1).unwrap();
                    let (rect, mask) = (posed.rect(), posed.mask);
                    let other = last.unwrap_or(mask);
                    for offset in [[0, 0], [-7, 3], [rect.x0, rect.y0]] {
                        let _ = (mask.touches(other, offset), mask.contact(other, offset));
                        let _ = mask.coarse(other, offset);
                        if let Some(touch) = mask.touch(other, offset) {
                            let _ = (touch.push_out(), touch.push_along([3, -2]), touch.depth());
                            let _ = (touch.normal(), touch.mask());
                        }
                    }
                    last = Some(mask);
                }
            }
        }
    }
}

#[test]
fn masks_of_any_words_answer_without_a_panic() {
    let bytes = baked();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    let mut random = Random::new(9);
    // Opening does not read the masks: guards and padding may hold anything.
    for fill in [0x00, 0xff, 0x01, 0x80] {
        let mut changed = bytes.clone();
        for byte in &mut changed[pool..] {
            *byte = if fill == 0x01 { random.bits() as u8 } else { fill };
        }
        let atlas = Atlas::from_vec(changed).unwrap();
        exercise(&atlas);
        exercise_batches(&atlas);
    }
}

#[test]
fn damaged_masks_do_not_hold_a_slide_for_ever() {
    let masks = masks();
    let find = |name| masks.iter().find(|(n, _)| *n == name).unwrap().1.clone();
    let names = ["hull", "ring", "bar"];
    let bake = names.iter().fold(Bake::new().angles(4), |bake, name| bake.mask(*name, find(*name)));
    let bytes = bake.to_bytes().unwrap();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    let mut random = Random::new(9);
    for _ in 0..8 {
        // Padding that holds pixels: those who come free of a mask and those who touch it differ.
        let mut changed = bytes.clone();
        for byte in &mut changed[pool..] {
            if random.below(24) == 0 {
                *byte = random.bits() as u8;
            }
        }
        let mut world = World::new(Atlas::from_vec(changed).unwrap());
        let ids: Vec<_> = (0..6)
            .map(|i| {
                let at = [0; 2].map(|_| random.within(-40, 40) as f32);
                let collider = Collider::new(SpriteId::new(i % 3)).at(at).turned(i as f32);
                world.insert(collider).unwrap()
            })
            .collect();
        for &id in &ids {
            for by in [[7.0, -3.5], [-2.0, 30.0], [0.0, 9.0]] {
                let moved = world.move_and_slide(id, by).unwrap();
                assert!(moved.met.len() < 100, "{} met", moved.met.len());
            }
        }
        world.validate().unwrap();
    }
}

/// Every query of a batch, with every instruction set, between all poses of all sprites.
fn exercise_batches(atlas: &Atlas) {
    let mut ids = Vec::new();
    for sprite in atlas.sprites() {
        let frames = 0..sprite.frame_count();
        let poses = frames.flat_map(|frame| (0..sprite.angles()).map(move |step| (frame, step)));
        let planes = 0..sprite.plane_count();
        for ((frame, step), plane) in poses.flat_map(|at| planes.clone().map(move |p| (at, p))) {
            let sprite = sprite.in_plane(plane).unwrap();
            for flip in [false, true] {
                ids.extend(sprite.pose_id(frame, Pose { step, scale: 0 }, flip, false));
            }
        }
    }
    let mut random = Random::new(3);
    let pair = |(&a, &b): (&PoseId, &PoseId), random: &mut Random| {
        let offset = Point::new(random.within(-130, 130), random.within(-50, 50));
        PosePair { a, b, offset }
    };
    let pairs: Vec<PosePair> = ids
        .iter()
        .flat_map(|a| ids.iter().map(move |b| (a, b)))
        .map(|both| pair(both, &mut random))
        .collect();
    for simd in Simd::available() {
        let mut batch = atlas.batch().with_simd(simd);
        batch.touches(&pairs, &mut vec![false; pairs.len()]);
        batch.touches_by(9, &pairs, &mut vec![false; pairs.len()]);
        batch.overlap_area(&pairs, &mut vec![0; pairs.len()]);
        batch.overlap_rect(&pairs, &mut vec![None; pairs.len()]);
        for order in [First::Top, First::Bottom, First::Left, First::Right] {
            batch.first_point(order, &pairs, &mut vec![None; pairs.len()]);
        }
        batch.contact(&pairs, &mut vec![None; pairs.len()]);
    }
}

#[test]
fn a_forged_record_is_refused_or_harmless() {
    forge_every_field(&baked());
}

#[test]
fn a_forged_record_of_version_1_is_refused_or_harmless() {
    // Of this larger file, the header and the sprites.
    let bytes = oldest();
    let (mut refused, mut opened) = (0, 0);
    for at in (0..u64_at(&bytes, 72) as usize).step_by(4) {
        for value in [0, 1, u32::MAX, 0x8000_0000, 0xffff, 0x0100_0000] {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
            match Atlas::from_bytes(&forged(changed)) {
                Err(_) => refused += 1,
                Ok(atlas) => {
                    opened += 1;
                    let walked: usize = atlas.sprites().map(|s| s.planes().count()).sum();
                    assert_eq!(walked, atlas.sprites().len(), "planes came with version 2");
                }
            }
        }
    }
    assert!(refused > 300 && opened > 20, "{refused} refused, {opened} opened");
}

fn forge_every_field(bytes: &[u8]) {
    let pool = u64_at(bytes, POOL_OFFSET) as usize;
    let mut random = Random::new(8);
    let (mut refused, mut opened) = (0, 0);
    for at in (0..pool).step_by(4) {
        for value in [0, 1, u32::MAX, 0x7fff_ffff, 0x8000_0000, 0xffff, random.bits() as u32] {
            let mut changed = bytes.to_vec();
            changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
            match Atlas::from_bytes(&forged(changed)) {
                Err(_) => refused += 1,
                Ok(atlas) => {
                    opened += 1;
                    exercise(&atlas);
                    exercise_batches(&atlas);
                }
            }
        }
    }
    assert!(refused > 1000 && opened > 100, "{refused} refused, {opened} opened");
}

#[test]
fn impossible_fields_are_named_with_their_place() {
    let bytes = baked();
    let section = |at: usize| u64_at(&bytes, at) as usize;
    let (sprites, frames, hot, cold) = (section(64), section(72), section(80), section(88));
    // The first pose of all is bar's; its record begins with where its words are.
    for (at, value, expected, field, offset) in [
        (sprites, u32::MAX, Section::Sprites, "name", sprites),
        (sprites + 12, 0, Section::Sprites, "frames", sprites),
        (sprites + 20, 0, Section::Sprites, "scales", sprites),
        (sprites + 24, 6, Section::Sprites, "angles", sprites),
        (sprites + 28, 3, Section::Sprites, "rule", sprites),
        (frames, u32::MAX, Section::Frames, "first_pose", frames),
        (frames + 4, 1, Section::Frames, "pivot", frames),
        (frames + 12, 20_000, Section::Frames, "size", frames),
        (sprites + 28, 0x0200_0000, Section::Sprites, "planes", sprites),
        (128, 4, Section::Header, "resolution", 0),
        (132, 7, Section::Header, "kind", 0),
        (136, 64, Section::Header, "full_bytes", 0),
        (144, 1, Section::Header, "packed_crc", 0),
        (148, 1, Section::Header, "spare", 0),
        (188, 1, Section::Header, "spare", 0),
        (hot, 3, Section::Poses, "words", hot),
        (hot, 0xffff_fff8, Section::Poses, "words", hot),
        (hot + 4, 9, Section::Poses, "stride", hot),
        (hot + 8, 0xffff_ffff, Section::Poses, "size", hot),
        (hot + 12, u32::MAX, Section::Poses, "boards", hot),
        (cold, 0x7000_0000, Section::Poses, "origin", hot),
        (cold + 8, 0, Section::Poses, "area", hot),
    ] {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let error = Atlas::from_bytes(&forged(changed)).unwrap_err();
        let offset = offset as u64;
        assert_eq!(error, AtlasError::Corrupt { section: expected, index: 0, field, offset });
    }
}

#[test]
fn random_bytes_are_never_an_atlas() {
    let mut random = Random::new(4);
    for len in [0, 1, 8, 24, 127, 128, 129, 1000, 4096] {
        for _ in 0..20 {
            let mut bytes: Vec<u8> = (0..len).map(|_| random.bits() as u8).collect();
            assert!(Atlas::from_bytes(&bytes).is_err());
            // The right first words do not help.
            let start = &baked()[..len.min(16)];
            bytes[..start.len()].copy_from_slice(start);
            assert!(Atlas::from_bytes(&forged_if_long(bytes)).is_err());
        }
    }
}

fn forged_if_long(bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= 128 { forged(bytes) } else { bytes }
}

#[test]
fn any_alignment_opens_and_only_a_bad_one_is_copied() {
    let bytes = baked();
    for shift in [0, 1, 2, 3, 4, 7, 8, 16, 32, 48, 63] {
        let mut moved = vec![0; bytes.len() + 128];
        let at = (64 - moved.as_ptr().addr() % 64) % 64 + shift;
        moved[at..at + bytes.len()].copy_from_slice(&bytes);
        let moved: &'static [u8] = &moved.leak()[at..at + bytes.len()];
        let atlas = Atlas::from_static(moved).unwrap();
        assert_eq!(atlas.is_in_place(), shift == 0, "{shift} bytes past a multiple of 64");
        assert_eq!(atlas.as_bytes(), bytes);
        atlas.verify().unwrap();
    }
    assert!(!Atlas::from_bytes(&bytes).unwrap().is_in_place());
    let aligned = bytes.as_ptr().addr().is_multiple_of(64);
    assert_eq!(Atlas::from_vec(bytes).unwrap().is_in_place(), aligned);
}

#[test]
fn files_open_and_those_that_cannot_be_read_say_why() {
    let folder = std::env::temp_dir().join(format!("hitmask-format-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.hitmask");
    std::fs::write(&path, baked()).unwrap();
    let atlas = Atlas::open(&path).unwrap();
    assert_eq!(atlas.as_bytes(), baked());
    atlas.clone().verify().unwrap();

    let kind = |path: &std::path::Path| match Atlas::open(path).unwrap_err() {
        AtlasError::Io { kind, path: named, .. } => {
            assert_eq!(named, path);
            kind
        }
        other => panic!("{other}"),
    };
    assert_eq!(kind(&folder.join("missing")), std::io::ErrorKind::NotFound);
    assert_eq!(kind(&folder), std::io::ErrorKind::IsADirectory);
    std::fs::write(&path, "just text, and long enough to hold a header if it were one").unwrap();
    assert_eq!(Atlas::open(&path).unwrap_err(), AtlasError::NotAnAtlas { len: 58 });
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn verify_holds_every_mask_against_its_record_even_where_checksums_are_right() {
    // 20 x 20 pixels with a hole: one strip of 20 rows and 12 guards, boards of one word each.
    let mut mask: Mask = "####################\n".repeat(20).parse().unwrap();
    (0..64).for_each(|i| mask.set(10 + i % 8, 10 + i / 8, false));
    let bytes = Bake::new().angles(1).mask("block", mask).to_bytes().unwrap();
    let (hot, cold) = (u64_at(&bytes, 80) as usize, u64_at(&bytes, 88) as usize);
    let (boards, pool) = (u64_at(&bytes, 112) as usize, u64_at(&bytes, POOL_OFFSET) as usize);
    let strip = pool + 8 * (u64_at(&bytes, hot) as u32 as usize);
    let field = |at: usize, xor: u8| {
        let mut changed = bytes.clone();
        changed[at] ^= xor;
        let crc = crc32(&changed[pool..]);
        changed[32..36].copy_from_slice(&crc.to_le_bytes());
        match Atlas::from_vec(forged(changed)).unwrap().verify() {
            Err(AtlasError::Corrupt { field, .. }) => field,
            other => panic!("{at}: {other:?}"),
        }
    };
    assert_eq!(field(pool, 1), "lead");
    assert_eq!(field(strip - 8, 1), "lead");
    assert_eq!(field(strip + 8 * 20, 1), "guards");
    assert_eq!(field(strip + 8 * 31 + 7, 0x80), "guards");
    assert_eq!(field(strip + 2, 0x10), "padding");
    assert_eq!(field(strip + 8 * 5, 1), "area");
    assert_eq!(field(cold + 8, 1), "area");
    assert_eq!(field(boards, 1), "boards");
    assert_eq!(field(boards + 8, 1), "boards");
    // A height of 19 leaves a row among the guards; a width of 19, a column in the padding.
    assert_eq!(field(hot + 10, 20 ^ 19), "guards");
    assert_eq!(field(hot + 8, 20 ^ 19), "padding");
    // One column more than there are pixels.
    assert_eq!(field(hot + 8, 20 ^ 21), "trim");
}
