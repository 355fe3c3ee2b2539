//! Many pairs of one pool at once, in stages over chunks of [`CHUNK`] pairs, each stage a plain
//! loop over arrays without a branch on data.
//!
//! ```text
//! stage     copy the questions into arrays                                       stage.rs
//! apart     of lists with large masks: pairs that cannot touch, by their corners     apart.rs
//! geometry  where the rows lie that meet, 4 to 16 pairs at once                  geometry.rs
//! probe     for touches: one block of the middle; settles most hits              touches.rs
//! bucket    pairs by the number of blocks their kernel takes                     bucket.rs
//! run       the kernels, bucket by bucket                                touches.rs, run.rs
//! rows      of tall pairs only those that hold pixels of both                rows.rs, tall.rs
//! ```
//!
//! At 128 pixels and less, time goes into mispredicted branches and set-up, not into reading
//! masks: hence all this. What each stage gave, and what lost, is in `src/narrow/EXPERIMENTS.md`.
//!
//! What is asked is a [`Task`]: `touches.rs`, or a walk of all strips for the queries of `area.rs`
//! and `extent.rs`. The level is chosen once
//! for a call. Everything below is `#[inline(always)]` and takes the level's token: a function
//! that is not, or a closure called from two places, would be compiled without its instructions.
//!
//! Called by the atlas's batch, and by whoever else holds a checked pool. What is kept true: for
//! masks that lie in the pool as a checked atlas says, with the pool's first words zero, no query
//! panics, whatever the offset; answers equal those of single pairs.

mod across;
mod apart;
pub(super) mod area;
mod bucket;
mod carry_save;
mod columns;
pub(super) mod extent;
mod geometry;
mod list;
mod listed;
pub(super) mod place;
pub(super) mod query;
mod rows;
mod run;
mod share;
mod span;
mod stage;
mod strip;
mod tall;
mod task;
pub(super) mod touches;
pub(super) mod window;

use super::level::{Simd, with_level};
use super::overlap_masks::{OverlapMasks, Record};
use super::{Contact, First};
use crate::geom::{Point, Rect};
use crate::mask::Pool;
use area::Area;
use bucket::Buckets;
use bytemuck::Zeroable;
pub(crate) use columns::{Columns, Positions};
use fearless_simd::Level;
use geometry::Geometry;
use list::List;
pub(crate) use listed::Listed;
use share::Share;
use stage::{Source, Stage};
use tall::{SOME, Walk};
use task::{All, Task};
use touches::Touches;

/// Pairs that go through the stages together. Enough that a bucket holds several; few enough that
/// their arrays stay in the nearest cache.
pub(crate) const CHUNK: usize = 512;

/// Room in buckets that touches take: a third, which worlds have once for each thread.
const FEW: usize = bucket::room((geometry::NOBODY + geometry::TURNS) as usize);

/// Room in all buckets, for queries that walk all strips.
const ALL: usize = bucket::room(bucket::KEYS);

/// The arrays between the stages: 240 or 610 KiB, which no stack has to hold, nor a thread of
/// WebAssembly can.
#[derive(Zeroable)]
struct Scratch<const PAIRS: usize> {
    stage: Stage,
    geometry: Geometry,
    buckets: Buckets<PAIRS>,
    open: List,
    probed: List,
    /// Tall pairs, by whether right's rows run backwards.
    tall: [List; 2],
    walks: [Walk; SOME],
}

/// A batch narrow phase over one pool.
pub(crate) struct Engine {
    level: Level,
    /// For touches; made where it is asked for, as the other.
    few: Option<Box<Scratch<FEW>>>,
    /// For all else.
    all: Option<Box<Scratch<ALL>>>,
}

/// Has `scratch` made, where it is not yet.
fn ready<const PAIRS: usize>(scratch: &mut Option<Box<Scratch<PAIRS>>>) -> &mut Scratch<PAIRS> {
    scratch.get_or_insert_with(|| {
        let mut scratch: Box<Scratch<PAIRS>> = bytemuck::zeroed_box();
        scratch.buckets.clear();
        scratch
    })
}

impl Engine {
    pub(crate) fn new(simd: Simd) -> Self {
        Self { level: simd.level().unwrap_or_else(Level::new), few: None, all: None }
    }

    /// For each pair whether a pixel is set in both.
    pub(crate) fn touches(&mut self, pool: Pool<'_>, pairs: impl Source, answers: &mut [bool]) {
        let scratch = ready(&mut self.few);
        with_level!(self.level, simd => ask(simd, Touches, scratch, pool, pairs, answers));
    }

    /// For each pair whether at least `pixels` pixels are set in both.
    pub(crate) fn touches_by(
        &mut self,
        pixels: u32,
        pool: Pool<'_>,
        mut pairs: impl Source,
        answers: &mut [bool],
    ) {
        if pixels <= 1 {
            return self.touches(pool, pairs, answers);
        }
        for answers in answers.chunks_mut(CHUNK) {
            // An area that stays so is that of a pair there is not.
            let mut areas = [u64::MAX; CHUNK];
            self.ask(All(Area), pool, &mut pairs, &mut areas[..answers.len()]);
            for (answer, area) in answers.iter_mut().zip(areas) {
                *answer = if area == u64::MAX { *answer } else { area >= pixels.into() };
            }
        }
    }

    /// For each pair the number of pixels set in both.
    pub(crate) fn area(&mut self, pool: Pool<'_>, pairs: impl Source, answers: &mut [u64]) {
        self.ask(All(Area), pool, pairs, answers);
    }

    /// For each pair the tight box round the pixels set in both, in the first mask's pixels.
    pub(crate) fn rect(
        &mut self,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Rect>],
    ) {
        self.ask(All(extent::Box), pool, pairs, answers);
    }

    /// For each pair the first pixel set in both, in the first mask's pixels.
    pub(crate) fn point(
        &mut self,
        order: First,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Point>],
    ) {
        self.ask(All(extent::FirstPoint(order)), pool, pairs, answers);
    }

    /// For each pair box, area and topmost pixel, in the first mask's pixels.
    pub(crate) fn contact(
        &mut self,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [Option<Contact>],
    ) {
        self.ask(All(extent::Whole), pool, pairs, answers);
    }

    /// For each pair the pixels set in both.
    pub(crate) fn mask(
        &mut self,
        pool: Pool<'_>,
        (pairs, count): (impl Source, usize),
        masks: &mut OverlapMasks,
    ) {
        let OverlapMasks { records, room } = masks;
        room.empty();
        records.resize(count, Record::default());
        self.ask(Share(room), pool, pairs, records);
    }

    /// Once per batch: the best code for the level.
    fn ask<T: Task<ALL>>(
        &mut self,
        task: T,
        pool: Pool<'_>,
        pairs: impl Source,
        answers: &mut [T::Answer],
    ) {
        let scratch = ready(&mut self.all);
        with_level!(self.level, simd => ask(simd, task, scratch, pool, pairs, answers));
    }
}

#[inline(always)]
fn ask<S: fearless_simd::Simd, const PAIRS: usize, T: Task<PAIRS>>(
    simd: S,
    mut task: T,
    scratch: &mut Scratch<PAIRS>,
    pool: Pool<'_>,
    pairs: impl Source,
    answers: &mut [T::Answer],
) {
    simd.vectorize(
        #[inline(always)]
        move || {
            // A local, which registers can hold: what a closure captures lies in memory.
            let mut pairs = pairs;
            for answers in answers.chunks_mut(CHUNK) {
                let n = pairs.fill(simd, &mut scratch.stage, answers.len());
                task.run(simd, scratch, pool, &mut answers[..n]);
            }
        },
    );
}
