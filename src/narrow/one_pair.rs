//! Queries of one pair that walk every row of the overlap, with the widest instructions of the machine:
//! its area, its box and its first pixel. And `touches` where its look at the middle leaves the pair
//! open.
//!
//! ```text
//! where the boxes overlap                                                      pair_geometry.rs
//! the walk of a batch: the only strip, or all of them                          batch/strip_query.rs
//! ```
//!
//! 1. The level is chosen once for a call, which costs about as much as 4 blocks. `touches` needs fewer
//!    on average, so it begins with `wide`.
//! 2. One walk answers all: box, area and first pixel together cost little more than one of them.
//! 3. The other costs are three branches that are as good as random: the number of blocks, whether
//!    there is a far strip, and whether there is a pixel.

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

// Compiled here, once, and not in whoever asks, as what is generic would be.

/// Number of pixels set in both.
pub(super) fn area(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> u64 {
    ask(Area, a, b, offset)
}

/// The tight box round the pixels set in both.
pub(super) fn rect(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> Option<Rect> {
    ask(TightBox, a, b, offset)
}

/// The first pixel set in both, by `order`.
pub(super) fn first_point(
    order: ScanOrder,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Option<Point> {
    ask(FirstPoint(order), a, b, offset)
}

/// Box, area and topmost pixel of what is set in both.
pub(super) fn contact(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> Option<Contact> {
    ask(WholeContact, a, b, offset)
}

/// What `query` says of `a`, at (0, 0), and `b`, at `offset`.
#[inline(always)]
pub(super) fn ask<Q: Query>(
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Q::Answer {
    ask_on(simd::preferred(), query, a, b, offset)
}

/// Answers with the instructions of `level`.
#[inline(always)]
fn ask_on<Q: Query>(
    level: Level,
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: Point,
) -> Q::Answer {
    // x, and above it y: two stores that one load reads would wait for each other.
    let offset = u64::from(offset.x as u32) | u64::from(offset.y as u32) << 32;
    match level {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse2(simd) => ask_apart(simd, query, a, b, offset),
        level => with_level!(level, simd => simd.vectorize(
            #[inline(always)]
            || ask_with(simd, query, a, b, offset),
        )),
    }
}

/// As [`ask_with`], where the instructions of a level are those of the whole program. Inlined, its
/// locals would take the registers of the caller.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(never)]
fn ask_apart<S: Simd, Q: Query>(
    simd: S,
    query: Q,
    a: &MaskRef<'_>,
    b: &MaskRef<'_>,
    offset: u64,
) -> Q::Answer {
    ask_with(simd, query, a, b, offset)
}

#[inline(always)]
fn ask_with<S: Simd, Q: Query>(
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
    let place = WalkPosition { column: 0, rows, upwards, before: 0 };
    let (left_pool, near) = left.strip(overlap.dx / WORD);
    let (right_pool, right_start) = right.strip(0);
    // The lowest word that is read: where rows run backwards that of the last block.
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
    let strips = Shape {
        pools: [left_pool, right_pool],
        job,
        left_stride: left.stride() as u32,
        right_stride: right.stride() as u32,
        columns,
        blocks,
    };
    let found = match (reversed, columns <= WORD) {
        (false, true) => only::<S, Q, false>(query, strips.of(simd), place),
        (false, false) => all::<S, Q, false>(query, strips, simd, place),
        (true, _) => all::<S, Q, true>(query, strips, simd, place),
    };
    query.answer(found, overlap.corner)
}

/// Where the strips of a pair lie.
#[derive(Clone, Copy)]
struct Shape<'p> {
    pools: [&'p [u64]; 2],
    job: Job,
    left_stride: u32,
    right_stride: u32,
    columns: u32,
    blocks: u32,
}

impl<'p> Shape<'p> {
    #[inline(always)]
    fn of<S: Simd, const R: bool>(self, simd: S) -> Strips<'p, S, R> {
        let Self { pools, job, left_stride, right_stride, columns, blocks } = self;
        Strips { rows: None, simd, pools, job, left_stride, right_stride, columns, blocks }
    }
}

#[inline(always)]
fn only<S: Simd, Q: Query, const R: bool>(
    query: Q,
    strips: Strips<'_, S, R>,
    place: WalkPosition,
) -> Q::Found {
    let blocks = strips.blocks;
    if strips.is_far(0) {
        query.only(strips.window::<true>(0, (0, blocks)), blocks as usize, place)
    } else {
        query.only(strips.window::<false>(0, (0, blocks)), blocks as usize, place)
    }
}

/// Apart, for what is most often asked to need less room.
#[inline(always)]
fn all<S: Simd, Q: Query, const R: bool>(
    query: Q,
    shape: Shape<'_>,
    simd: S,
    place: WalkPosition,
) -> Q::Found {
    simd.vectorize(
        #[inline(always)]
        || query.pair(shape.of::<S, R>(simd), place),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::{Mask, dotted};
    use crate::narrow::reference;

    /// The masks of a pair, each way up.
    fn views<'m>(a: &'m Mask, b: &'m Mask) -> [[MaskRef<'m>; 2]; 4] {
        let (a, b) = (a.as_ref(), b.as_ref());
        [[a, b], [a.flip_y(), b], [a, b.flip_y()], [a.flip_y(), b.flip_y()]]
    }

    #[test]
    fn every_level_gives_what_pixels_give() {
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
                        hold_against_pixels(a, b, Point::new(dx, dy), &mut both);
                    }
                }
            }
        }
    }

    fn hold_against_pixels(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, both: &mut Mask) {
        let inside = |x: i32, y: i32| {
            let (x, y) = (x.checked_sub(offset.x), y.checked_sub(offset.y));
            x.zip(y).is_some_and(|(x, y)| b.get(x, y))
        };
        let mut truth = Mask::new(a.width(), a.height()).unwrap();
        let mut pixels = Vec::new();
        for y in 0..a.height() {
            for x in 0..a.width() {
                let (u, v) = (x as i32, y as i32);
                if a.get(u, v) && inside(u, v) {
                    truth.set(x as i32, y as i32, true);
                    pixels.push(Point::new(u, v));
                }
            }
        }
        let contact = reference::contact(a, b, offset);
        let area = contact.map_or(0, |contact| contact.area);
        assert_eq!(truth.count(), area);
        for simd in crate::simd::Simd::available() {
            let level = simd.level().unwrap();
            let shown = format!("{} {offset:?}\n{a:?}{b:?}", simd.name());
            assert_eq!(ask_on(level, Area, &a, &b, offset), area, "{shown}");
            assert_eq!(ask_on(level, WholeContact, &a, &b, offset), contact, "{shown}");
            let rect = ask_on(level, TightBox, &a, &b, offset);
            assert_eq!(rect, contact.map(|contact| contact.rect), "{shown}");
            for order in [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right] {
                let first =
                    pixels.iter().copied().min_by_key(|p| order.rank(p.x as u32, p.y as u32));
                let point = ask_on(level, FirstPoint(order), &a, &b, offset);
                assert_eq!(point, first, "{order:?} {shown}");
            }
            both.reset(a.width(), a.height());
            with_level!(level, simd => simd.vectorize(|| both.draw_overlap(a, b, offset)));
            // All words of both, guards too.
            assert_eq!(*both, truth, "{shown}");
        }
        assert_eq!(a.touches(b, offset), area > 0);
        assert_eq!(a.overlap_mask(b, offset), truth);
        assert!(a.overlap_pixels(b, offset).eq(pixels));
    }
}
