//! The scene: what is placed on the plane, and the masks that it shows.
//!
//! ```text
//! collider, id, error     plain data that users give and get
//! appearances             what colliders show, each look stored once
//! placement, slots        where a mask lies; the state of all colliders by slot
//! view                    one collider as the kernels take it
//! pair_rule               which pairs may touch, and by what
//! dirty_set, past_owners  what has changed since the last update
//! displaced               where queries find what has moved since
//! edits, bulk_update      insert, set and remove; many placements in one call
//! runtime_masks           masks that no atlas contains
//! atlas_list              the atlases, their earlier versions, and the combined atlas of all
//! shown_poses             poses in the atlas, or drawn on demand within a budget
//! ```
//!
//! Invariants: a failed call leaves the scene unchanged. A scene of one atlas reads its poses in
//! place. Several atlases are combined to one, so appearances and placement know one atlas only.

mod appearances;
mod atlas_change;
pub(crate) mod atlas_list;
mod bulk_placement;
mod bulk_update;
pub(crate) mod collider;
pub(crate) mod dirty_set;
pub(crate) mod displaced;
mod edits;
mod error;
pub(crate) mod id;
mod mask_edits;
pub(crate) mod pair_rule;
pub(crate) mod past_owners;
pub(crate) mod placement;
mod placement_check;
mod pose_arena;
mod pose_budget;
mod pose_drawing;
pub(crate) mod runtime_masks;
mod shown_poses;
pub(crate) mod slots;
pub(crate) mod view;

pub use atlas_change::{InUse, ReloadReport, SpriteChange};
pub use collider::{Collider, ColliderShape, MinOverlap, Pair, Placement};
pub use error::{AtlasChangeError, BulkPlaceError, PlaceError};
pub use id::{ColliderId, MaskId};
pub use pair_rule::DecidedBy;
pub use pose_budget::PoseStats;

pub(crate) use appearances::{Appearances, PairBits};
pub(crate) use atlas_list::AtlasList;
pub(crate) use past_owners::PastOwners;
pub(crate) use placement::{PlaceContext, PlacedMask};
pub(crate) use shown_poses::ShownPoses;
pub(crate) use view::SceneView;

use crate::atlas::Atlas;
use crate::geom::{self, Rect, ZoneError};
use crate::narrow::Accuracy;
use crate::pose::ScalePolicy;
use bulk_update::BulkBuffers;
use dirty_set::DirtySet;
use runtime_masks::MaskStore;
use slots::Slots;

/// Maximum number of colliders in a world.
pub const MAX_COLLIDERS: usize = (1 << 31) - 1;

#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) atlases: AtlasList,
    /// All atlases combined, or the only one. Its sprites are numbered as in the list.
    pub(crate) atlas: Atlas,
    /// The finest accuracy of pair tests.
    pub(crate) accuracy: Accuracy,
    pub(crate) scale_policy: ScalePolicy,
    pub(crate) slots: Slots,
    pub(crate) appearances: Appearances,
    pub(crate) poses: ShownPoses,
    pub(crate) masks: MaskStore,
    pub(crate) dirty: DirtySet,
    pub(crate) past_owners: PastOwners,
    bulk: BulkBuffers,
}

impl Scene {
    pub(crate) fn new(atlas: Atlas) -> Self {
        let poses = ShownPoses::new(&atlas);
        Self::over(AtlasList::new(atlas.clone()), atlas, poses)
    }

    /// Creates a scene over a list, combined to `atlas`, with the poses that it has drawn.
    pub(crate) fn over(atlases: AtlasList, atlas: Atlas, poses: ShownPoses) -> Self {
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
            past_owners: PastOwners::default(),
            bulk: BulkBuffers::default(),
        }
    }

    pub(crate) fn get(&self, id: ColliderId) -> Option<Collider> {
        self.slots.find(id).map(|slot| self.slots.collider(&self.appearances, slot))
    }

    /// Returns the tight box of a collider. Returns `None` if `id` is stale or it has no pixels.
    pub(crate) fn rect(&self, id: ColliderId) -> Option<Rect> {
        self.slots.find(id).map(|slot| self.slots.rect(slot)).filter(|rect| !rect.is_empty())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (ColliderId, Collider)> {
        self.slots.occupied().map(|slot| {
            (self.slots.id(slot), self.slots.collider(&self.appearances, slot as usize))
        })
    }

    pub(crate) fn set_accuracy(&mut self, accuracy: Accuracy) {
        if accuracy != self.accuracy {
            self.dirty.add_all_pairs();
        }
        self.accuracy = accuracy;
    }

    /// Returns a position in mask pixels: the resolution of the atlas is mask pixels per pixel.
    pub(crate) fn mask_pixels(&self, position: [f32; 2]) -> [f32; 2] {
        geom::mask_pixels(position, self.atlas.resolution())
    }

    /// Converts an error about [`mask_pixels`](Self::mask_pixels) to pixels.
    pub(crate) fn in_pixels<T>(&self, made: Result<T, ZoneError>) -> Result<T, ZoneError> {
        made.map_err(|cause| cause.in_units(self.atlas.resolution()))
    }

    /// Ends an update. `has_pairs` tells whether pairs touch, or ended in this update.
    pub(crate) fn end_update(&mut self, has_pairs: bool) {
        self.slots.displaced.clear(&self.dirty);
        self.dirty.clear();
        self.slots.no_slot_freed = true;
        self.past_owners.end_update(has_pairs);
        self.poses.end_update();
    }
}
