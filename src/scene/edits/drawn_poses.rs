//! Poses drawn on demand: draws the poses that colliders show for the first time, within a budget.
//!
//! ```text
//! mark     the poses that colliders show, by one pass over the slots
//! refuse   if these and the new ones exceed the budget
//! drop     the others, the longest unseen first, down to 7/8 of the budget
//! move     the rest together, if no gap is large enough or half of the memory is free
//! ```
//!
//! Called by the edits that place colliders, after they have checked their input and before they change
//! the scene. Room is made only when a new pose does not fit, and when the budget changes. Invariants:
//! a failed call leaves the colliders unchanged; poses that it has drawn may stay. A pose that a
//! collider shows is never dropped.

use crate::atlas::{Atlas, SpritePoses};
use crate::error::CallError;
use crate::geom::Point;
use crate::ids::ColliderId;
use crate::mask::{LINE_BYTES, MaskDescriptor, first_line, lines_of};
use crate::memory::number_hash::NumberMap;
use crate::pose::{self, Angle, Pose};
use crate::scene::placed::{Appearances, Placed, Slots};
use crate::scene::placement::snap;
use crate::scene::stock::{DrawnPiece, MaskSource, MissingPose, PoseArena, draw_missing};
use crate::scene::{Collider, PlacedMask, Placement, Scene};
use std::sync::Arc;

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

/// Number of colliders whose poses are looked up before some are drawn.
const WINDOW: usize = 256;

/// Number of poses that are drawn ahead before their size is known.
const FIRST_GROUP: usize = 8;

/// Bytes of the masks that are drawn between two questions of whether to go on, about 0.2 ms of one thread. Half of
/// it takes 1.3x the time per pose, because each group prepares its source masks again.
const GROUP_BYTES: u64 = 128 << 10;

/// What a call that draws poses ahead has done so far.
struct Progress {
    /// Bytes of the masks that it has drawn.
    bytes: u64,
    /// Number of poses of the next group.
    group: usize,
    /// Numbers of the poses that it has met. They stay when room is made.
    kept: Vec<u32>,
}

enum Leaving<'a> {
    /// None: the colliders stay as they are.
    None,
    /// The slot of a collider that shows a new pose.
    Slot(usize),
    /// The slots that a call places.
    Many(&'a BitSet),
}

impl Leaving<'_> {
    fn contains(&self, slot: usize) -> bool {
        match self {
            Self::None => false,
            Self::Slot(leaving) => *leaving == slot,
            Self::Many(slots) => slots.contains(slot),
        }
    }
}

/// One bit for each cache line of the arena, or for each slot.
struct BitSet(Vec<u64>);

impl BitSet {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }
}

impl Scene {
    /// Sets the most bytes of drawn masks; no limit with `None`.
    pub(crate) fn set_pose_budget(&mut self, bytes: Option<u64>) -> Result<(), CallError> {
        let before = std::mem::replace(&mut self.stock.poses.budget, bytes);
        let made = self.make_room(0, &Leaving::None, &[]);
        if made.is_err() {
            self.stock.poses.budget = before;
        }
        self.stock.poses.limit_growth();
        made
    }

    pub(crate) fn pose_stats(&self) -> PoseStats {
        let budget = self.stock.poses.budget;
        let none = PoseStats { budget, ..PoseStats::default() };
        self.stock.poses.arena().map_or(none, |arena| PoseStats {
            poses: arena.poses.len(),
            bytes: arena.bytes(),
            draws: arena.draws - self.stock.poses.draws_before,
            budget,
        })
    }

    /// Makes room for new poses of `lines` cache lines in total. Keeps the drawn poses that start at the
    /// lines `kept` as if colliders showed them. A call that fails changes nothing.
    fn make_room(
        &mut self,
        lines: u64,
        leaving: &Leaving<'_>,
        kept: &[usize],
    ) -> Result<(), CallError> {
        let Some(arena) = self.stock.poses.arena() else { return Ok(()) };
        let Some(budget) = self.stock.poses.budget else { return Ok(()) };
        if self.stock.poses.has_room(lines) {
            return Ok(());
        }
        let mut shown = self.shown_lines(arena, leaving);
        kept.iter().for_each(|&line| shown.set(line));
        let is_shown = |mask: MaskDescriptor| mask.size.is_empty() || shown.contains(line(mask));
        let masks = || arena.poses.values().map(|pose| pose.mask).filter(|mask| is_shown(*mask));
        let kept = lines + masks().map(|mask| u64::from(lines_of(mask.size))).sum::<u64>();
        let needed = arena.bytes_of_blocks(kept);
        if needed > budget {
            return Err(CallError::PoseBudget { needed, budget });
        }
        self.drop_poses(&shown, lines, budget);
        // A new pose may take the place of the one that the collider showed, and look like it.
        match leaving {
            Leaving::None => {}
            Leaving::Slot(slot) => self.changes.record_pixels(*slot, self.placed.slots.len()),
            Leaving::Many(_) => self.changes.record_all(),
        }
        Ok(())
    }

    /// Returns the lines at which the masks start that colliders show, without those of `leaving`.
    fn shown_lines(&self, arena: &PoseArena, leaving: &Leaving<'_>) -> BitSet {
        let mut shown = BitSet::new(arena.masks.lines() as usize);
        let moving = self.placed.slots.moving.iter().enumerate();
        let fixed = self.placed.slots.fixed.iter().map(|(slot, placed)| (*slot as usize, placed));
        for (slot, placed) in moving.chain(fixed) {
            if !leaving.contains(slot)
                && let Some(words) = placed.words()
            {
                shown.set(line_of(words));
            }
        }
        shown
    }

    /// Drops unseen poses for `lines` more, the longest unseen first, and closes useless gaps.
    fn drop_poses(&mut self, shown: &BitSet, lines: u64, budget: u64) {
        let Some(arena) = self.stock.poses.arena_mut() else { return };
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
        self.placed.appearances.forget_poses(is_dropped);
        let fits = u32::try_from(lines).is_ok_and(|lines| masks.has_block(lines));
        let is_over = (masks.lines() + lines) * LINE_BYTES > budget;
        if is_over && !(fits && lines > 0) || masks.free_lines > masks.lines() / 2 {
            self.close_gaps();
        }
    }

    /// Moves all poses together. The next update builds everything again.
    fn close_gaps(&mut self) {
        let Some(arena) = self.stock.poses.arena_mut() else { return };
        let PoseArena { masks, poses, .. } = arena;
        let mut all: Vec<&mut MaskDescriptor> =
            poses.values_mut().map(|pose| &mut pose.mask).collect();
        all.sort_unstable_by_key(|mask| mask.words);
        let before: Vec<u32> = all.iter().map(|mask| mask.words).collect();
        masks.compact(all.iter_mut().map(|mask| &mut **mask));
        let after = all.iter().map(|mask| mask.words);
        let moved: NumberMap<u32> = before.into_iter().zip(after).collect();
        self.stock.poses.limit_growth();
        let move_one = |placed: &mut PlacedMask| {
            if let Some(words) = placed.words().and_then(|words| moved.get(&words)) {
                placed.set_words(*words);
            }
        };
        self.placed.slots.moving.iter_mut().for_each(move_one);
        let fixed = Arc::make_mut(&mut self.placed.slots.fixed);
        fixed.iter_mut().for_each(|(_, placed)| move_one(placed));
        self.placed.appearances.move_poses(move_one);
        self.changes.record_all();
    }
}

/// Returns the line at which a mask starts, behind its levels.
const fn line(mask: MaskDescriptor) -> usize {
    debug_assert!(first_line(mask) as usize <= line_of(mask.words));
    line_of(mask.words)
}

/// Returns the line at which the mask of a drawn pose starts; `None` if it has no pixels.
fn line_of_pose(arena: &PoseArena, number: u32) -> Option<usize> {
    let mask = arena.poses.get(&number)?.mask;
    (!mask.size.is_empty()).then(|| line(mask))
}

const fn line_of(word: u32) -> usize {
    (word / MaskDescriptor::LINE_WORDS) as usize
}

impl Scene {
    /// Returns the placed mask of a sprite, with its pose drawn and stored in the table of
    /// `appearance`. `slot` is that of the collider, if any.
    #[cold]
    pub(super) fn show(
        &mut self,
        appearance: u32,
        slot: Option<usize>,
        (position, angle, scale): ([f32; 2], Angle, f32),
    ) -> Result<PlacedMask, CallError> {
        let Self { stock, placed, .. } = self;
        let source = placed.appearances.source(appearance);
        let shown = ShownPose::of(&stock.atlas, source, (angle, scale));
        let (Some(shown), Some(arena)) = (shown, stock.poses.arena()) else {
            return Err(CallError::of_angle(angle.to_radians()));
        };
        if !arena.contains(shown.number) {
            let lines = stock.poses.draw(&stock.atlas, shown.number)?;
            let has_block = stock.poses.arena().is_some_and(|arena| arena.masks.has_block(lines));
            stock.poses.check_filling(lines)?;
            if stock.poses.budget.is_some() && !has_block {
                let leaving = slot.map_or(Leaving::None, Leaving::Slot);
                self.make_room(lines.into(), &leaving, &[])?;
            }
            self.stock.poses.store_drawn(shown.number)?;
        }
        let lattice = snap(position, self.stock.resolution());
        let Point { x, y } = lattice.ok_or(CallError::Position(position))?;
        let arena = self.stock.poses.arena();
        let stored = arena.and_then(|arena| shown.store(arena, &mut self.placed.appearances));
        Ok(stored.ok_or_else(|| CallError::of_angle(angle.to_radians()))?.moved([x, y]))
    }

    /// Draws the poses that the valid `placements` at `undrawn` show for the first time.
    #[cold]
    pub(super) fn show_all(
        &mut self,
        ids: &[ColliderId],
        placements: &[Placement],
        undrawn: &[usize],
    ) -> Result<(), CallError> {
        let Some(arena) = self.stock.poses.arena() else { return Ok(()) };
        let shown = |&item: &usize| {
            let (slot, angle) = (ids[item].slot(), placements[item].angle);
            Some((item, ShownPose::in_slot(&self.stock.atlas, &self.placed, (slot, angle))?))
        };
        let shown: Vec<(usize, ShownPose)> = undrawn.iter().filter_map(shown).collect();
        let missing = missing_poses(arena, &shown);
        let failed = |(index, cause): (usize, CallError)| cause.of_item(index);
        let drawn = draw_missing(&self.stock.atlas, &missing).map_err(failed)?;
        if let (Some(_), Some(first)) =
            (self.stock.poses.budget, missing.iter().map(|one| one.item).min())
        {
            let lines = drawn.iter().map(DrawnPiece::lines).sum();
            let made = self.make_room_for_all(lines, ids, placements);
            made.map_err(|cause| failed((first, cause)))?;
        }
        self.stock.poses.store_all(&drawn).map_err(failed)?;
        let Some(arena) = self.stock.poses.arena() else { return Ok(()) };
        for (_, shown) in shown {
            shown.store(arena, &mut self.placed.appearances);
        }
        Ok(())
    }

    /// Draws the poses of placed colliders, and places these again. Drawing cannot fail here.
    #[cold]
    pub(super) fn draw_placed(&mut self, slots: &[u32]) {
        let Self { stock, placed, .. } = self;
        let (atlas, resolution) = (&stock.atlas, stock.atlas.resolution());
        let Some(arena) = stock.poses.arena() else { return };
        let shown = |&slot: &u32| {
            let (slot, angle) = (slot as usize, placed.slots.angles[slot as usize]);
            Some((slot, ShownPose::in_slot(atlas, placed, (slot, angle))?))
        };
        let shown: Vec<(usize, ShownPose)> = slots.iter().filter_map(shown).collect();
        if let Ok(drawn) = draw_missing(atlas, &missing_poses(arena, &shown)) {
            // Fails beyond 32 GiB only. Such a pose has no pixels.
            let _ = stock.poses.store_all(&drawn);
        }
        let Some(arena) = stock.poses.arena() else { return };
        for (slot, shown) in shown {
            let stored = shown.store(arena, &mut placed.appearances);
            let lattice = snap(placed.slots.positions[slot], resolution);
            let Point { x, y } = lattice.unwrap_or_default();
            placed.slots.moving[slot] =
                stored.map(|stored| stored.moved([x, y])).unwrap_or_default();
        }
    }

    /// Draws the poses that `colliders` would show, in their order, while `go_on` returns true. It is asked
    /// before each group of poses, and gets the bytes drawn so far. Returns the number of colliders at the
    /// front whose poses are drawn.
    pub(crate) fn draw_ahead(
        &mut self,
        colliders: &[Collider],
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<usize, CallError> {
        let mut progress = Progress { bytes: 0, group: FIRST_GROUP, kept: Vec::new() };
        for (window, colliders) in colliders.chunks(WINDOW).enumerate() {
            let mut undrawn = Vec::new();
            for (item, collider) in (window * WINDOW..).zip(colliders) {
                let source = self.check(collider).map_err(|cause| cause.of_item(item))?;
                let pose = (collider.angle, collider.scale);
                if let Some(shown) = ShownPose::of(&self.stock.atlas, source, pose)
                    && let Some(arena) = self.stock.poses.arena()
                {
                    progress.kept.push(shown.number);
                    if !arena.contains(shown.number) {
                        undrawn.push((item, shown));
                    }
                }
            }
            let Some(arena) = self.stock.poses.arena().filter(|_| !undrawn.is_empty()) else {
                continue;
            };
            let mut missing = missing_poses(arena, &undrawn);
            missing.sort_unstable_by_key(|missing| missing.item);
            let stopped = self.draw_groups(&missing, &mut progress, go_on);
            if let Some(arena) = self.stock.poses.arena() {
                for (_, shown) in undrawn {
                    shown.store(arena, &mut self.placed.appearances);
                }
            }
            if let Some(item) = stopped? {
                return Ok(item);
            }
        }
        Ok(colliders.len())
    }

    /// Draws missing poses in groups, while `go_on` returns true. Returns the item at which it stopped.
    fn draw_groups(
        &mut self,
        missing: &[MissingPose],
        progress: &mut Progress,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<usize>, CallError> {
        let failed = |(item, cause): (usize, CallError)| cause.of_item(item);
        let mut rest = missing;
        while let [next, ..] = rest {
            if !go_on(progress.bytes) {
                return Ok(Some(next.item));
            }
            let (group, later) = rest.split_at(progress.group.min(rest.len()));
            let drawn = draw_missing(&self.stock.atlas, group).map_err(failed)?;
            let lines = drawn.iter().map(DrawnPiece::lines).sum();
            if !self.stock.poses.has_room(lines) {
                let arena = self.stock.poses.arena();
                let line = |&number: &u32| line_of_pose(arena?, number);
                let kept: Vec<usize> = progress.kept.iter().filter_map(line).collect();
                let made = self.make_room(lines, &Leaving::None, &kept);
                made.map_err(|cause| failed((next.item, cause)))?;
            }
            self.stock.poses.store_all(&drawn).map_err(failed)?;
            let bytes = (lines * LINE_BYTES).max(1);
            progress.bytes += bytes;
            progress.group = ((group.len() as u64 * GROUP_BYTES / bytes) as usize).max(1);
            rest = later;
        }
        Ok(None)
    }

    /// Makes room for `lines` cache lines, while the colliders of `ids` leave their poses.
    fn make_room_for_all(
        &mut self,
        lines: u64,
        ids: &[ColliderId],
        placements: &[Placement],
    ) -> Result<(), CallError> {
        let Some(arena) = self.stock.poses.arena() else { return Ok(()) };
        let mut slots = BitSet::new(self.placed.slots.len());
        let mut lines_shown = Vec::new();
        for (id, placement) in ids.iter().zip(placements) {
            slots.set(id.slot());
            let at = (id.slot(), placement.angle);
            let shown = ShownPose::in_slot(&self.stock.atlas, &self.placed, at);
            lines_shown.extend(shown.and_then(|shown| line_of_pose(arena, shown.number)));
        }
        self.make_room(lines, &Leaving::Many(&slots), &lines_shown)
    }
}

/// The pose that a sprite shows at an angle and a scale.
#[derive(Clone, Copy)]
struct ShownPose {
    sprite_poses: SpritePoses,
    pose: Pose,
    /// Its number in the atlas.
    number: u32,
}

impl ShownPose {
    /// Returns `None` for a run-time mask.
    fn of(atlas: &Atlas, source: MaskSource, (angle, scale): (Angle, f32)) -> Option<Self> {
        let MaskSource::Atlas(sprite_poses) = source else { return None };
        let scales = atlas.records().poses().scales(&sprite_poses);
        let pose = pose::nearest(sprite_poses.angles(), scales, angle, scale)?;
        let number = sprite_poses.pose_id(pose)?.index() as u32;
        Some(Self { sprite_poses, pose, number })
    }

    /// Returns what the collider in a slot shows at an angle.
    fn in_slot(atlas: &Atlas, placed: &Placed, (slot, angle): (usize, Angle)) -> Option<Self> {
        let Slots { appearances, scales, .. } = &placed.slots;
        Self::of(atlas, placed.appearances.source(appearances[slot]), (angle, scales[slot]))
    }

    /// Stores the drawn pose in the table of poses. Returns it at the origin.
    fn store(self, arena: &PoseArena, appearances: &mut Appearances) -> Option<PlacedMask> {
        let located = arena.locate(&self.sprite_poses, self.pose)?;
        let placed = PlacedMask::located(located, Point::default());
        appearances.store_pose(&self.sprite_poses, self.pose, placed);
        Some(placed)
    }
}

/// Returns the poses that are not drawn yet, each with the first item that shows it.
fn missing_poses(arena: &PoseArena, shown: &[(usize, ShownPose)]) -> Vec<MissingPose> {
    let missing = shown.iter().filter(|(_, shown)| !arena.contains(shown.number));
    MissingPose::in_order(
        missing.map(|&(item, shown)| MissingPose { number: shown.number, item }).collect(),
    )
}
