//! One pair with the widest instructions of the machine, for the queries of single pairs that walk
//! every row of the overlap: its area, and its mask.
//!
//! ```text
//! overlap of the boxes, left and right sorted out                                     lane.rs
//! for each strip: its rows, eight at a time, as in a batch                   batch/window.rs
//! ```
//!
//! The level is chosen once for a call, which takes about as long as four blocks: what needs fewer
//! on average, as yes or no does, stays with `wide`.

use super::batch::area;
use super::batch::window::Window;
use super::lane::{Lane, Overlap};
use super::level::{self, with_level};
use crate::geom::Point;
use crate::mask::{BLOCK, Mask, MaskRef, WORD, strips_of};
use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, u64x8};
use std::hint::select_unpredictable;

/// Work that is compiled for each level. All that it calls has to be inlined into it.
trait Work {
    type Answer;

    fn run<S: Simd>(self, simd: S) -> Self::Answer;
}

/// Does `work` with the instructions of `level`.
#[inline(always)]
fn on<W: Work>(level: Level, work: W) -> W::Answer {
    match level {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Sse2(simd) => apart(simd, work),
        level => with_level!(level, simd => compiled(simd, work)),
    }
}

/// The same where its instructions are those of the whole program, and it would be inlined: its
/// locals would take the registers of whoever calls it.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[inline(never)]
fn apart<S: Simd, W: Work>(simd: S, work: W) -> W::Answer {
    work.run(simd)
}

#[inline(always)]
fn compiled<S: Simd, W: Work>(simd: S, work: W) -> W::Answer {
    simd.vectorize(
        #[inline(always)]
        move || work.run(simd),
    )
}

/// Number of pixels set in both `a`, at (0, 0), and `b`, at `offset`.
pub(crate) fn area(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> u64 {
    area_on(level::preferred(), a, b, offset)
}

#[inline(always)]
fn area_on(level: Level, a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> u64 {
    if a.is_flipped() != b.is_flipped() {
        return one_upside_down(level, a, b, offset);
    }
    let Some(Meeting { top, words, columns, dy }) = Meeting::new(a, b, offset) else { return 0 };
    let (a_row, b_row) = (top as u32, (top - dy) as u32);
    // Which of them is left is as good as random.
    let swap = offset.x < 0;
    let lanes = Lanes {
        left: select_unpredictable(swap, b, a),
        left_row: select_unpredictable(swap, b_row, a_row),
        right: select_unpredictable(swap, a, b),
        right_row: select_unpredictable(swap, a_row, b_row),
        dx: offset.x.unsigned_abs(),
        columns,
        words,
    };
    if columns <= WORD { lanes.area(level, 0) } else { lanes.area_of_all(level) }
}

/// The strips of two masks that overlap, the left one's at its column `dx` and beyond.
struct Lanes<'m, 'p> {
    left: &'m MaskRef<'p>,
    left_row: u32,
    right: &'m MaskRef<'p>,
    right_row: u32,
    dx: u32,
    columns: u32,
    words: usize,
}

impl Lanes<'_, '_> {
    #[inline(always)]
    fn area(&self, level: Level, j: u32) -> u64 {
        let (strip, shift) = (self.dx / WORD + j, self.dx % WORD);
        let is_far = (shift != 0) & (self.columns - j * WORD + shift > WORD);
        let left = |strip: u32| rows(self.left, strip, self.left_row, self.words);
        let lane = Lane {
            near: left(strip),
            far: is_far.then(|| left(strip + 1)),
            right: rows(self.right, j, self.right_row, self.words),
            shift,
        };
        on(level, LaneArea { lane, reversed: false }).into()
    }

    /// Apart, for what is most often asked to need less room.
    #[inline(never)]
    fn area_of_all(&self, level: Level) -> u64 {
        (0..strips_of(self.columns)).map(|j| self.area(level, j)).sum()
    }
}

#[cold]
#[inline(never)]
fn one_upside_down(level: Level, a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> u64 {
    let Some(overlap) = Overlap::new(*a, *b, offset) else { return 0 };
    let lanes = (0..overlap.lanes()).map(|j| overlap.lane(j));
    lanes.map(|lane| u64::from(on(level, LaneArea { lane, reversed: true }))).sum()
}

/// Where the boxes of two masks that are the same way up overlap, in rows as they are stored.
struct Meeting {
    /// The first row of the first mask.
    top: i32,
    /// Words of each strip, whole blocks of them: past the last row one side reads zeros.
    words: usize,
    columns: u32,
    /// Row of the first mask that the second one's first meets.
    dy: i32,
}

impl Meeting {
    #[inline(always)]
    fn new(a: &MaskRef<'_>, b: &MaskRef<'_>, Point { x: dx, y: dy }: Point) -> Option<Self> {
        let [aw, ah, bw, bh] = [a.width(), a.height(), b.width(), b.height()].map(|v| v as i32);
        let some = (aw > 0) & (ah > 0) & (bw > 0) & (bh > 0);
        // Sides are below 2^15: what passes has offsets as small.
        if !((dx < aw) & (dx > -bw) & (dy < ah) & (dy > -bh) & some) {
            return None;
        }
        let dy = if a.is_flipped() { ah - bh - dy } else { dy };
        let (top, bottom) = (dy.max(0), ah.min(dy + bh));
        let words = ((bottom - top) as u32).next_multiple_of(BLOCK) as usize;
        Some(Self { top, words, columns: (aw.min(dx + bw) - dx.max(0)) as u32, dy })
    }
}

/// `words` words of a strip from row `row` on, guards included.
#[inline(always)]
fn rows<'p>(mask: &MaskRef<'p>, strip: u32, row: u32, words: usize) -> &'p [u64] {
    let (pool, start) = mask.strip(strip);
    &pool[start + row as usize..][..words]
}

struct LaneArea<'p> {
    lane: Lane<'p>,
    reversed: bool,
}

impl Work for LaneArea<'_> {
    /// A mask has fewer than 2^32 pixels.
    type Answer = u32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u32 {
        match (self.lane.far.is_some(), self.reversed) {
            (false, false) => lane_area::<S, false, false>(simd, &self.lane),
            (true, false) => lane_area::<S, true, false>(simd, &self.lane),
            (false, true) => lane_area::<S, false, true>(simd, &self.lane),
            (true, true) => lane_area::<S, true, true>(simd, &self.lane),
        }
    }
}

#[inline(always)]
fn lane_area<S: Simd, const F: bool, const R: bool>(simd: S, lane: &Lane<'_>) -> u32 {
    let far = lane.far.unwrap_or(lane.near);
    let window = Window::<S, F, R>::of(simd, (lane.near, far, lane.right), lane.shift);
    area::area(&window, window.len())
}

/// The pixels set in both `a`, at (0, 0), and `b`, at `offset`: a mask of `a`'s size.
pub(crate) fn overlap_mask(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point) -> Mask {
    let mut both = Mask::clear_of(a.width(), a.height());
    share_on(level::preferred(), a, b, offset, &mut both);
    both
}

/// The same in `both`, whatever it was before.
pub(crate) fn overlap_mask_into(a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point, both: &mut Mask) {
    both.reset(a.width(), a.height());
    share_on(level::preferred(), a, b, offset, both);
}

/// Sets what both share in a clear mask of `a`'s size.
#[inline(always)]
fn share_on(level: Level, a: &MaskRef<'_>, b: &MaskRef<'_>, offset: Point, both: &mut Mask) {
    if a.is_flipped() | b.is_flipped() {
        both.draw(*a, [0, 0]);
        return both.intersect(*b, offset);
    }
    if let Some(meeting) = Meeting::new(a, b, offset) {
        on(level, Share { a, b, dx: offset.x, meeting, both });
    }
}

struct Share<'p, 'm> {
    a: &'p MaskRef<'p>,
    b: &'p MaskRef<'p>,
    dx: i32,
    meeting: Meeting,
    both: &'m mut Mask,
}

impl Work for Share<'_, '_> {
    type Answer = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { a, b, dx, meeting: Meeting { top, words, columns, dy }, both } = self;
        let (a_row, b_row) = (top as u32, (top - dy) as u32);
        // Strips that b does not reach stay clear.
        let left = dx.max(0) as u32;
        for s in left / WORD..strips_of(left + columns) {
            // The strip of b that this one begins in, and how far; it ends in the one after it.
            let column = (s * WORD) as i32 - dx;
            let (strip, shift) = (column >> WORD.ilog2(), column as u32 % WORD);
            // One that there is not counts as clear: its rows are those of another, masked out.
            let is_near = (0 <= strip) & (strip < b.strips() as i32);
            let is_far = (shift != 0) & (strip + 1 < b.strips() as i32);
            let near = rows(b, if is_near { strip as u32 } else { 0 }, b_row, words);
            let far = rows(b, if is_far { (strip + 1) as u32 } else { 0 }, b_row, words);
            let keep = |part: bool| u64::from(part).wrapping_neg();
            let keep_near = u64x8::splat(simd, keep(is_near));
            let keep_far = u64x8::splat(simd, keep(is_far));
            let own = rows(a, s, a_row, words).as_chunks().0;
            let target = both.strip_mut(s)[top as usize..][..words].as_chunks_mut().0;
            let parts = near.as_chunks().0.iter().zip(far.as_chunks().0);
            for (target, (own, (near, far))) in target.iter_mut().zip(own.iter().zip(parts)) {
                let near = (u64x8::load_array_ref(simd, near) & keep_near) >> shift;
                let far = (u64x8::load_array_ref(simd, far) & keep_far) << ((WORD - shift) % WORD);
                *target = ((near | far) & u64x8::load_array_ref(simd, own)).into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::dotted;
    use crate::narrow::naive;

    /// The masks of a pair, each way up.
    fn views<'m>(a: &'m Mask, b: &'m Mask) -> [[MaskRef<'m>; 2]; 4] {
        let (a, b) = (a.as_ref(), b.as_ref());
        [[a, b], [a.flip_y(), b], [a, b.flip_y()], [a.flip_y(), b.flip_y()]]
    }

    #[test]
    fn every_level_gives_the_area_and_the_mask_that_pixels_give() {
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
        for y in 0..a.height() {
            for x in 0..a.width() {
                let (u, v) = (x as i32, y as i32);
                truth.set(x, y, a.get(u, v) && inside(u, v));
            }
        }
        let area = naive::contact(a, b, offset).map_or(0, |contact| contact.area);
        assert_eq!(truth.count(), area);
        for simd in super::super::Simd::available() {
            let level = simd.level().unwrap();
            assert_eq!(
                area_on(level, &a, &b, offset),
                area,
                "{} {offset:?}\n{a:?}{b:?}",
                simd.name()
            );
            both.reset(a.width(), a.height());
            share_on(level, &a, &b, offset, both);
            // All words of both, guards too.
            assert_eq!(*both, truth, "{} {offset:?}\n{a:?}{b:?}", simd.name());
        }
        assert_eq!(a.overlap_mask(b, offset), truth);
    }
}
