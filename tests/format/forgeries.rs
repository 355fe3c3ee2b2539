//! Forged records and masks: rejected with the name of the field, or harmless.

use crate::{POOL_OFFSET, baked, forged, masks, u64_at};
use hitmask::{
    Atlas, AtlasBuilder, Collider, FileError, Flip, Mask, Point, Pose, PoseId, PosePair, Section,
    Simd, SpriteId, World,
};
use hitmask_scenes::{Random, cases, solid};

/// Reads everything. A forged file may give wrong pixels, but must not cause a panic.
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
                    let flip = Flip { x: flips.0, y: flips.1 };
                    // A forged sprite may be one that is never mirrored.
                    let Some(posed) = sprite.posed(frame, pose, flip) else {
                        assert!(flip != Flip::NONE && sprite.angles() == 1);
                        continue;
                    };
                    let (rect, mask) = (posed.rect(), posed.mask);
                    let other = last.unwrap_or(mask);
                    for offset in [[0, 0], [-7, 3], [rect.x0, rect.y0]] {
                        let _ = (mask.touches(other, offset), mask.contact(other, offset));
                        let _ = mask.coarse(other, offset);
                        if let Some(touch) = mask.overlap(other, offset) {
                            let _ = (touch.push_out(), touch.depth());
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
fn set_guard_bits_of_large_masks_cause_no_panic() {
    // 3 strips of 9 blocks: large enough for every walk over the blocks.
    let wide: Mask = format!("{}\n", "#".repeat(130)).repeat(66).parse().unwrap();
    let bytes = AtlasBuilder::new().angles(1).mask("wide", wide).to_bytes().unwrap();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    // An atlas opens even if the only set row is a guard row.
    for word in (pool..bytes.len()).step_by(8) {
        let mut changed = bytes.clone();
        changed[pool..].fill(0);
        changed[word..][..8].fill(0xff);
        exercise_batches(&Atlas::from_vec(changed).unwrap());
    }
}

#[test]
fn masks_with_arbitrary_words_cause_no_panic() {
    let bytes = baked();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    let mut random = Random::new(9);
    // Opening does not read the masks, so guards and padding may have any bits.
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
fn damaged_masks_do_not_make_a_slide_endless() {
    let masks = masks();
    let find = |name| masks.iter().find(|(n, _)| *n == name).unwrap().1.clone();
    let names = ["hull", "ring", "bar"];
    let bake = names
        .iter()
        .fold(AtlasBuilder::new().angles(4), |bake, name| bake.mask(*name, find(*name)));
    let bytes = bake.to_bytes().unwrap();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    let mut random = Random::new(9);
    for _ in 0..8 {
        // Padding with set pixels: push-out and touch queries then disagree about contact.
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
                assert!(moved.contacts.len() < 100, "{} met", moved.contacts.len());
            }
        }
        world.validate().unwrap();
    }
}

/// Runs every batch query with every instruction set on all pairs of poses.
fn exercise_batches(atlas: &Atlas) {
    let mut ids = Vec::new();
    for sprite in atlas.sprites() {
        let frames = 0..sprite.frame_count();
        let poses = frames.flat_map(|frame| (0..sprite.angles()).map(move |step| (frame, step)));
        let planes = 0..sprite.plane_count();
        for ((frame, step), plane) in poses.flat_map(|at| planes.clone().map(move |p| (at, p))) {
            let sprite = sprite.in_plane(plane).unwrap();
            for flip in [false, true] {
                ids.extend(sprite.pose_id(
                    frame,
                    Pose { step, scale: 0 },
                    Flip { x: flip, y: false },
                ));
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
        batch.overlap_at_least(9, &pairs, &mut vec![false; pairs.len()]);
        batch.overlap_area(&pairs, &mut vec![0; pairs.len()]);
        batch.contact(&pairs, &mut vec![None; pairs.len()]);
    }
}

#[test]
fn a_forged_record_is_rejected_or_harmless() {
    let bytes = baked();
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    let mut random = Random::new(8);
    let (mut refused, mut opened) = (0, 0);
    // All are opened, and a part of those that open is queried.
    let exercised = cases(8, 1);
    for at in (0..pool).step_by(4) {
        for value in [0, 1, u32::MAX, 0x7fff_ffff, 0x8000_0000, 0xffff, random.bits() as u32] {
            let mut changed = bytes.clone();
            changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
            match Atlas::from_bytes(&forged(changed)) {
                Err(_) => refused += 1,
                Ok(atlas) => {
                    if opened % exercised == 0 {
                        exercise(&atlas);
                        exercise_batches(&atlas);
                    }
                    opened += 1;
                }
            }
        }
    }
    assert!(refused > 1000 && opened > 100, "{refused} refused, {opened} opened");
}

#[test]
fn invalid_fields_are_reported_with_their_offset() {
    let bytes = baked();
    let section = |at: usize| u64_at(&bytes, at) as usize;
    let (sprites, frames, hot, cold) = (section(64), section(72), section(80), section(88));
    // The first pose belongs to `bar`. Its record starts with the offset of its words.
    for (at, value, expected, field, offset) in [
        (sprites, u32::MAX, Section::Sprites, "name", sprites),
        (sprites + 12, 0, Section::Sprites, "frames", sprites),
        (sprites + 20, 0, Section::Sprites, "scales", sprites),
        (sprites + 24, 6, Section::Sprites, "angles", sprites),
        (sprites + 28, 3, Section::Sprites, "rule", sprites),
        (frames, u32::MAX, Section::Frames, "first_pose", frames),
        (frames + 4, 65_537, Section::Frames, "pivot", frames),
        (frames + 12, 65_537, Section::Frames, "size", frames),
        (sprites + 28, 0x0200_0000, Section::Sprites, "planes", sprites),
        (128, 4, Section::Header, "resolution", 0),
        (132, 7, Section::Header, "kind", 0),
        (136, 64, Section::Header, "full_bytes", 0),
        (144, 1, Section::Header, "packed_crc", 0),
        (152, 1, Section::Header, "full_id", 0),
        (156, 1, Section::Header, "spare", 0),
        // Levels before every mask: the first mask has no room for them.
        (148, 1, Section::Poses, "words", hot),
        (188, 1, Section::Header, "spare", 0),
        (hot, 3, Section::Poses, "words", hot),
        (hot, 0xffff_fff8, Section::Poses, "words", hot),
        (hot + 4, 9, Section::Poses, "stride", hot),
        (hot + 8, 0xffff_ffff, Section::Poses, "size", hot),
        (hot + 12, 1, Section::Poses, "unused", hot),
        (cold, 0x7000_0000, Section::Poses, "origin", hot),
        (cold + 8, 0, Section::Poses, "area", hot),
    ] {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let error = Atlas::from_bytes(&forged(changed)).unwrap_err();
        let offset = offset as u64;
        assert_eq!(error, FileError::Corrupt { section: expected, index: 0, field, offset });
    }
}

#[test]
fn verify_compares_every_mask_with_its_record_even_if_checksums_are_right() {
    // 20 x 20 pixels with a hole: one strip of 20 rows and 12 guards.
    let mut mask: Mask = "####################\n".repeat(20).parse().unwrap();
    (0..64).for_each(|i| mask.set(10 + i % 8, 10 + i / 8, false));
    let bytes = AtlasBuilder::new().angles(1).mask("block", mask).to_bytes().unwrap();
    let (hot, cold) = (u64_at(&bytes, 80) as usize, u64_at(&bytes, 88) as usize);
    let pool = u64_at(&bytes, POOL_OFFSET) as usize;
    let strip = pool + 8 * (u64_at(&bytes, hot) as u32 as usize);
    let field = |at: usize, xor: u8| {
        let mut changed = bytes.clone();
        changed[at] ^= xor;
        let crc = crc32fast::hash(&changed[pool..]);
        changed[32..36].copy_from_slice(&crc.to_le_bytes());
        match Atlas::from_vec(forged(changed)).unwrap().verify() {
            Err(FileError::Corrupt { field, .. }) => field,
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
    // With height 19, a row of the mask becomes a guard. With width 19, a column becomes padding.
    assert_eq!(field(hot + 10, 20 ^ 19), "guards");
    assert_eq!(field(hot + 8, 20 ^ 19), "padding");
    // With width 21, the last column has no pixels.
    assert_eq!(field(hot + 8, 20 ^ 21), "trim");
}

#[test]
fn verify_compares_the_levels_of_a_large_mask_with_its_pixels() {
    // 38 x 3 cells. The dilated level has 4 rows and 12 guards, the others 3 rows and 13 guards.
    let bytes = AtlasBuilder::new().angles(1).mask("bar", solid(300, 20)).to_bytes().unwrap();
    let (hot, pool) = (u64_at(&bytes, 80) as usize, u64_at(&bytes, POOL_OFFSET) as usize);
    let mask = pool + 8 * (u64_at(&bytes, hot) as u32 as usize);
    Atlas::from_vec(bytes.clone()).unwrap().verify().unwrap();
    for words_before in [1, 13, 14, 16, 17, 29, 30, 32, 33, 45, 46, 47, 48] {
        let mut changed = bytes.clone();
        changed[mask - 8 * words_before] ^= 1;
        let crc = crc32fast::hash(&changed[pool..]);
        changed[32..36].copy_from_slice(&crc.to_le_bytes());
        let found = Atlas::from_vec(forged(changed)).unwrap().verify();
        let is_found = matches!(found, Err(FileError::Corrupt { field: "levels", .. }));
        assert!(is_found, "{words_before} words before the mask: {found:?}");
    }
}
