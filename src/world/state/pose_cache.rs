//! All poses of what colliders show, each found once: to place one of many is then to look it up.
//!
//! Kept by the looks, asked where many are placed. What is kept true: an entry is where
//! [`Placed::find`] puts a look at that pose, at the origin.

use crate::atlas::{Cast, Poses};
use crate::geom::Point;
use crate::memory::vec_growth;
use crate::pose::Pose;
use crate::world::state::placement::Placed;
use std::collections::HashMap;

/// Poses of a look in the table, at most: 64 KiB. Where there are more they are found one by one.
const MOST: usize = 1 << 12;

/// Beyond every entry, and any step after it.
const NOWHERE: u32 = 1 << 31;

/// Where the poses of a look are: by scale, then by step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries {
    first: u32,
    /// Steps to a scale; 0 where there is one scale.
    angles: u32,
}

/// Poses by look. 16 bytes for each, and once for all looks that differ in their rules alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct PoseTable {
    placed: Vec<Placed>,
    /// Of each look.
    looks: Vec<Entries>,
    known: HashMap<Cast, Entries>,
}

impl PoseTable {
    /// Adds the poses of the next look.
    pub(crate) fn add(&mut self, cast: &Cast, poses: &Poses<'_>) {
        let Self { placed, looks, known } = self;
        looks.push(*known.entry(*cast).or_insert_with(|| Entries::new(placed, cast, poses)));
    }

    /// Where the poses of each look are.
    #[inline(always)]
    pub(crate) fn looks(&self) -> &[Entries] {
        &self.looks
    }

    /// A look's pose, of its `entries`, at a step and a scale that it has; `None` where it has none.
    #[inline(always)]
    pub(crate) fn get(
        &self,
        entries: Entries,
        step: u32,
        scale: impl Fn() -> u32,
    ) -> Option<&Placed> {
        // Most sprites have one scale, and nothing to look up.
        let scaled = if entries.angles == 0 { 0 } else { entries.angles * scale() };
        self.placed.get((entries.first + scaled + step) as usize)
    }
}

impl Entries {
    /// True where there are any.
    pub(crate) const fn are_there(self) -> bool {
        self.first < NOWHERE
    }

    fn new(placed: &mut Vec<Placed>, cast: &Cast, poses: &Poses<'_>) -> Self {
        let nowhere = Self { first: NOWHERE, angles: 0 };
        let (start, angles, scales) = (placed.len(), cast.angles(), cast.scales());
        let count = angles as usize * scales as usize;
        if count > MOST || start + count > NOWHERE as usize {
            return nowhere;
        }
        vec_growth::make(placed, start + count);
        for scale in 0..scales {
            for step in 0..angles {
                let Some(located) = poses.at(cast, Pose { step, scale }) else {
                    placed.truncate(start);
                    return nowhere;
                };
                placed.push(Placed::located(located, Point::default()));
            }
        }
        Self { first: start as u32, angles: if scales == 1 { 0 } else { angles } }
    }
}
