//! Every batch query against the per-pixel reference, with each instruction set of the machine.
//!
//! The queries of single pairs answer the same queries in the same run.

mod large;
mod levels;
mod lists;
mod pairs;

use hitmask::{
    Atlas, AtlasBuilder, Contact, Flip, Mask, MaskRef, Point, PoseId, PosePair, ScanOrder, Simd,
    reference,
};
use hitmask_scenes::{Random, crop, open};
use proptest::prelude::*;

const ORDERS: [ScanOrder; 4] =
    [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right];

/// Returns a random mask with 1 in 64 to all of its pixels set.
///
/// Sparse masks give misses and dense masks give hits.
fn random_mask(width: u32, height: u32, random: &mut Random) -> Mask {
    let density = [1, 4, 32, 64][random.below(4) as usize];
    let mut mask = Mask::new(width, height).unwrap();
    for y in 0..height {
        for x in 0..width {
            mask.set(x as i32, y as i32, random.below(64) < density);
        }
    }
    // Two opposite corners are set, so that the baker does not trim the mask.
    if width > 0 && height > 0 {
        mask.set(0, 0, true);
        mask.set((width - 1) as i32, (height - 1) as i32, true);
    }
    mask
}

/// Returns an atlas of `masks` at one angle. Names sort in the order of `masks`.
fn atlas(masks: impl IntoIterator<Item = Mask>) -> Atlas {
    let bake = AtlasBuilder::new().angles(1);
    let bake = masks.into_iter().zip(0..).fold(bake, |b, (m, i)| b.mask(format!("{i:06}"), m));
    open(&bake)
}

/// Returns the upright pose of every sprite in each of the four flips.
fn poses(atlas: &Atlas) -> Vec<(PoseId, MaskRef<'_>)> {
    let flips = [(false, false), (false, true), (true, false), (true, true)];
    let poses = atlas.sprites().flat_map(|sprite| {
        let pose = sprite.nearest(0.0, 1.0).unwrap();
        flips.map(|(x, y)| {
            let mask = sprite.posed(0, pose, Flip { x, y }).unwrap().mask;
            (sprite.pose_id(0, pose, Flip { x, y }).unwrap(), mask)
        })
    });
    poses.collect()
}

/// Returns the contact of two masks and the first pixel in each of [`ORDERS`], pixel by pixel.
fn reference_answers(
    a: MaskRef<'_>,
    b: MaskRef<'_>,
    offset: Point,
) -> (Option<Contact>, [Option<Point>; 4]) {
    let contact = reference::contact(a, b, offset);
    let Some(found) = contact else { return (None, [None; 4]) };
    let both = |x: i32, y: i32| a.get(x, y) && b.get(x - offset.x, y - offset.y);
    let r = found.rect;
    let rows = |y: i32| (r.x0..r.x1).find(|&x| both(x, y)).map(|x| Point::new(x, y));
    let columns = |x: i32| (r.y0..r.y1).find(|&y| both(x, y)).map(|y| Point::new(x, y));
    let first =
        [rows(r.y0), rows(r.y1 - 1), columns(r.x0), columns(r.x1 - 1)].map(|p| Some(p.unwrap()));
    (contact, first)
}

/// Asserts that all batch queries and all single-pair queries agree with [`reference_answers`].
///
/// A query is the indices of two poses and the offset of the second. `seed` is that of the masks. A failure
/// prints the seed, the poses, and the pixels around the first one that differs, not the masks.
fn assert_matches_reference(atlas: &Atlas, queries: &[(usize, usize, Point)], seed: u64) {
    let poses = poses(atlas);
    let pairs: Vec<PosePair> = queries
        .iter()
        .map(|&(a, b, offset)| PosePair { a: poses[a].0, b: poses[b].0, offset })
        .collect();
    let masks = queries.iter().map(|&(a, b, offset)| (poses[a].1, poses[b].1, offset));
    let truths: Vec<_> =
        masks.clone().map(|(a, b, offset)| reference_answers(a, b, offset)).collect();
    let n = pairs.len();
    for simd in Simd::available() {
        let mut batch = atlas.batch().with_simd(simd);
        assert!(format!("{batch:?}").contains(&format!("{simd:?}")), "{batch:?}");
        let at = |i: usize| {
            let place = place(&poses, queries[i], truths[i].0, seed);
            format!("of pair {i} by {}, {place}", simd.name())
        };
        let mut hits = vec![true; n];
        batch.touches(&pairs, &mut hits);
        let mut areas = vec![u64::MAX; n];
        batch.overlap_area(&pairs, &mut areas);
        let mut contacts = vec![None; n];
        batch.contact(&pairs, &mut contacts);
        for (i, &(contact, _)) in truths.iter().enumerate() {
            assert_eq!(hits[i], contact.is_some(), "touches {}", at(i));
            assert_eq!(areas[i], contact.map_or(0, |c| c.area), "area {}", at(i));
            assert_eq!(contacts[i], contact, "contact {}", at(i));
        }
        for pixels in [0, 1, 2, 100] {
            batch.overlap_at_least(pixels, &pairs, &mut hits);
            for (i, &(contact, _)) in truths.iter().enumerate() {
                let enough = contact.map_or(0, |c| c.area) >= u64::from(pixels.max(1));
                assert_eq!(hits[i], enough, "{pixels} pixels {}", at(i));
            }
        }
    }
    for (i, ((a, b, offset), (contact, first))) in masks.zip(&truths).enumerate() {
        let at = place(&poses, queries[i], *contact, seed);
        assert_eq!(a.contact(b, offset), *contact, "contact {at}");
        assert_eq!(a.touches(b, offset), contact.is_some(), "touches {at}");
        assert_eq!(a.overlap_area(b, offset), contact.map_or(0, |c| c.area), "area {at}");
        let back = [offset.x.saturating_neg(), offset.y.saturating_neg()];
        assert_eq!(b.touches(a, back), contact.is_some(), "swapped {at}");
        assert_eq!(b.overlap_area(a, back), contact.map_or(0, |c| c.area), "area, swapped {at}");
        for (order, &first) in ORDERS.into_iter().zip(first) {
            assert_eq!(a.first_overlap(order, b, offset), first, "{order:?} {at}");
        }
        let shared = a.overlap_mask(b, offset);
        assert_eq!(shared.count(), contact.map_or(0, |c| c.area), "mask {at}");
        let pixels: Vec<Point> =
            a.overlap(b, offset).iter().flat_map(|both| both.pixels()).collect();
        assert!(pixels.iter().all(|p| shared.get(p.x, p.y)), "mask {at}");
        assert_eq!(pixels.len() as u64, contact.map_or(0, |c| c.area), "pixels {at}");
        assert!(pixels.is_sorted_by_key(|p| (p.y, p.x)), "pixels {at}");
        let both = |p: &Point| a.get(p.x, p.y) && b.get(p.x - offset.x, p.y - offset.y);
        assert!(pixels.iter().all(both), "pixels {at}");
    }
}

/// Returns what a failure states of a query with this contact: its seed, poses and offset, and the pixels
/// around the first shared one. Without a contact these are the pixels around the corner of the boxes' overlap.
fn place(
    poses: &[(PoseId, MaskRef<'_>)],
    (a, b, offset): (usize, usize, Point),
    contact: Option<Contact>,
    seed: u64,
) -> String {
    // Four flips of each sprite.
    let pose = |i: usize| {
        let mask = poses[i].1;
        let flip = ["none", "y", "x", "xy"][i % 4];
        format!("sprite {} ({} x {} px, flip {flip})", i / 4, mask.width(), mask.height())
    };
    let corner = Point::new(offset.x.max(0), offset.y.max(0));
    let at = contact.map_or(corner, |contact| contact.point);
    let part = crop(poses[a].1, poses[b].1, offset, at);
    format!("seed {seed}, a: {}, b: {} at {offset:?}, {part}", pose(a), pose(b))
}

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
    let full = |width: u32, height: u32| {
        let mut mask = Mask::new(width, height).unwrap();
        for y in 0..height {
            for x in 0..width {
                mask.set(x as i32, y as i32, true);
            }
        }
        mask
    };
    // 1,300 rows: byte counters are full after 31 blocks of 8 rows and must be flushed in between.
    let (w, h) = (70, 1300);
    let atlas = atlas([full(w, h), full(w, h + 1)]);
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

/// Fails a run with a set that is unknown, or that this machine lacks.
#[test]
fn the_environment_names_an_available_instruction_set() {
    let error = |error: hitmask::CallError| panic!("{error}; {}", error.help());
    assert_eq!(hitmask::Simd::from_env().unwrap_or_else(error), hitmask::Simd::preferred());
}
