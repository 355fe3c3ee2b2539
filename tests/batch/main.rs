//! Every batch query against the per-pixel reference, with each instruction set of the machine.
//!
//! The queries of single pairs answer the same queries in the same run.

mod large;
mod levels;
mod lists;
mod pairs;

use hitmask::{Atlas, Mask, MaskRef, Point, PosePair, Simd, reference};
use hitmask_scenes::batches::{ORDERS, assert_matches_reference, atlas, place, poses, random_mask};
use hitmask_scenes::{Random, solid};
use proptest::prelude::*;

#[test]
fn a_failure_prints_the_seed_the_poses_and_few_pixels_of_large_masks() {
    let mut random = Random::new(8);
    let atlas = atlas([random_mask(390, 390, &mut random), random_mask(390, 390, &mut random)]);
    let poses = poses(&atlas);
    let query = (1, 6, Point::new(3, -2));
    let contact = reference::contact(poses[1].1, poses[6].1, query.2);
    let text = place(&poses, query, contact, 8);
    assert!(text.contains("seed 8") && text.contains("sprite 0 (390 x 390 px, flip y)"), "{text}");
    assert!(text.contains("sprite 1 (390 x 390 px, flip x)") && text.len() < 1_500, "{text}");
    let first = contact.unwrap().point;
    // The middle of 17 rows of 49 pixels.
    let row = text.lines().skip(1).nth(8).unwrap();
    assert!(text.contains(&format!("({}, {})", first.x, first.y)), "{text}");
    assert_eq!(row.chars().nth(24), Some('#'), "{text}");
    // Any failing comparison of masks prints few pixels too.
    assert!(format!("{:?}", poses[1].1).len() < 1_500);
}

/// Asserts the same for `count` random pairs with offsets up to `across` and `down` pixels.
fn assert_random_pairs_match(
    atlas: &Atlas,
    count: u32,
    [across, down]: [i32; 2],
    (seed, mut random): (u64, Random),
) {
    let poses = poses(atlas).len() as u32;
    let queries: Vec<_> = (0..count)
        .map(|_| {
            let [a, b] = [0; 2].map(|_: i32| random.below(poses) as usize);
            (a, b, Point::new(random.within(-across, across), random.within(-down, down)))
        })
        .collect();
    assert_matches_reference(atlas, &queries, seed);
}

/// Sides below, at and above multiples of a word of 64 bits, and small ones.
const EDGES: [u32; 9] = [1, 2, 7, 63, 64, 65, 127, 128, 129];

#[test]
fn masks_at_word_edges_agree_with_the_reference() {
    let mut random = Random::new(1);
    let sizes = EDGES.iter().flat_map(|&w| [7, 64, 65, 129, w].map(|h| (w, h)));
    let atlas = atlas(sizes.map(|(w, h)| random_mask(w, h, &mut random)));
    let poses = poses(&atlas);
    let mut queries = Vec::new();
    for a in (0..poses.len()).step_by(3) {
        let b = random.below(poses.len() as u32) as usize;
        let side = |mask: MaskRef<'_>| [mask.width() as i32, mask.height() as i32];
        let ([aw, ah], [bw, bh]) = (side(poses[a].1), side(poses[b].1));
        for x in [-bw, 1 - bw, -65, -64, -63, -1, 0, 1, 31, 63, 64, 65, aw - 1, aw] {
            let y = [-bh, 1 - bh, -8, -1, 0, 1, 7, 8, 9, ah - 1, ah][random.below(11) as usize];
            queries.push((a, b, Point::new(x, y)));
        }
        for y in [-bh, 1 - bh, -8, -1, 0, 1, 7, 8, 9, ah - 1, ah] {
            queries.push((a, b, Point::new(random.within(1 - bw, aw), y)));
        }
    }
    assert_matches_reference(&atlas, &queries, 1);
}

#[test]
fn distant_pairs_and_masks_without_pixels_do_not_touch() {
    let mut random = Random::new(2);
    let masks = [random_mask(100, 90, &mut random), random_mask(3, 200, &mut random)];
    let atlas = atlas(masks.into_iter().chain([Mask::new(20, 20).unwrap()]));
    // Offsets whose sum with a side overflows i32, and offsets beyond 16 bits.
    let ends = [i32::MIN, i32::MIN + 1, -70_000, -100, 0, 99, 70_000, i32::MAX - 1, i32::MAX];
    let offsets = ends.iter().flat_map(|&x| ends.map(|y| Point::new(x, y)));
    let ids = 0..poses(&atlas).len();
    let queries: Vec<_> = offsets
        .flat_map(|at| ids.clone().map(move |a| (a, at)))
        .flat_map(|(a, at)| ids.clone().map(move |b| (a, b, at)))
        .collect();
    assert_matches_reference(&atlas, &queries, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_batches_of_mixed_sizes_agree_with_the_reference(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let most = [20, 70, 140, 300][random.below(4) as usize];
        let masks: Vec<Mask> = (0..6)
            .map(|_| {
                let (w, h) = (random.below(most) + 1, random.below(most) + 1);
                random_mask(w, h, &mut random)
            })
            .collect();
        let atlas = atlas(masks);
        let poses = poses(&atlas);
        let queries: Vec<_> = (0..60)
            .map(|_| {
                let [a, b] = [0; 2].map(|_: i32| random.below(poses.len() as u32) as usize);
                let side = |i: usize| [poses[i].1.width() as i32, poses[i].1.height() as i32];
                let ([aw, ah], [bw, bh]) = (side(a), side(b));
                let at = Point::new(random.within(-bw, aw + 1), random.within(-bh, ah + 1));
                (a, b, at)
            })
            .collect();
        assert_matches_reference(&atlas, &queries, seed);
    }
}

#[test]
fn large_masks_agree_with_the_reference() {
    let mut random = Random::new(5);
    let sizes = [(400, 300), (700, 90), (90, 700), (513, 257), (320, 320)];
    let atlas = atlas(sizes.map(|(w, h)| random_mask(w, h, &mut random)));
    assert_random_pairs_match(&atlas, 300, [500, 400], (5, random));
}

#[test]
fn wide_masks_with_few_common_pixels_agree_with_the_reference() {
    // Horizontal and vertical lines cross in one pixel each. Most strips of an overlap, including
    // the first and the last, have no common pixel.
    let mut random = Random::new(6);
    let (w, h) = (460, 150);
    let atlas = atlas((0..8).map(|i| {
        let mut mask = Mask::new(w, h).unwrap();
        mask.set(0, 0, true);
        mask.set((w - 1) as i32, (h - 1) as i32, true);
        for _ in 0..2 {
            let (column, row) = (random.below(w), random.below(h));
            if i % 2 == 0 {
                (0..h).for_each(|y| mask.set(column as i32, y as i32, true));
            } else {
                (0..w).for_each(|x| mask.set(x as i32, row as i32, true));
            }
        }
        mask
    }));
    assert_random_pairs_match(&atlas, 300, [330, 90], (6, random));
}

#[test]
fn strips_with_pixels_in_few_rows_agree_with_the_reference() {
    // Each strip has its own range of occupied rows, or none, so each pair of strips has other
    // common rows. The widest masks have 19 strips: kernels compare the rows of 8 strips at once.
    let mut random = Random::new(7);
    let sizes = [(60, 300), (130, 200), (330, 150), (520, 260), (1_180, 110), (700, 81)];
    let atlas = atlas(sizes.into_iter().cycle().take(18).map(|(w, h)| {
        let mut mask = Mask::new(w, h).unwrap();
        for start in (0..w).step_by(64) {
            let width = (w - start).min(64);
            let first = random.below(h);
            let rows = random.below(h - first + 1).min([0, 3, 20, 200][random.below(4) as usize]);
            for _ in 0..rows * random.below(12) {
                mask.set(
                    (start + random.below(width)) as i32,
                    (first + random.below(rows)) as i32,
                    true,
                );
            }
        }
        // One pixel at each edge, so that the baker does not trim the mask.
        let (x, y) = (random.below(w), random.below(h));
        for (x, y) in [(x, 0), (x / 2, h - 1), (0, y), (w - 1, y / 2)] {
            mask.set(x as i32, y as i32, true);
        }
        mask
    }));
    assert_random_pairs_match(&atlas, 600, [300, 70], (7, random));
}

#[test]
fn tall_solid_masks_are_counted_exactly() {
    // 1,300 rows: byte counters are full after 31 blocks of 8 rows and must be flushed in between.
    let (w, h) = (70, 1300);
    let atlas = atlas([solid(w, h), solid(w, h + 1)]);
    let poses = poses(&atlas);
    let pairs: Vec<PosePair> = (0..poses.len())
        .flat_map(|b| [[0, 0], [3, 0], [-3, 1], [0, 300], [69, -40], [5, 1298]].map(|at| (b, at)))
        .map(|(b, at)| PosePair { a: poses[0].0, b: poses[b].0, offset: at.into() })
        .collect();
    for simd in Simd::available() {
        let mut areas = vec![0; pairs.len()];
        atlas.batch().with_simd(simd).overlap_area(&pairs, &mut areas);
        for (pair, area) in pairs.iter().zip(areas) {
            let (_, b) = *poses.iter().find(|(id, _)| *id == pair.b).unwrap();
            let (x, y, height_b) = (pair.offset.x, pair.offset.y, b.height() as i32);
            let rows = (h as i32).min(y + height_b) - y.max(0);
            let expected = (w as i32 - x.abs()) * rows;
            assert_eq!(area, expected as u64, "{} {pair:?}", simd.name());
        }
    }
}
