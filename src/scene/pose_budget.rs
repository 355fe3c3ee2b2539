//! The budget of drawn poses: makes room by dropping poses that no collider shows.
//!
//! ```text
//! mark     the poses that colliders show, by one pass over the slots
//! refuse   if these and the new ones exceed the budget
//! drop     the others, the longest unseen first, down to 7/8 of the budget
//! move     the rest together, if no gap is large enough or half of the memory is free
//! ```
//!
//! Called by `show` when a new pose does not fit, and when the budget changes. A frame that draws
//! nothing never comes here. Invariant: a pose that a collider shows is never dropped.

use crate::mask::{LINE_BYTES, MaskDescriptor, first_line, lines_of};
use crate::memory::number_hash::NumberMap;
use crate::scene::placement::PlacedMask;
use crate::scene::pose_arena::PoseArena;
use crate::scene::shown_poses::ShownPoses;
use crate::scene::{PlaceError, Scene};

/// Figures about the poses that a [`World`](crate::World) over an undrawn atlas, or over several atlases, has drawn:
/// [`World::pose_stats`](crate::World::pose_stats). The numbers are 0 over a single drawn atlas.
///
/// ```
/// # use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
/// let bake = AtlasBuilder::new().mask("tile", Mask::solid(8, 8)?).compact(true);
/// let atlas = Atlas::from_vec(bake.to_bytes()?)?;
/// let tile = Collider::new(atlas.sprite_id("tile").unwrap());
/// let mut world = World::new(atlas);
/// world.insert(tile)?;
/// world.insert(tile.turned(0.5))?;
/// let stats = world.pose_stats();
/// assert_eq!((stats.poses, stats.draws), (2, 2));
/// world.update();
/// assert_eq!((world.pose_stats().poses, world.pose_stats().draws), (2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PoseStats {
    /// Number of poses that are drawn at present, shown or not.
    pub poses: usize,
    /// Bytes of their masks, unused gaps between them included.
    pub bytes: u64,
    /// Number of poses drawn since the last update.
    pub draws: u64,
    /// Largest [`bytes`](Self::bytes): the budget of
    /// [`AtlasesMut::set_pose_budget`](crate::AtlasesMut::set_pose_budget).
    pub budget: Option<u64>,
}

pub(crate) enum Leaving<'a> {
    /// None: the colliders stay as they are.
    None,
    /// The slot of a collider that shows a new pose.
    Slot(usize),
    /// The slots that a call places, and the lines of the drawn poses that they will show.
    Many { slots: &'a BitSet, shown: &'a [usize] },
}

impl Leaving<'_> {
    fn contains(&self, slot: usize) -> bool {
        match self {
            Self::None => false,
            Self::Slot(leaving) => *leaving == slot,
            Self::Many { slots, .. } => slots.contains(slot),
        }
    }
}

/// One bit for each cache line of the arena, or for each slot.
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub(crate) fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

impl Scene {
    /// Sets the most bytes of drawn masks; no limit with `None`.
    pub(crate) fn set_pose_budget(&mut self, bytes: Option<u64>) -> Result<(), PlaceError> {
        let before = std::mem::replace(&mut self.poses.budget, bytes);
        let made = self.make_room(0, &Leaving::None);
        if made.is_err() {
            self.poses.budget = before;
        }
        self.poses.limit_growth();
        made
    }

    pub(crate) fn pose_stats(&self) -> PoseStats {
        let budget = self.poses.budget;
        let none = PoseStats { budget, ..PoseStats::default() };
        self.poses.arena().map_or(none, |arena| PoseStats {
            poses: arena.poses.len(),
            bytes: arena.bytes(),
            draws: arena.draws,
            budget,
        })
    }

    /// Makes room for new poses of `lines` cache lines in total. A call that fails changes nothing.
    pub(crate) fn make_room(
        &mut self,
        lines: u64,
        leaving: &Leaving<'_>,
    ) -> Result<(), PlaceError> {
        let Some(arena) = self.poses.arena() else { return Ok(()) };
        let Some(budget) = self.poses.budget else { return Ok(()) };
        if arena.bytes_with(lines) <= budget {
            return Ok(());
        }
        let shown = self.shown_lines(arena, leaving);
        let is_shown = |mask: MaskDescriptor| mask.size.is_empty() || shown.contains(line(mask));
        let masks = || arena.poses.values().map(|pose| pose.mask).filter(|mask| is_shown(*mask));
        let kept = lines + masks().map(|mask| u64::from(lines_of(mask.size))).sum::<u64>();
        let needed = arena.bytes_of_blocks(kept);
        if needed > budget {
            return Err(PlaceError::PoseBudget { needed, budget });
        }
        self.drop_poses(&shown, lines, budget);
        // A new pose may take the place of the one that the collider showed, and look like it.
        match leaving {
            Leaving::None => {}
            Leaving::Slot(slot) => self.changed(*slot),
            Leaving::Many { .. } => self.dirty.add_all(),
        }
        Ok(())
    }

    /// Returns the lines at which the masks start that colliders show, or will show.
    fn shown_lines(&self, arena: &PoseArena, leaving: &Leaving<'_>) -> BitSet {
        let mut shown = BitSet::new(arena.masks.lines() as usize);
        let moving = self.slots.moving.iter().enumerate();
        let fixed = self.slots.fixed.iter().map(|(slot, placed)| (*slot as usize, placed));
        for (slot, placed) in moving.chain(fixed) {
            if !leaving.contains(slot)
                && let Some(words) = placed.words()
            {
                shown.set(line_of(words));
            }
        }
        if let Leaving::Many { shown: lines, .. } = leaving {
            lines.iter().for_each(|&line| shown.set(line));
        }
        shown
    }

    /// Drops unseen poses for `lines` more, the longest unseen first, and closes useless gaps.
    fn drop_poses(&mut self, shown: &BitSet, lines: u64, budget: u64) {
        let Some(arena) = self.poses.arena_mut() else { return };
        let PoseArena { masks, poses, epoch, .. } = arena;
        let mut unseen = Vec::new();
        for (&number, pose) in poses.iter_mut().filter(|(_, pose)| !pose.mask.size.is_empty()) {
            if shown.contains(line(pose.mask)) {
                pose.epoch = *epoch;
            } else {
                unseen.push((pose.epoch, number));
            }
        }
        // Sorted by number too, so that the poses that stay do not depend on the map.
        unseen.sort_unstable();
        *epoch = epoch.wrapping_add(1);
        let goal = (budget - budget / 8) / LINE_BYTES;
        let mut dropped = BitSet::new(masks.lines() as usize);
        for (_, number) in unseen {
            if masks.lines() - masks.free_lines + lines <= goal {
                break;
            }
            if let Some(pose) = poses.remove(&number) {
                dropped.set(line(pose.mask));
                masks.remove(pose.mask);
            }
        }
        let is_dropped = |placed: &PlacedMask| {
            placed.words().is_some_and(|words| dropped.contains(line_of(words)))
        };
        self.appearances.forget_poses(is_dropped);
        let fits = u32::try_from(lines).is_ok_and(|lines| masks.has_block(lines));
        let is_over = (masks.lines() + lines) * LINE_BYTES > budget;
        if is_over && !(fits && lines > 0) || masks.free_lines > masks.lines() / 2 {
            self.close_gaps();
        }
    }

    /// Moves all poses together. The next update builds everything again.
    fn close_gaps(&mut self) {
        let Some(arena) = self.poses.arena_mut() else { return };
        let PoseArena { masks, poses, .. } = arena;
        let mut all: Vec<&mut MaskDescriptor> =
            poses.values_mut().map(|pose| &mut pose.mask).collect();
        all.sort_unstable_by_key(|mask| mask.words);
        let before: Vec<u32> = all.iter().map(|mask| mask.words).collect();
        masks.compact(all.iter_mut().map(|mask| &mut **mask));
        let after = all.iter().map(|mask| mask.words);
        let moved: NumberMap<u32> = before.into_iter().zip(after).collect();
        self.poses.limit_growth();
        let move_one = |placed: &mut PlacedMask| {
            if let Some(words) = placed.words().and_then(|words| moved.get(&words)) {
                placed.set_words(*words);
            }
        };
        self.slots.moving.iter_mut().for_each(move_one);
        self.slots.fixed.iter_mut().for_each(|(_, placed)| move_one(placed));
        self.appearances.move_poses(move_one);
        self.dirty.add_all();
        self.dirty.add_fixed();
    }
}

impl ShownPoses {
    /// Keeps the spare capacity of the masks within the budget.
    fn limit_growth(&mut self) {
        let lines = self.budget.map(|budget| budget / LINE_BYTES);
        let lines = lines.and_then(|lines| usize::try_from(lines).ok());
        if let Some(arena) = self.arena_mut() {
            arena.masks.set_max_lines(lines);
        }
    }
}

/// Returns the line at which a mask starts, behind its levels.
const fn line(mask: MaskDescriptor) -> usize {
    debug_assert!(first_line(mask) as usize <= line_of(mask.words));
    line_of(mask.words)
}

pub(crate) const fn line_of(word: u32) -> usize {
    (word / MaskDescriptor::LINE_WORDS) as usize
}
