//! All appearances of a scene, each stored once and shared, with the bits that select its pair tests and
//! a table of its poses.
//!
//! Thousands of colliders share a handful of appearances, so each collider stores the index of one. A
//! [sweep](Appearances::sweep) drops those that no collider shows any more, and renumbers the others.
//!
//! Invariants: equal appearances have one index. The sprite, frame and plane of an appearance exist
//! in the atlas. Its sprite id names the atlas. The arrays of [`Appearances`] have one length. No
//! answer depends on an index. An entry of the table is what [`PlaceContext::find`] returns for that
//! pose at the origin.

use crate::atlas::SpritePoses;
use crate::error::CallError;
use crate::geom::Point;
use crate::memory::clone_fields::clone_fields;
use crate::memory::vec_growth;
use crate::narrow::Accuracy;
use crate::pose::{self, Angle, Pose, Resolution};
use crate::scene::ColliderShape;
use crate::scene::collider::{Appearance, LeastOverlap};
use crate::scene::placement::{PlacedMask, snap};
use crate::scene::stock::{MaskSource, PlaceContext};
use std::collections::HashMap;
use std::sync::Arc;

/// The part of an appearance that selects the test of its pairs. Kept small, because every
/// candidate pair reads two of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairBits {
    layers: u32,
    collides_with: u32,
    /// The batch kernels that can test its pairs, and [`EXACT`](Self::EXACT). The bits of both
    /// colliders of a pair and of the world's accuracy are ANDed.
    pub(crate) kernels: u32,
}

impl PairBits {
    /// The touch kernel: one shared pixel is enough.
    pub(crate) const TOUCH: u32 = 1;
    /// The area kernel, which counts shared pixels: for sprites at exact accuracy whose least
    /// overlap is an area.
    pub(crate) const AREA: u32 = 2;
    /// The kernel of the coarse levels: for sprites at any accuracy but box. Tests pairs without
    /// [`EXACT`](Self::EXACT).
    pub(crate) const COARSE: u32 = 4;
    /// Not a kernel: set where the accuracy is exact.
    pub(crate) const EXACT: u32 = 8;

    /// Returns the bits of an appearance, whose least overlap is `least` in mask pixels.
    fn of(appearance: &Appearance, least: LeastOverlap) -> Self {
        let by_pixels = if least.is_any() {
            Self::TOUCH | Self::AREA
        } else if least.is_by_area() {
            Self::AREA
        } else {
            0
        };
        let kernels = match (appearance.shape, appearance.accuracy) {
            (ColliderShape::Mask(_), _) | (_, Accuracy::Box) => 0,
            (ColliderShape::Sprite(_), Accuracy::Coarse) => Self::COARSE,
            (ColliderShape::Sprite(_), Accuracy::Exact) => by_pixels | Self::COARSE | Self::EXACT,
        };
        // A disabled collider is on no layer.
        let enabled = if appearance.enabled { u32::MAX } else { 0 };
        let (layers, collides_with) =
            (appearance.layers & enabled, appearance.collides_with & enabled);
        Self { layers, collides_with, kernels }
    }

    /// Returns the bits that a world of this accuracy leaves to its pairs.
    #[inline(always)]
    pub(crate) const fn kernels_at(accuracy: Accuracy) -> u32 {
        match accuracy {
            Accuracy::Box => 0,
            Accuracy::Coarse => Self::COARSE,
            Accuracy::Exact => Self::TOUCH | Self::AREA | Self::COARSE | Self::EXACT,
        }
    }

    /// Returns true if pairs with these bits are tested by the coarse levels.
    #[inline(always)]
    pub(crate) const fn is_coarse(kernels: u32) -> bool {
        kernels & (Self::COARSE | Self::EXACT) == Self::COARSE
    }

    /// Returns true if two colliders with these bits may collide. A disabled one is on no layer.
    #[inline(always)]
    pub(crate) const fn can_collide(self, other: Self) -> bool {
        (self.layers & other.collides_with != 0) & (other.layers & self.collides_with != 0)
    }
}

/// Appearances that are added between two sweeps, at least.
const MIN_ADDED: usize = 64;
/// Slots of the world per appearance that is added between two sweeps, at most.
const SLOTS_PER_ADDED: usize = 16;

/// All appearances, by index.
#[derive(Debug)]
pub(crate) struct Appearances {
    all: Vec<Appearance>,
    /// The number of appearances from which the next sweep is due.
    sweep_from: usize,
    /// The atlas entry of each appearance; [`SpritePoses::NONE`] for a run-time mask. Apart from `all`, because it is read far more often.
    pub(crate) sprite_poses: Vec<SpritePoses>,
    pub(crate) poses: PoseTable,
    pub(crate) bits: Vec<PairBits>,
    least_overlaps: Vec<LeastOverlap>,
    resolution: Resolution,
    indices: HashMap<Appearance, u32>,
    /// For each appearance: the one that was looked up after it last. Animations and mirrored
    /// sprites repeat their sequence. Hashing an appearance takes twice as long as the rest of a
    /// `set`.
    likely_next: Vec<u32>,
    /// The AND of all [`PairBits::kernels`].
    pub(crate) common_kernels: u32,
    /// The OR of all [`PairBits::kernels`].
    pub(crate) any_kernels: u32,
    /// True while all appearances are those of moving sprites.
    all_moving_sprites: bool,
    /// Steps of a full turn, while all appearances have the same number.
    pub(crate) angles: Option<u32>,
    /// The AND of all `collides_with`.
    common_collides_with: u32,
    /// True while every appearance may collide with every other.
    pub(crate) all_collide: bool,
}

clone_fields!(
    [] Appearances {
        all, sweep_from, sprite_poses, poses, bits, least_overlaps, resolution, indices, likely_next,
        common_kernels, any_kernels, all_moving_sprites, angles, common_collides_with, all_collide
    }
);

impl Appearances {
    pub(crate) fn new(resolution: Resolution) -> Self {
        Self {
            all: Vec::new(),
            sweep_from: MIN_ADDED,
            sprite_poses: Vec::new(),
            poses: PoseTable::default(),
            bits: Vec::new(),
            least_overlaps: Vec::new(),
            resolution,
            indices: HashMap::new(),
            likely_next: Vec::new(),
            common_kernels: u32::MAX,
            any_kernels: 0,
            all_moving_sprites: true,
            angles: None,
            common_collides_with: u32::MAX,
            all_collide: true,
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: u32) -> &Appearance {
        &self.all[index as usize]
    }

    #[inline(always)]
    pub(crate) fn source(&self, index: u32) -> MaskSource {
        match self.get(index).shape {
            ColliderShape::Sprite(_) => MaskSource::Atlas(self.sprite_poses[index as usize]),
            ColliderShape::Mask(mask) => MaskSource::Mask(mask),
        }
    }

    /// Returns the placed mask of an appearance at a position, angle and scale. Equals
    /// [`PlaceContext::find`], but reads most poses from the table.
    pub(crate) fn placed(
        &self,
        context: &PlaceContext<'_>,
        index: u32,
        (position, angle, scale): ([f32; 2], Angle, f32),
    ) -> Result<PlacedMask, CallError> {
        let from_table = || {
            let sprite_poses = &self.sprite_poses[index as usize];
            let step = angle.step(sprite_poses.angles()).filter(|_| pose::is_size(scale))?;
            let nearest_scale = || context.records.poses().nearest_scale(sprite_poses, scale);
            let pose =
                self.poses.get(self.poses.appearances()[index as usize], step, nearest_scale)?;
            let Point { x, y } = snap(position, context.resolution)?;
            Some(pose.moved([x, y]))
        };
        match from_table() {
            Some(placed) => Ok(placed),
            None => context.find(self.source(index), (position, angle, scale)),
        }
    }

    /// Stores a pose of a sprite, placed at the origin, after it was drawn.
    pub(crate) fn store_pose(&mut self, of: &SpritePoses, pose: Pose, placed: PlacedMask) {
        self.poses.store(of, pose, placed);
    }

    /// Removes the poses that are no longer drawn from the table.
    pub(crate) fn forget_poses(&mut self, is_dropped: impl Fn(&PlacedMask) -> bool) {
        for entry in self.poses.entries_mut().filter(|entry| is_dropped(entry)) {
            *entry = PlacedMask::UNDRAWN;
        }
    }

    /// Changes the poses of the table, whose masks have moved.
    pub(crate) fn move_poses(&mut self, change: impl Fn(&mut PlacedMask)) {
        self.poses.entries_mut().for_each(change);
    }

    /// Returns true if all `indices` are valid and belong to moving sprites.
    #[inline(always)]
    pub(crate) fn are_moving_sprites(&self, indices: &[u32]) -> bool {
        if self.all_moving_sprites {
            // Every index of a collider is valid; only the index of an empty slot (`u32::MAX`) is
            // not.
            return indices.iter().fold(true, |all, &index| all & (index != u32::MAX));
        }
        indices.iter().fold(true, |all, &index| {
            all & self.all.get(index as usize).is_some_and(is_moving_sprite)
        })
    }

    /// Returns true if colliders of two appearances may collide, by layers and enabling.
    #[inline(always)]
    pub(crate) fn can_collide(&self, a: u32, b: u32) -> bool {
        self.bits[a as usize].can_collide(self.bits[b as usize])
    }

    /// Returns the least overlap of an appearance, in mask pixels.
    #[inline(always)]
    pub(crate) fn least_overlap(&self, index: u32) -> LeastOverlap {
        self.least_overlaps[index as usize]
    }

    /// Returns the index of `appearance`, if it has one. `from` is the index of the collider's
    /// present appearance, or of the collider before it. The successor of `from` is tried before
    /// the hash map.
    pub(crate) fn index_of(&mut self, appearance: &Appearance, from: Option<u32>) -> Option<u32> {
        let Self { all, indices, likely_next, .. } = self;
        let likely_next = from.and_then(|from| likely_next.get_mut(from as usize));
        let likely =
            likely_next.as_deref().copied().filter(|&next| all[next as usize] == *appearance);
        if likely.is_some() {
            return likely;
        }
        let index = *indices.get(appearance)?;
        if let Some(likely_next) = likely_next {
            *likely_next = index;
        }
        Some(index)
    }

    /// Returns the index of `appearance`, adding it if it is new. Its masks come from `source`.
    pub(crate) fn intern(
        &mut self,
        appearance: Appearance,
        source: MaskSource,
        context: &PlaceContext<'_>,
    ) -> Result<u32, CallError> {
        if let Some(index) = self.index_of(&appearance, None) {
            return Ok(index);
        }
        // `u32::MAX` marks an empty slot.
        let index = u32::try_from(self.all.len()).map_err(|_| CallError::Full)?;
        if index == u32::MAX {
            return Err(CallError::Full);
        }
        let sprite_poses = match source {
            MaskSource::Atlas(sprite_poses) => sprite_poses,
            MaskSource::Mask(_) => SpritePoses::NONE,
        };
        self.add(appearance, sprite_poses, context);
        Ok(index)
    }

    /// Adds an appearance that is not in the list.
    fn add(
        &mut self,
        appearance: Appearance,
        sprite_poses: SpritePoses,
        context: &PlaceContext<'_>,
    ) {
        let index = self.all.len() as u32;
        self.all_moving_sprites &= is_moving_sprite(&appearance);
        let least = LeastOverlap::new(appearance.min_overlap, self.resolution);
        let bits = PairBits::of(&appearance, least);
        self.least_overlaps.push(least);
        self.bits.push(bits);
        self.all.push(appearance);
        let others = if index == 0 { Some(sprite_poses.angles()) } else { self.angles };
        self.angles = others.filter(|&angles| angles == sprite_poses.angles());
        self.poses.add(&sprite_poses, context);
        self.sprite_poses.push(sprite_poses);
        self.indices.insert(appearance, index);
        // Its own successor, until another one is looked up after it.
        self.likely_next.push(index);
        self.common_kernels &= bits.kernels;
        self.any_kernels |= bits.kernels;
        let common_collides_with = self.common_collides_with & appearance.collides_with;
        // The earlier appearances agree already. Check them again only if the common bits shrank.
        let first_unchecked =
            if common_collides_with == self.common_collides_with { index as usize } else { 0 };
        self.common_collides_with = common_collides_with;
        self.all_collide = self.all_collide
            && self.bits[first_unchecked..]
                .iter()
                .all(|bits| bits.layers & common_collides_with != 0);
    }

    /// Returns true if a [`sweep`](Self::sweep) is due. The appearances that were added since the
    /// last one then repay its cost.
    #[inline(always)]
    pub(crate) const fn needs_sweep(&self) -> bool {
        self.all.len() >= self.sweep_from
    }

    /// Drops the appearances that no slot shows, and renumbers the others in `shown`, the appearance of
    /// each slot. Costs time for each slot and each appearance.
    #[cold]
    pub(crate) fn sweep(&mut self, shown: &mut [u32], context: &PlaceContext<'_>) {
        // Number of a dropped appearance, and of an empty slot.
        const DROPPED: u32 = u32::MAX;
        let mut numbers = vec![DROPPED; self.all.len()];
        for &index in shown.iter() {
            if let Some(number) = numbers.get_mut(index as usize) {
                *number = 0;
            }
        }
        let mut kept = Self::new(self.resolution);
        kept.poses = self.poses.without_appearances();
        for (number, (&appearance, &sprite_poses)) in
            numbers.iter_mut().zip(self.all.iter().zip(&self.sprite_poses))
        {
            if *number != DROPPED {
                *number = kept.all.len() as u32;
                kept.add(appearance, sprite_poses, context);
            }
        }
        for index in shown.iter_mut() {
            *index = numbers.get(*index as usize).copied().unwrap_or(DROPPED);
        }
        let count = kept.all.len();
        kept.sweep_from = count + MIN_ADDED.max(count).max(shown.len() / SLOTS_PER_ADDED);
        *self = kept;
    }
}

#[inline(always)]
const fn is_moving_sprite(appearance: &Appearance) -> bool {
    !appearance.fixed & matches!(appearance.shape, ColliderShape::Sprite(_))
}

/// Upper bound on poses of an appearance in the table, 64 KiB. Others are looked up.
const MAX_TABLE_POSES: usize = 1 << 12;

/// Marks a range without entries. It exceeds every index, even with a step added.
const NO_POSES: u32 = 1 << 31;

/// The table entries of an appearance, by scale, then by step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoseRange {
    first: u32,
    /// Steps for each scale; 0 if there is one scale.
    angles: u32,
}

/// The poses of all appearances. Those that differ only in rules share entries.
#[derive(Debug, Default)]
pub(crate) struct PoseTable {
    placed: Vec<PlacedMask>,
    appearances: Vec<PoseRange>,
    ranges: HashMap<SpritePoses, PoseRange>,
    /// Clones share it until one of them changes its entries or ranges. So those of one version are equal.
    version: Arc<()>,
}

impl Clone for PoseTable {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { placed, appearances, ranges, version } = source;
        self.appearances.clone_from(appearances);
        // Saves of one world mostly differ in no entry, of which there may be thousands.
        if !Arc::ptr_eq(&self.version, version) {
            self.placed.clone_from(placed);
            self.ranges.clone_from(ranges);
            self.version.clone_from(version);
        }
    }
}

impl PoseTable {
    /// Begins a new version. Called before each change of the entries or the ranges.
    fn change(&mut self) {
        if Arc::get_mut(&mut self.version).is_none() {
            self.version = Arc::default();
        }
    }

    pub(crate) fn add(&mut self, sprite_poses: &SpritePoses, context: &PlaceContext<'_>) {
        self.change();
        let Self { placed, appearances, ranges, .. } = self;
        appearances.push(
            *ranges
                .entry(*sprite_poses)
                .or_insert_with(|| PoseRange::new(placed, sprite_poses, context)),
        );
    }

    /// Takes the poses out of the table, without appearances. An atlas bounds their number.
    pub(crate) fn without_appearances(&mut self) -> Self {
        Self { appearances: Vec::new(), ..std::mem::take(self) }
    }

    /// Stores a pose of a sprite, placed at the origin, after it was drawn.
    pub(crate) fn store(&mut self, of: &SpritePoses, pose: Pose, placed: PlacedMask) {
        let Some(&range) = self.ranges.get(of) else { return };
        self.change();
        let at = range.first + range.angles * pose.scale + pose.step;
        if range.is_present()
            && let Some(entry) = self.placed.get_mut(at as usize)
        {
            *entry = placed;
        }
    }

    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = &mut PlacedMask> {
        self.change();
        self.placed.iter_mut()
    }

    #[inline(always)]
    pub(crate) fn appearances(&self) -> &[PoseRange] {
        &self.appearances
    }

    /// Returns the pose of a step and a scale in `range`; `None` if the range has no entries.
    #[inline(always)]
    pub(crate) fn get(
        &self,
        range: PoseRange,
        step: u32,
        scale: impl Fn() -> u32,
    ) -> Option<&PlacedMask> {
        // Most sprites have one scale, and need no look-up.
        let scaled = if range.angles == 0 { 0 } else { range.angles * scale() };
        self.placed.get((range.first + scaled + step) as usize)
    }
}

impl PoseRange {
    pub(crate) const fn is_present(self) -> bool {
        self.first < NO_POSES
    }

    fn new(
        placed: &mut Vec<PlacedMask>,
        sprite_poses: &SpritePoses,
        context: &PlaceContext<'_>,
    ) -> Self {
        let none = Self { first: NO_POSES, angles: 0 };
        let (start, angles, scales) = (placed.len(), sprite_poses.angles(), sprite_poses.scales());
        let count = angles as usize * scales as usize;
        if count > MAX_TABLE_POSES || start + count > NO_POSES as usize {
            return none;
        }
        vec_growth::reserve(placed, start + count);
        for scale in 0..scales {
            for step in 0..angles {
                let pose = context.place(sprite_poses, Pose { step, scale }, Point::default());
                let Some(pose) = pose else {
                    placed.truncate(start);
                    return none;
                };
                placed.push(pose);
            }
        }
        Self { first: start as u32, angles: if scales == 1 { 0 } else { angles } }
    }
}
