//! Limits on what a compact atlas may draw: refused before anything is drawn.

use crate::compact::{forged, unpacked};
use hitmask::{
    Atlas, AtlasBuilder, AtlasOptions, Certainty, DrawingCost, FileError, Flip, MAX_SIDE, Mask,
    Pose, Sampling, Settings,
};
use hitmask_scenes::solid;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Returns a file name that no other test uses.
fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("hitmask-limits-{}-{name}", std::process::id()))
}

fn tile(side: u32, settings: Settings) -> AtlasBuilder {
    AtlasBuilder::new().frames_with("tile", [solid(side, side)], settings)
}

/// Returns a compact atlas of one square, whose angles, first scale and stated size are replaced.
fn claiming(side: u32, angles: u32, scale: f32, full_bytes: u64, sampling: Sampling) -> Vec<u8> {
    let settings = Settings { angles: 1, sampling, ..Settings::default() };
    let mut bytes = unpacked(&tile(side, settings).compact(true).to_bytes().unwrap());
    let section = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let (sprites, scales) = (section(64), section(96));
    bytes[sprites + 24..sprites + 28].copy_from_slice(&angles.to_le_bytes());
    bytes[scales..scales + 4].copy_from_slice(&scale.to_le_bytes());
    bytes[136..144].copy_from_slice(&full_bytes.to_le_bytes());
    forged(bytes)
}

#[track_caller]
fn refused(bytes: &[u8], expected: DrawingCost) {
    let path = scratch(&format!("{expected:?}-{}", bytes.len()));
    std::fs::write(&path, bytes).unwrap();
    let leaked: &'static [u8] = bytes.to_vec().leak();
    let start = Instant::now();
    let all = [
        Atlas::from_bytes(bytes),
        Atlas::from_vec(bytes.to_vec()),
        Atlas::from_static(leaked),
        Atlas::open(&path),
    ];
    for opened in all {
        let error = opened.unwrap().drawn().unwrap_err();
        let FileError::OverLimit { cost, needed, limit } = error else { panic!("{error}") };
        assert!(cost == expected && needed > limit, "{error}");
        assert!(error.to_string().contains(&needed.to_string()), "{error}");
        assert!(error.help().contains(&needed.to_string()), "{}", error.help());
    }
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_stated_size_that_does_not_fit_the_poses_is_damage() {
    for stated in [u64::MAX, 2 << 30, 1] {
        let atlas = Atlas::from_vec(claiming(4, 4, 1.0, stated, Sampling::Nearest)).unwrap();
        let error = atlas.drawn().unwrap_err();
        assert!(matches!(error, FileError::Corrupt { field: "full_bytes", .. }), "{error}");
    }
}

#[test]
fn a_small_file_that_states_gigabytes_of_poses_is_refused_before_it_is_drawn() {
    refused(&claiming(256, 65_536, 8.0, 32 << 30, Sampling::Nearest), DrawingCost::Bytes);
    refused(&claiming(256, 64, 64.0, 32 << 30, Sampling::Nearest), DrawingCost::Bytes);
    // The stated size is no excuse for a file that draws more.
    refused(&claiming(256, 65_536, 8.0, 1 << 20, Sampling::Nearest), DrawingCost::Bytes);
    refused(&claiming(90, 65_536, 2.0, 1 << 29, Sampling::Coverage25), DrawingCost::Samples);
}

#[test]
fn a_small_file_that_states_millions_of_empty_poses_is_refused() {
    // Each frame of each sprite has a pivot of its own, so none shares its poses.
    let images = |i: u32| {
        let mut mask = Mask::new(64, 64).unwrap();
        mask.set((i % 64) as i32, (i / 64) as i32, true);
        mask
    };
    let settings = Settings { angles: 4, ..Settings::default() };
    let bake =
        AtlasBuilder::new().frames_with("dots", (0..200).map(images), settings).compact(true);
    let mut bytes = unpacked(&bake.to_bytes().unwrap());
    let sprites = u64::from_le_bytes(bytes[64..72].try_into().unwrap()) as usize;
    bytes[sprites + 24..sprites + 28].copy_from_slice(&65_536_u32.to_le_bytes());
    refused(&forged(bytes), DrawingCost::Poses);
}

#[test]
fn the_cost_of_drawing_is_at_least_what_is_drawn_and_the_limit_is_exact() {
    let masks = [".", "#", "#####", "#\n#\n#\n#", "##..\n.##.\n..##"];
    for (i, text) in masks.iter().enumerate() {
        for (angles, scales, sampling, resolution) in [
            (1, vec![1.0], Sampling::Nearest, 1.0),
            (4, vec![0.3, 7.0], Sampling::Coverage25, 2.0),
            (64, vec![1.0, 3.5], Sampling::Nearest, 1.0),
            (400, vec![20.0], Sampling::Nearest, 0.5),
        ] {
            let mask: Mask = text.parse().unwrap();
            let settings = Settings { angles, scales, sampling, ..Settings::default() };
            let [full, compact] = [false, true].map(|compact| {
                let bake = AtlasBuilder::new().resolution(resolution).compact(compact);
                let bake = bake.frames_with("a", [mask.clone()], settings.clone());
                bake.to_bytes().unwrap()
            });
            let none = AtlasOptions::UNLIMITED;
            let over = |options: AtlasOptions| match options
                .from_vec(compact.clone())
                .and_then(|atlas| atlas.drawn())
            {
                Err(FileError::OverLimit { needed, .. }) => Some(needed),
                Ok(_) => None,
                Err(error) => panic!("{i}: {error}"),
            };
            let poses = Atlas::from_bytes(&full).unwrap().pose_count();
            let needed = over(AtlasOptions { max_poses: 0, ..none }).unwrap();
            assert!(
                needed >= u64::from(poses)
                    && over(AtlasOptions { max_poses: needed, ..none }).is_none()
            );
            assert_eq!(over(AtlasOptions { max_poses: needed - 1, ..none }), Some(needed));
            let pool = full.len() as u64 - u64::from_le_bytes(full[112..120].try_into().unwrap());
            // Below the size of the unpacked file, the file itself is refused.
            let file = unpacked(&compact).len() as u64;
            let needed = over(AtlasOptions { max_bytes: file, ..none }).unwrap_or(file);
            assert!(
                over(AtlasOptions { max_bytes: needed, ..none }).is_none(),
                "{i}, {angles}: {needed}"
            );
            assert!(needed + 4096 >= pool, "{i}, {angles}: {needed} of {pool}");
        }
    }
}

#[test]
fn a_compact_atlas_is_described_without_drawing_it() {
    let path = scratch("described");
    let bytes = claiming(256, 65_536, 8.0, 32 << 30, Sampling::Nearest);
    std::fs::write(&path, bytes).unwrap();
    let undrawn = Atlas::open(&path).unwrap();
    undrawn.verify().unwrap();
    assert!(!undrawn.is_drawn() && undrawn.pose_count() == 0);
    assert_eq!((undrawn.drawn_bytes(), undrawn.frame_count()), (32 << 30, 1));
    let sprite = undrawn.sprites().next().unwrap();
    assert_eq!((sprite.name(), sprite.angles(), sprite.scales()), ("tile", 65_536, &[8.0][..]));
    assert_eq!(sprite.frame_size(0), Some([256, 256]));
    let (mask, corner) = sprite.source(0).unwrap();
    assert_eq!((mask.count(), corner), (65_536, [0, 0].into()));
    assert!(sprite.posed(0, Pose::default(), Flip::NONE).is_none());
    assert!(sprite.pose_id(0, Pose::default(), Flip::NONE).is_none());
    assert!(sprite.fidelity().is_none() && sprite.source(1).is_none());
    assert_eq!(sprite.mask_bytes(), 8 * 4 * 264);
    std::fs::remove_file(&path).unwrap();
    // An atlas with all poses has them here too.
    std::fs::write(&path, tile(4, Settings::default()).to_bytes().unwrap()).unwrap();
    let whole = AtlasOptions { max_bytes: 0, ..AtlasOptions::DEFAULT }.open(&path).unwrap();
    let sprite = whole.sprites().next().unwrap();
    assert!(sprite.posed(0, Pose::default(), Flip::NONE).is_some() && sprite.source(0).is_none());
    assert_eq!(whole.drawn().unwrap().pose_count(), 64);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn the_id_of_a_small_file_that_states_huge_poses_draws_none() {
    // Each of these would draw 65,536 poses of 1,800 px, in hours.
    let [solid, other] = [2000, 2001].map(|side| {
        let bytes = claiming(side, 65_536, 0.9, 1 << 20, Sampling::Nearest);
        Atlas::from_vec(bytes).unwrap()
    });
    assert_ne!(solid.id(), other.id());
}

#[test]
fn names_that_overlap_are_rejected_and_shared_scales_are_accepted() {
    let bytes =
        AtlasBuilder::new().mask("ab", "#".parse().unwrap()).mask("b", "##".parse().unwrap());
    let bytes = bytes.to_bytes().unwrap();
    assert!(Atlas::from_bytes(&bytes).is_ok());
    let sprites = u64::from_le_bytes(bytes[64..72].try_into().unwrap()) as usize;
    let mut changed = bytes;
    // The second name becomes the last letter of the first.
    changed[sprites + 32..sprites + 36].copy_from_slice(&1_u32.to_le_bytes());
    let error = Atlas::from_bytes(&crate::forged(changed)).unwrap_err();
    assert!(matches!(error, FileError::Corrupt { field: "name", index: 1, .. }), "{error}");
}

#[test]
fn verify_reads_a_mask_that_many_poses_share_once() {
    // 1,000 frames of 1 mask of 512 KiB, which is 1.3 GB if each pose reads it.
    let mask = solid(2048, 2048);
    let settings = Settings { angles: 1, ..Settings::default() };
    let bytes = AtlasBuilder::new().frames_with("a", [mask], settings).to_bytes().unwrap();
    let many = with_poses(&bytes, 20_000);
    let atlas = Atlas::from_vec(many.clone()).unwrap();
    let start = Instant::now();
    atlas.verify().unwrap();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    // A pose that contradicts the shared mask is found wherever it is.
    let cold = u64::from_le_bytes(many[88..96].try_into().unwrap()) as usize;
    let mut changed = many.clone();
    changed[cold + 12 * 17_000 + 10] -= 1;
    let error = Atlas::from_vec(crate::forged(changed)).unwrap().verify().unwrap_err();
    let FileError::Corrupt { index, field, .. } = error else { panic!("{error}") };
    assert_eq!((index, field), (17_000, "area"));
    // Masks that overlap in part would have to be read one by one.
    let hot = u64::from_le_bytes(many[80..88].try_into().unwrap()) as usize;
    let mut changed = many;
    changed[hot + 16 * 9000] += 8;
    changed[hot + 16 * 9000 + 9] -= 1;
    changed[cold + 12 * 9000 + 10] /= 2;
    let error = Atlas::from_vec(crate::forged(changed)).unwrap().verify().unwrap_err();
    let FileError::Corrupt { index, field, .. } = error else { panic!("{error}") };
    assert_eq!((index, field), (9000, "words"));
}

/// Returns an atlas of 1 sprite with `poses` copies of its first pose record, of which its frame
/// shows two.
fn with_poses(bytes: &[u8], poses: usize) -> Vec<u8> {
    let start = |i: usize| u64::from_le_bytes(bytes[64 + 8 * i..72 + 8 * i].try_into().unwrap());
    let section = |i: usize| {
        let end = if i < 7 { start(i + 1) as usize } else { bytes.len() };
        bytes[start(i) as usize..end].to_vec()
    };
    let mut sections: Vec<Vec<u8>> = (0..8).map(section).collect();
    sections[2] = sections[2][..16].repeat(poses);
    sections[3] = sections[3][..12].repeat(poses);
    let mut file = bytes[..192].to_vec();
    file[44..48].copy_from_slice(&(poses as u32).to_le_bytes());
    for (i, section) in sections.iter().enumerate() {
        let start = (file.len() as u64).to_le_bytes();
        file[64 + 8 * i..72 + 8 * i].copy_from_slice(&start);
        file.extend(section);
        file.resize(file.len().next_multiple_of(64), 0);
    }
    let len = (file.len() as u64).to_le_bytes();
    file[16..24].copy_from_slice(&len);
    file[136..144].copy_from_slice(&len);
    crate::forged(file)
}

#[test]
fn a_side_above_the_limit_is_refused_and_the_largest_needs_its_words() {
    let whole = tile(4, Settings { angles: 1, ..Settings::default() }).to_bytes().unwrap();
    let hot = u64::from_le_bytes(whole[80..88].try_into().unwrap()) as usize;
    let stride = |height: u32| (height + 7).next_multiple_of(8);
    for (width, height, expected) in [
        (4, 4, None),
        (MAX_SIDE + 1, 4, Some("size")),
        (65_535, 4, Some("size")),
        (4, MAX_SIDE + 1, Some("size")),
        (4, 65_535, Some("size")),
        (MAX_SIDE, 4, Some("words")),
        (4, MAX_SIDE, Some("words")),
        (MAX_SIDE, MAX_SIDE, Some("words")),
    ] {
        let mut bytes = whole.clone();
        bytes[hot + 4..hot + 8].copy_from_slice(&stride(height).to_le_bytes());
        bytes[hot + 8..hot + 12].copy_from_slice(&(width | height << 16).to_le_bytes());
        let field = match Atlas::from_vec(crate::forged(bytes)) {
            Ok(_) => None,
            Err(FileError::Corrupt { field, .. }) => Some(field),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(field, expected, "{width} x {height}");
    }
}

#[test]
fn a_compact_atlas_states_that_it_has_no_levels_at_any_side() {
    let settings = Settings { angles: 1, ..Settings::default() };
    let level_side = |bytes: &[u8]| u32::from_le_bytes(bytes[148..152].try_into().unwrap());
    for side in [4, MAX_SIDE] {
        let mask = solid(side, 3);
        let bake = |compact| {
            let bake = AtlasBuilder::new().frames_with("bar", [mask.clone()], settings.clone());
            bake.compact(compact).to_bytes().unwrap()
        };
        let (whole, compact) = (bake(false), bake(true));
        assert_eq!([level_side(&whole), level_side(&compact)], [240, u32::MAX]);
        // The source masks have no levels, so the pool has the words of the mask alone.
        let words = |bytes: &[u8]| u32::from_le_bytes(bytes[60..64].try_into().unwrap());
        assert_eq!(words(&unpacked(&compact)), 8 + side.div_ceil(64) * 16);
        let opened = Atlas::from_vec(compact).unwrap();
        assert!(opened.drawn().unwrap().as_bytes() == whole, "{side}");
        // A whole file without levels opens, and its masks are tested by their pixels.
        let atlas = Atlas::from_vec(whole).unwrap();
        let mut without = atlas.as_bytes().to_vec();
        without[148..152].copy_from_slice(&u32::MAX.to_le_bytes());
        let without = Atlas::from_vec(crate::forged(without)).unwrap();
        let bar = |atlas: &Atlas| {
            let bar = atlas.sprites().next().unwrap();
            let mask = bar.posed(0, Pose::default(), Flip::NONE).unwrap().mask;
            mask.coarse(mask, [side as i32 - 1, 2])
        };
        let with_levels = if side < 240 { Certainty::Yes } else { Certainty::Maybe };
        assert_eq!((bar(&atlas), bar(&without)), (with_levels, Certainty::Yes), "{side}");
    }
}
