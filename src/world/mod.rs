//! The world: sprites placed on the plane, and which of them touch.
//!
//! ```text
//! insert, set    look up the appearance and the pose once, compute the box          state
//! update         boxes -> pairs -> touching pairs in order -> began and ended       step
//! queries        search the index of the last update, then what changed since       query, motion
//! ```
//!
//! Invariants: a failed call leaves the world unchanged. Answers depend only on the calls made, not
//! on threads, instruction sets or earlier allocations.

mod atlases;
mod collider;
mod debug;
mod error;
mod id;
mod min_overlap;
mod motion;
mod placements;
mod poses;
mod query;
mod runtime_masks;
mod snapshot;
mod state;
mod step;

pub use atlases::{AtlasChangeError, ReloadReport, SpriteChange};
pub use collider::{Collider, Pair, Shape};
pub use debug::explain::{DecidedBy, ExplainedCollider, Explanation};
pub use debug::validate::InvariantViolation;
pub use error::{BulkPlaceError, PlaceError};
pub use id::{ColliderId, MaskId};
pub use min_overlap::MinOverlap;
pub use motion::cast::Hit;
pub use motion::compound::OwnerHit;
pub use motion::move_rules::{MoveContact, MoveResult, MoveRules};
pub use placements::{Placement, PlacementLayout, PlacementRadians, PlacementSlice, PlacementTurn};
pub use poses::budget::PoseStats;
pub use query::bodies::{Body, BodyPair};
pub use query::contact_at::ContactAt;
#[cfg(feature = "rstar")]
pub use query::rstar_interop::ColliderBox;
pub use query::zones::Filter;
pub use snapshot::SnapshotError;
pub use step::pair_contact::PairContact;
pub use step::update::UpdateTimings;

use crate::atlas::Atlas;
use crate::geom::Rect;
use crate::narrow::Accuracy;
use crate::pose::ScalePolicy;
use crate::raster::PosedRef;
use atlases::atlas_list::AtlasList;
use poses::shown_poses::ShownPoses;
use runtime_masks::mask_store::MaskStore;
use state::appearance::Appearances;
use state::dirty_set::{ChangeList, DirtySet};
use state::grouped_placements::GroupedPlacements;
use state::past_owners::PastOwners;
use state::placement_check::PlacementCheck;
use state::slots::Slots;

/// Maximum number of colliders in a world.
pub const MAX_COLLIDERS: usize = (1 << 31) - 1;

/// Colliders on the plane, and the pairs of them that touch.
///
/// Insert and move colliders at any time. Call [`update`](Self::update) once per tick to find every
/// touching pair.
///
/// # Memory
/// - About 95 bytes per collider and 40 bytes per touching pair. Updates of changes take 4 bytes more
///   per collider, and about 120 per changed one.
/// - About 16 bytes more per collider with an [`owner`](Collider::owner).
/// - 0.5 MB per thread, or 1 MB if a collider has a [`min_overlap`](Collider::min_overlap).
/// - Over an [undrawn](Atlas#undrawn-atlases) atlas, the masks of all poses that were ever shown, up
///   to the [budget](Self::set_pose_budget). Their memory grows by 1/2. Linux moves it without a copy;
///   other systems copy it. A system that commits memory at once, such as WebAssembly, has up to 1/2
///   in reserve.
/// - 16 bytes per pose of each frame, plane and flip that was ever shown: 1 KB at 64 angles.
///   Sprites with more than 4,096 poses take none.
///
/// Nothing is allocated after the largest update, once each appearance has been shown.
///
/// # Example
///
/// ```
/// use hitmask::{Atlas, AtlasBuilder, Collider, Mask, World};
/// let arrow: Mask = "
///     ..#.
///     .###
/// ".parse()?;
/// let atlas = Atlas::from_vec(AtlasBuilder::new().mask("arrow", arrow).to_bytes()?)?;
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
/// # Atlases
/// A world begins with one atlas. [`add_atlas`](Self::add_atlas) adds the sprites of another one,
/// and [`replace_atlas`](Self::replace_atlas) takes a new version of one. Each sprite id carries the
/// id of its atlas. A world returns such ids, also for colliders that were placed by an id of
/// [`SpriteId::new`](crate::SpriteId::new) or of an earlier version. The masks of a single drawn
/// atlas are read in place. With several atlases, each pose is copied or drawn when it is first
/// shown.
///
/// # Units
/// Numbers in f32 and f64, such as positions, motions, radii and distances, are in pixels, as
/// [`Collider::position`]. Integers, rectangles, zones, lines and masks are in mask pixels. This
/// includes [`rect`](Self::rect), contacts, impacts and every [`Point`](crate::Point).
///
/// The two units are equal unless the atlas was baked at a [resolution](crate::AtlasBuilder::resolution)
/// other than 1. Mask pixels divided by [`Atlas::resolution`](crate::Atlas::resolution) are pixels.
///
/// # Which calls follow accuracies
/// [`Collider::accuracy`], [`Collider::min_overlap`] and [`set_accuracy`](Self::set_accuracy)
/// decide what counts as touching. [`update`](Self::update),
/// [`touching_with`](Self::touching_with), [`touching_between`](Self::touching_between) and
/// [`explain`](Self::explain) follow all three. [`contact`](Self::contact) follows the accuracies
/// only. Updates test sprites in batches, which is faster than one by one, except at
/// [`Accuracy::Box`] and by [`MinOverlap::Size`] at [`Accuracy::Exact`].
///
/// Moves, casts of colliders, piercing ones too, and [`push_out`](Self::push_out) follow
/// [`Collider::move_accuracy`], by default the accuracy for touching. A mover or an obstacle at
/// [`Accuracy::Box`] counts as its box, else by its pixels. For moves one shared pixel is enough.
///
/// Queries and [`cast_mask`](Self::cast_mask) test pixels, and one shared pixel is enough. Their
/// [`Filter`] may ask for boxes. [`contact_at`](Self::contact_at) takes an accuracy for one call,
/// and names the level that it used.
#[derive(Clone, Debug)]
pub struct World {
    atlases: AtlasList,
    /// All atlases combined, or the only one. Its sprites are numbered as in the list.
    atlas: Atlas,
    accuracy: Accuracy,
    scale_policy: ScalePolicy,
    slots: Slots,
    appearances: Appearances,
    poses: ShownPoses,
    masks: MaskStore,
    dirty: DirtySet,
    grouped: GroupedPlacements,
    /// What each thread of a bulk placement checked.
    checks: Vec<PlacementCheck>,
    /// The changes that each thread of a bulk placement found.
    changes: Vec<ChangeList>,
    finder: step::pair_finder::PairFinder,
    touching: Vec<Pair>,
    /// Touching pairs of the update before the last.
    before: Vec<Pair>,
    began: Vec<Pair>,
    ended: Vec<Pair>,
    events: step::events::Events,
    /// True if the pairs are those of an update.
    is_updated: bool,
    past_owners: PastOwners,
}

impl World {
    /// Creates a world without colliders, over the sprites of `atlas`. Over an
    /// [undrawn](Atlas#undrawn-atlases) atlas it draws each pose when a collider first shows it.
    #[must_use]
    pub fn new(atlas: Atlas) -> Self {
        let poses = ShownPoses::new(&atlas);
        Self::over(AtlasList::new(atlas.clone()), atlas, poses)
    }

    /// Creates a world without colliders over the atlases of a list, which are combined to `atlas`.
    /// `poses` are those that it has drawn already.
    fn over(atlases: AtlasList, atlas: Atlas, poses: ShownPoses) -> Self {
        let appearances = Appearances::new(atlas.records().resolution());
        Self {
            atlases,
            atlas,
            accuracy: Accuracy::default(),
            scale_policy: ScalePolicy::default(),
            slots: Slots::default(),
            appearances,
            poses,
            masks: MaskStore::default(),
            dirty: DirtySet::default(),
            grouped: GroupedPlacements::default(),
            checks: Vec::new(),
            changes: Vec::new(),
            finder: step::pair_finder::PairFinder::default(),
            touching: Vec::new(),
            before: Vec::new(),
            began: Vec::new(),
            ended: Vec::new(),
            events: step::events::Events::default(),
            is_updated: false,
            past_owners: PastOwners::default(),
        }
    }

    /// Sets the finest accuracy of pair tests, from the next [`update`](Self::update) or
    /// [`contact`](Self::contact) on. Colliders with a coarser accuracy keep theirs. The default is
    /// [`Accuracy::Exact`].
    ///
    /// Moves follow it too, except for colliders with a
    /// [`move_accuracy`](Collider::move_accuracy). Queries test pixels at any accuracy: [which calls
    /// follow accuracies](Self#which-calls-follow-accuracies).
    pub fn set_accuracy(&mut self, accuracy: Accuracy) {
        if accuracy != self.accuracy {
            self.dirty.add_all_pairs();
        }
        self.accuracy = accuracy;
    }

    /// Returns the finest accuracy of pair tests.
    #[must_use]
    pub const fn accuracy(&self) -> Accuracy {
        self.accuracy
    }

    /// Sets which scales colliders of sprites may have, from the next call that sets a scale or a
    /// sprite on. Present colliders keep theirs. The default is [`ScalePolicy::Within(1.5)`].
    ///
    /// [`ScalePolicy::Within(1.5)`]: ScalePolicy::Within
    ///
    /// ```
    /// # use hitmask::{Atlas, AtlasBuilder, Collider, PlaceError, World};
    /// use hitmask::ScalePolicy;
    /// # let atlas = Atlas::from_vec(AtlasBuilder::new().mask("a", "#".parse()?).to_bytes()?)?;
    /// # let a = Collider::new(atlas.sprite_id("a").unwrap());
    /// let mut world = World::new(atlas);
    /// // The atlas has scale 1 only.
    /// let refused = world.insert(a.scaled(10.0));
    /// assert!(matches!(refused, Err(PlaceError::UnbakedScale { nearest: 1.0, .. })));
    /// world.set_scale_policy(ScalePolicy::Nearest)?;
    /// let id = world.insert(a.scaled(10.0))?;
    /// assert_eq!(world.rect(id).unwrap().width(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`PlaceError::ScaleFactor`] for a factor below 1 or NaN. The policy stays as it was.
    pub fn set_scale_policy(&mut self, policy: ScalePolicy) -> Result<(), PlaceError> {
        let factor = policy.factor();
        self.scale_policy =
            ScalePolicy::of_factor(factor).ok_or(PlaceError::ScaleFactor(factor))?;
        Ok(())
    }

    /// Returns the rule for scales that a sprite is not baked at.
    #[must_use]
    pub const fn scale_policy(&self) -> ScalePolicy {
        self.scale_policy
    }

    /// Returns the collider with this id; `None` if `id` is stale.
    #[must_use]
    pub fn get(&self, id: ColliderId) -> Option<Collider> {
        self.slots.find(id).map(|slot| self.slots.collider(&self.appearances, slot))
    }

    /// Returns the tight box of a collider's pixels, in mask pixels. Returns `None` if `id` is
    /// stale or the collider has no pixels.
    #[must_use]
    pub fn rect(&self, id: ColliderId) -> Option<Rect> {
        self.slots.find(id).map(|slot| self.slots.rect(slot)).filter(|rect| !rect.is_empty())
    }

    /// Returns a collider's posed mask where it is in the world: its origin is absolute, in mask
    /// pixels. Returns `None` if `id` is stale. A mask of the atlas is trimmed to its tight box; a
    /// runtime mask keeps its size.
    #[must_use]
    pub fn posed(&self, id: ColliderId) -> Option<PosedRef<'_>> {
        self.slots.find(id).map(|slot| self.view().posed(slot))
    }

    /// Returns the number of colliders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.slots.free.len()
    }

    /// Tests whether the world has no colliders.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all colliders with their ids, in order of indices.
    pub fn iter(&self) -> impl Iterator<Item = (ColliderId, Collider)> {
        self.slots.occupied().map(|slot| {
            (self.slots.id(slot), self.slots.collider(&self.appearances, slot as usize))
        })
    }

    /// Returns all ids, in order of indices.
    pub fn ids(&self) -> impl Iterator<Item = ColliderId> {
        self.slots.occupied().map(|slot| self.slots.id(slot))
    }
}
