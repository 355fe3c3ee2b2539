//! Lists of pairs of random masks, whose answers are compared with the per-pixel reference.

use crate::{Random, crop, mask_of, open};
use hitmask::{
    Atlas, AtlasBuilder, Contact, Flip, Mask, MaskRef, Point, PoseId, PosePair, ScanOrder, Simd,
    reference,
};

/// Each order of a scan.
pub const ORDERS: [ScanOrder; 4] =
    [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right];

/// Returns a random mask with 1 in 64 to all of its pixels set.
///
/// Sparse masks give misses and dense masks give hits.
///
/// # Panics
/// If a side is longer than that of a mask.
#[must_use]
pub fn random_mask(width: u32, height: u32, random: &mut Random) -> Mask {
    let density = [1, 4, 32, 64][random.below(4) as usize];
    let mut mask = mask_of(width, height, |_, _| random.below(64) < density);
    // Two opposite corners are set, so that the baker does not trim the mask.
    if width > 0 && height > 0 {
        mask.set(0, 0, true);
        mask.set((width - 1) as i32, (height - 1) as i32, true);
    }
    mask
}

/// Returns an atlas of `masks` at one angle. Names sort in the order of `masks`.
#[must_use]
pub fn atlas(masks: impl IntoIterator<Item = Mask>) -> Atlas {
    let bake = AtlasBuilder::new().angles(1);
    let bake = masks.into_iter().zip(0..).fold(bake, |b, (m, i)| b.mask(format!("{i:06}"), m));
    open(&bake)
}

/// Returns the upright pose of every sprite in each of the four flips.
///
/// # Panics
/// If a sprite has no pose.
#[must_use]
pub fn poses(atlas: &Atlas) -> Vec<(PoseId, MaskRef<'_>)> {
    let flips = [(false, false), (false, true), (true, false), (true, true)];
    let poses = atlas.sprites().flat_map(|sprite| {
        let pose = sprite.nearest(0.0, 1.0).expect("a pose");
        flips.map(|(x, y)| {
            let mask = sprite.posed(0, pose, Flip { x, y }).expect("a frame").mask;
            (sprite.pose_id(0, pose, Flip { x, y }).expect("a frame"), mask)
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
    let first = [rows(r.y0), rows(r.y1 - 1), columns(r.x0), columns(r.x1 - 1)]
        .map(|p| Some(p.expect("a pixel at each edge")));
    (contact, first)
}

/// Asserts that all batch queries and all single-pair queries agree with the answers pixel by pixel.
///
/// A query is the indices of two poses and the offset of the second. `seed` is that of the masks. A failure
/// prints the seed, the poses, and the pixels around the first one that differs, not the masks.
///
/// # Panics
/// If an answer differs, or a query has an index of no pose.
pub fn assert_matches_reference(atlas: &Atlas, queries: &[(usize, usize, Point)], seed: u64) {
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
#[must_use]
pub fn place(
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
