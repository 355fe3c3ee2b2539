//! The world: sprites placed on the plane, and which of them touch.
//!
//! ```text
//! insert, set    look up the appearance and the pose once, compute the box          state
//! update         boxes -> pairs -> touching pairs in order -> began and ended       step
//! queries        search the index of the last update, then what changed since       query, motion
//! ```
//!
//! What is kept true: a call that fails leaves the world as it was; answers depend on the calls
//! made alone, not on threads, instruction sets or the history of the memory.

mod collider;
mod debug;
mod error;
mod motion;
mod query;
mod runtime_masks;
mod snapshot;
mod state;
mod step;

pub use collider::{Collider, ColliderId, MaskId, Pair, Placement, Shape};
pub use debug::explain::{DecidedBy, ExplainedCollider, Explanation};
pub use debug::validate::InvariantViolation;
pub use error::{BulkPlaceError, PlaceError};
pub use motion::cast::Hit;
pub use motion::character_move::{MoveResult, MoveRules};
#[cfg(feature = "rstar")]
pub use query::rstar_interop::ColliderBox;
pub use query::zones::Filter;
pub use snapshot::SnapshotError;
pub use step::update::UpdateTimings;

use crate::atlas::Atlas;
use crate::geom::Rect;
use crate::narrow::Accuracy;
use crate::raster::PosedRef;
use runtime_masks::mask_store::Masks;
use state::appearance::{Appearance, Appearances};

use state::placement::{PlaceContext, PlacedMask};
use state::slots::{DirtySet, Slots};

/// Most colliders that a world holds at a time.
pub const MAX_COLLIDERS: usize = (1 << 31) - 1;

/// Colliders on the plane, and which of them touch.
///
/// Insert and move colliders at any time; [`update`](Self::update), once per tick, finds every
/// touching pair.
///
/// Memory: about 95 bytes a collider and 40 for each touching pair, all told, and for each thread
/// half a megabyte, or one where a collider has a [`min_overlap`](Collider::min_overlap). Besides 16
/// bytes for each pose of each frame, plane and flip that was ever shown, a kilobyte at 64 steps of a
/// turn; none of those with more than 4,096. Nothing is allocated once the largest update has been seen
/// and whatever is shown has been shown.
///
/// ```
/// use hitmask::{Atlas, Bake, Collider, Mask, World};
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// let atlas = Atlas::from_vec(Bake::new().mask("arrow", arrow).to_bytes()?)?;
/// let arrow = atlas.sprite_id("arrow").unwrap();
///
/// let mut world = World::new(atlas);
/// let a = world.insert(Collider::new(arrow).at([10.0, 10.0]))?;
/// let b = world.insert(Collider::new(arrow).at([11.0, 10.4]).turned(0.3))?;
/// world.update();
/// for pair in world.touching() {
///     assert_eq!((pair.a, pair.b), (a, b));
///     println!("{:?}", world.contact(pair));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Units
/// Numbers in f32 and f64, such as positions, motions, radii and distances, are in pixels, as
/// [`Collider::position`] is. Whole numbers, rectangles, zones, lines and masks are in mask pixels: those
/// of [`rect`](Self::rect), of contacts and impacts, and whatever [`Point`](crate::Point) comes in or
/// out. The two are the same unless the atlas was baked at a
/// [resolution](crate::Bake::resolution) other than 1: then divide mask pixels by
/// [`Atlas::resolution`](crate::Atlas::resolution) to have pixels.
///
/// # Which calls follow accuracies
/// [`Collider::accuracy`], [`Collider::min_overlap`] and [`set_accuracy`](Self::set_accuracy) decide what
/// counts as touching. [`update`](Self::update), [`touching_with`](Self::touching_with),
/// [`touching_between`](Self::touching_between) and [`explain`](Self::explain) follow all three.
/// [`contact`](Self::contact) follows the accuracies only. Motions, casts and queries test pixels, and
/// one shared pixel is enough. The [`Filter`] of a query may ask for boxes.
#[derive(Clone, Debug)]
pub struct World {
    atlas: Atlas,
    accuracy: Accuracy,
    slots: Slots,
    appearances: Appearances,
    masks: Masks,
    dirty: DirtySet,
    finder: step::pair_finder::PairFinder,
    touching: Vec<Pair>,
    /// What touched at the update before.
    before: Vec<Pair>,
    began: Vec<Pair>,
    ended: Vec<Pair>,
    events: step::events::Events,
}

impl World {
    /// A world without colliders, over the sprites of `atlas`.
    #[must_use]
    pub fn new(atlas: Atlas) -> Self {
        // Made ready now, not in the first update.
        let _ = atlas.pool();
        Self {
            atlas,
            accuracy: Accuracy::default(),
            slots: Slots::default(),
            appearances: Appearances::default(),
            masks: Masks::default(),
            dirty: DirtySet::default(),
            finder: step::pair_finder::PairFinder::default(),
            touching: Vec::new(),
            before: Vec::new(),
            began: Vec::new(),
            ended: Vec::new(),
            events: step::events::Events::default(),
        }
    }

    /// How closely pairs are looked at at most, from the next [`update`](Self::update) or
    /// [`contact`](Self::contact) on: colliders that ask for less get less. The default is
    /// [`Accuracy::Exact`]. Moves, casts and queries look at pixels in any case:
    /// [which calls follow accuracies](Self#which-calls-follow-accuracies).
    pub fn set_accuracy(&mut self, accuracy: Accuracy) {
        self.accuracy = accuracy;
    }

    /// How closely pairs are looked at.
    #[must_use]
    pub const fn accuracy(&self) -> Accuracy {
        self.accuracy
    }

    /// The atlas whose sprites are placed here.
    #[must_use]
    pub const fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Adds a collider.
    ///
    /// # Errors
    /// [`PlaceError`] where it cannot be placed; the world is then as it was.
    pub fn insert(&mut self, collider: Collider) -> Result<ColliderId, PlaceError> {
        let (appearance, placed) =
            self.resolve(&collider, self.slots.appearances.last().copied())?;
        let slot = self.slots.take()?;
        self.slots.put(slot, &collider, appearance, placed);
        self.changed(slot);
        Ok(self.slots.id(slot as u32))
    }

    /// Moves or otherwise changes a collider: some 50 nanoseconds where it shows what it did, 70 where it
    /// shows what followed that the last time, as the frames of an animation do, and else 140.
    /// [`set_placements`](Self::set_placements) moves many in less than a fifth of that each.
    ///
    /// # Errors
    /// [`PlaceError`] where it cannot be placed so, or where `id` is no longer in the world; the
    /// world is then as it was.
    pub fn set(&mut self, id: ColliderId, collider: Collider) -> Result<(), PlaceError> {
        let slot = self.slots.find(id).ok_or(PlaceError::Stale(id))?;
        let present = self.slots.appearances[slot];
        // As a rule it shows what it did: then nothing has to be looked up.
        let (appearance, placed) = if *self.appearances.get(present) == Appearance::of(&collider) {
            (present, self.placed(&collider, present)?)
        } else {
            self.resolve(&collider, Some(present))?
        };
        // It may have been fixed: then what is fixed changes too.
        if appearance != present {
            self.changed(slot);
        }
        self.slots.put(slot, &collider, appearance, placed);
        self.changed(slot);
        Ok(())
    }

    /// Moves a collider to a position, in the units of positions; all else stays as it is.
    ///
    /// # Errors
    /// [`PlaceError`] if the position is not finite or out of range, or if `id` is stale. The world is
    /// then unchanged.
    pub fn move_to(
        &mut self,
        id: ColliderId,
        position: impl Into<[f32; 2]>,
    ) -> Result<(), PlaceError> {
        let collider = self.get(id).ok_or(PlaceError::Stale(id))?;
        self.set(id, collider.at(position))
    }

    /// Takes a collider out; `None` where `id` is no longer in the world. Its id stays stale for
    /// ever, or until its slot has been used 2^32 times.
    pub fn remove(&mut self, id: ColliderId) -> Option<Collider> {
        let slot = self.slots.find(id)?;
        let collider = self.slots.collider(&self.appearances, slot);
        self.changed(slot);
        self.slots.free(slot);
        Some(collider)
    }

    /// The collider of this id; `None` where it is no longer in the world.
    #[must_use]
    pub fn get(&self, id: ColliderId) -> Option<Collider> {
        self.slots.find(id).map(|slot| self.slots.collider(&self.appearances, slot))
    }

    /// The tight box of a collider's pixels, in mask pixels; `None` where `id` is no longer in
    /// the world or nothing of it is solid.
    #[must_use]
    pub fn rect(&self, id: ColliderId) -> Option<Rect> {
        self.slots.find(id).map(|slot| self.slots.rect(slot)).filter(|rect| !rect.is_empty())
    }

    /// A collider's posed mask, with its origin in mask pixels; `None` where `id` is no longer in
    /// the world. The mask is trimmed to the tight box where it comes from the atlas; one made at
    /// run time is as large as it was made.
    #[must_use]
    pub fn posed(&self, id: ColliderId) -> Option<PosedRef<'_>> {
        self.slots.find(id).map(|slot| self.view().posed(slot))
    }

    /// Number of colliders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.slots.free.len()
    }

    /// True where there is no collider.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All colliders, in order of their ids' indices.
    pub fn iter(&self) -> impl Iterator<Item = (ColliderId, Collider)> {
        self.slots.occupied().map(|slot| {
            (self.slots.id(slot), self.slots.collider(&self.appearances, slot as usize))
        })
    }

    /// All ids, in order of their indices.
    pub fn ids(&self) -> impl Iterator<Item = ColliderId> {
        self.slots.occupied().map(|slot| self.slots.id(slot))
    }

    /// The number of a collider's look, and where its mask lies. `from` is its look so far, or that of the
    /// collider before it.
    fn resolve(
        &mut self,
        collider: &Collider,
        from: Option<u32>,
    ) -> Result<(u32, PlacedMask), PlaceError> {
        let appearance = Appearance::of(collider);
        if let Some(number) = self.appearances.index_of(&appearance, from) {
            return Ok((number, self.placed(collider, number)?));
        }
        state::placement::check_upright(collider)?;
        let source = Appearances::mask_source_of(&self.atlas, &appearance)?;
        let context = PlaceContext::new(&self.atlas, &self.masks);
        let pose = (collider.position, collider.angle, collider.scale);
        let placed = PlacedMask::find(&context, source, pose)?;
        Ok((self.appearances.intern(appearance, source, &context.records.poses())?, placed))
    }

    /// Where the mask of a collider lies that has this look.
    fn placed(&self, collider: &Collider, appearance: u32) -> Result<PlacedMask, PlaceError> {
        state::placement::check_upright(collider)?;
        let context = PlaceContext::new(&self.atlas, &self.masks);
        self.appearances.placed(
            &context,
            appearance,
            (collider.position, collider.angle, collider.scale),
        )
    }

    /// Notes that the collider in this slot is about to change, or has changed.
    fn changed(&mut self, slot: usize) {
        self.dirty.add(slot);
        let appearance = self.slots.appearances[slot];
        if appearance != state::slots::NO_COLLIDER && self.appearances.get(appearance).fixed {
            self.finder.mark_fixed_dirty();
        }
    }

    /// True where a collider shows this mask.
    fn shows(&self, id: MaskId) -> bool {
        let mut slots = self.slots.occupied();
        slots.any(|slot| {
            self.appearances.get(self.slots.appearances[slot as usize]).shape == Shape::Mask(id)
        })
    }

    /// Works out the boxes of all colliders that show this mask again.
    fn place_again(&mut self, id: MaskId) {
        for slot in 0..self.slots.len() {
            let number = self.slots.appearances[slot];
            if number == state::slots::NO_COLLIDER
                || self.appearances.get(number).shape != Shape::Mask(id)
            {
                continue;
            }
            let Some(made) = self.masks.get(id) else { return };
            let lattice =
                state::placement::snap(self.slots.positions[slot], self.atlas.resolution())
                    .unwrap_or_default();
            let rect = made.rect().translated(lattice);
            let fixed = self.appearances.get(number).fixed;
            self.slots.put_placed(slot, fixed, PlacedMask::from_rect(rect));
            self.changed(slot);
        }
    }
}
