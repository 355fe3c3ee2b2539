//! Single-pair queries that walk every row of the overlap: area, box, first pixel, contact.
//! `touches` falls back to this file when its probe of the middle rows does not decide.
//!
//! ```text
//! derive the intersection of the boxes                                       pair_geometry.rs
//! walk the strips with the kernel of the batch: one strip, or all            batch/strip_query.rs
//! ```
//!
//! 1. The SIMD level is selected once per call, which costs about as much as 4 blocks. `touches`
//!    needs fewer blocks on average, so it starts with the `wide` crate.
//! 2. One walk computes box, area and first pixel together, at little more than the cost of one of
//!    them.
//! 3. The remaining cost is three unpredictable branches: the number of blocks, the presence of a
//!    far strip, and the presence of a pixel.

use super::batch::bounds_queries::{FirstPoint, TightBox, WholeContact};
use super::batch::popcount::Area;
use super::batch::shifted_rows::{Job, Strips};
use super::batch::strip_query::{Query, WalkPosition};
use super::pair_geometry::PairGeometry;
use super::{Contact, ScanOrder};
use crate::geom::{Point, Rect};
use crate::mask::{BLOCK, MaskRef, WORD};
use crate::simd::{self, with_level};
use fearless_simd::{Level, Simd};

// Not generic, so that each query is compiled once, here, and not in the calling crate.

/// Returns the number of pixels set in both.
pub(super) fn area(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> u64 {
    run(Area, a, b, offset)
}

/// Returns the tight box around the pixels set in both.
pub(super) fn rect(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> Option<Rect> {
    run(TightBox, a, b, offset)
}

/// Returns the first pixel set in both, by `order`.
pub(super) fn first_point(
    order: ScanOrder,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Option<Point> {
    run(FirstPoint(order), a, b, offset)
}

/// Returns box, area and topmost pixel of the overlap.
pub(super) fn contact(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> Option<Contact> {
    run(WholeContact, a, b, offset)
}

/// Runs `query` on `a`, at (0, 0), and `b`, at `offset`.
#[inline(always)]
pub(super) fn run<Q: Query>(
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Q::Answer {
    run_at_level(simd::preferred(), query, a, b, offset)
}

/// Runs the query with the instructions of `level`.
#[inline(always)]
fn run_at_level<Q: Query>(
    level: Level,
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Q::Answer {
    // Packed into one register: a wide load right after two narrow stores defeats store forwarding.
    let offset = u64::from(offset.x as u32) | u64::from(offset.y as u32) << 32;
    match level {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse2(simd) => run_outlined(simd, query, a, b, offset),
        level => with_level!(level, simd => simd.vectorize(
            #[inline(always)]
            || run_with_simd(simd, query, a, b, offset),
        )),
    }
}

/// Same as [`run_with_simd`], for the level that the whole program is compiled for. Not inlined,
/// because its locals would take registers from the caller.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(never)]
fn run_outlined<S: Simd, Q: Query>(
    simd: S,
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: u64,
) -> Q::Answer {
    run_with_simd(simd, query, a, b, offset)
}

#[inline(always)]
fn run_with_simd<S: Simd, Q: Query>(
    simd: S,
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: u64,
) -> Q::Answer {
    let Some(overlap) = PairGeometry::new(a, b, offset as i32, (offset >> 32) as i32) else {
        return query.answer(Q::NONE, Point::default());
    };
    let PairGeometry { columns, rows, upwards, reversed, .. } = overlap;
    let (left, right) = overlap.order(a, b);
    let blocks = rows.div_ceil(BLOCK);
    let position = WalkPosition { column: 0, rows, upwards, before: 0 };
    let (left_pool, near) = left.strip(overlap.dx / WORD);
    let (right_pool, right_start) = right.strip(0);
    // The lowest word that is read: if rows run backwards, that of the last block.
    let start = if reversed {
        right.height().wrapping_sub(overlap.right_row).wrapping_sub(blocks * BLOCK)
    } else {
        overlap.right_row
    };
    let near = near as u32 + overlap.left_row;
    let job = Job {
        near,
        far: near + left.stride() as u32,
        right: (right_start as u32).wrapping_add(start),
        shift: overlap.dx % WORD,
    };
    let strips = PairStrips {
        pools: [left_pool, right_pool],
        job,
        left_stride: left.stride() as u32,
        right_stride: right.stride() as u32,
        columns,
        blocks,
    };
    let found = match (reversed, columns <= WORD) {
        (false, true) => run_single_strip::<S, Q, false>(query, strips.of(simd), position),
        (false, false) => run_all_strips::<S, Q, false>(query, strips, simd, position),
        (true, _) => run_all_strips::<S, Q, true>(query, strips, simd, position),
    };
    query.answer(found, overlap.corner)
}

/// The position of the strips of a pair in their pools.
#[derive(Clone, Copy)]
struct PairStrips<'p> {
    pools: [&'p [u64]; 2],
    job: Job,
    left_stride: u32,
    right_stride: u32,
    columns: u32,
    blocks: u32,
}

impl<'p> PairStrips<'p> {
    #[inline(always)]
    fn of<S: Simd, const R: bool>(self, simd: S) -> Strips<'p, S, R> {
        let Self { pools, job, left_stride, right_stride, columns, blocks } = self;
        Strips { rows: None, simd, pools, job, left_stride, right_stride, columns, blocks }
    }
}

#[inline(always)]
fn run_single_strip<S: Simd, Q: Query, const R: bool>(
    query: Q,
    strips: Strips<'_, S, R>,
    position: WalkPosition,
) -> Q::Found {
    let blocks = strips.blocks;
    if strips.is_far(0) {
        query.single_strip(strips.window::<true>(0, (0, blocks)), blocks as usize, position)
    } else {
        query.single_strip(strips.window::<false>(0, (0, blocks)), blocks as usize, position)
    }
}

/// A separate `vectorize`, so that the common case of one strip stays small.
#[inline(always)]
fn run_all_strips<S: Simd, Q: Query, const R: bool>(
    query: Q,
    shape: PairStrips<'_>,
    simd: S,
    position: WalkPosition,
) -> Q::Found {
    simd.vectorize(
        #[inline(always)]
        || query.pair(shape.of::<S, R>(simd), position),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Mask, dotted};
    use crate::narrow::reference;

    /// Returns the masks of a pair in all four combinations of orientation.
    fn views<'m>(a: &'m Mask, b: &'m Mask) -> [[MaskRef<'m>; 2]; 4] {
        let (a, b) = (a.as_ref(), b.as_ref());
        [[a, b], [a.flip_y(), b], [a, b.flip_y()], [a.flip_y(), b.flip_y()]]
    }

    #[test]
    fn every_simd_level_equals_the_per_pixel_scan() {
        let sizes = [(1, 1), (8, 9), (64, 64), (65, 7), (63, 130), (130, 33), (300, 20), (5, 0)];
        let mut both = Mask::new(0, 0).unwrap();
        for (i, &(aw, ah)) in sizes.iter().enumerate() {
            for &(bw, bh) in &sizes {
                let (a, b) = (dotted(aw, ah), dotted(bw, bh));
                let (w, h) = (aw as i32, ah as i32);
                let offsets = [-(bw as i32), -65, -64, -7, 0, 1, 63, 64, w - 1, w, i32::MAX];
                for (j, dx) in offsets.into_iter().enumerate() {
                    let dy = [1 - bh as i32, -9, 0, 8, h - 1, i32::MIN][(i + j) % 6];
                    for [a, b] in views(&a, &b) {
                        check_against_pixels(a, b, Point::new(dx, dy), &mut both);
                    }
                }
            }
        }
    }

    fn check_against_pixels(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, both: &mut Mask) {
        let inside = |x: i32, y: i32| {
            let (x, y) = (x.checked_sub(offset.x), y.checked_sub(offset.y));
            x.zip(y).is_some_and(|(x, y)| b.get(x, y))
        };
        let mut expected = Mask::new(a.width(), a.height()).unwrap();
        let mut pixels = Vec::new();
        for y in 0..a.height() {
            for x in 0..a.width() {
                let (u, v) = (x as i32, y as i32);
                if a.get(u, v) && inside(u, v) {
                    expected.set(x as i32, y as i32, true);
                    pixels.push(Point::new(u, v));
                }
            }
        }
        let contact = reference::contact(a, b, offset);
        let area = contact.map_or(0, |contact| contact.area);
        assert_eq!(expected.count(), area);
        for simd in crate::simd::Simd::available() {
            let level = simd.level().unwrap();
            let context = format!("{} {offset:?}\n{a:?}{b:?}", simd.name());
            assert_eq!(run_at_level(level, Area, &a, &b, offset), area, "{context}");
            assert_eq!(run_at_level(level, WholeContact, &a, &b, offset), contact, "{context}");
            let rect = run_at_level(level, TightBox, &a, &b, offset);
            assert_eq!(rect, contact.map(|contact| contact.rect), "{context}");
            for order in [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right] {
                let first =
                    pixels.iter().copied().min_by_key(|p| order.rank(p.x as u32, p.y as u32));
                let point = run_at_level(level, FirstPoint(order), &a, &b, offset);
                assert_eq!(point, first, "{order:?} {context}");
            }
            both.reset(a.width(), a.height());
            with_level!(level, simd => simd.vectorize(|| both.draw_overlap(a, b, offset)));
            // Compares all words of both masks, including the guard words.
            assert_eq!(*both, expected, "{context}");
        }
        assert_eq!(a.touches(b, offset), area > 0);
        assert_eq!(a.overlap_mask(b, offset), expected);
        assert!(a.overlap_pixels(b, offset).eq(pixels));
    }
}
