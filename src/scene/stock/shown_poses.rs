//! The posed masks that a world shows, wherever they are stored.
//!
//! Invariant: the answers do not depend on whether the atlas stores all poses.

use crate::atlas::{Atlas, Located, Records, SpritePoses};
use crate::mask::{LINE_BYTES, MaskPool, MaskRef};
use crate::pose::Pose;
use crate::scene::PlaceError;
use crate::scene::pose_arena::PoseArena;

#[derive(Clone, Debug, Default)]
pub(crate) struct ShownPoses {
    /// The poses that were drawn; `None` if the atlas stores all of them.
    arena: Option<Box<PoseArena>>,
    /// Largest size of the drawn masks, in bytes. Kept while the atlas stores all poses.
    pub(crate) budget: Option<u64>,
    /// A budget while a world is filled with colliders, all of whose poses are shown.
    filling: Option<Filling>,
}

/// The budget of the poses that are drawn while a world is filled. Nothing makes room for them.
#[derive(Clone, Copy, Debug)]
struct Filling {
    budget: u64,
    /// Bytes that were drawn before.
    before: u64,
}

impl ShownPoses {
    pub(crate) fn new(atlas: &Atlas) -> Self {
        if atlas.is_drawn() {
            // Initialises the pool now instead of in the first update.
            let _ = atlas.pool();
            return Self::default();
        }
        Self { arena: Some(Box::default()), ..Self::default() }
    }

    /// Begins or ends filling a world: poses beyond the budget are refused at once.
    pub(crate) fn set_filling(&mut self, budget: Option<u64>) {
        let before = self.arena().map_or(0, PoseArena::bytes);
        self.filling = budget.map(|budget| Filling { budget, before });
    }

    /// Returns an error if a world that is filled cannot store `lines` cache lines more.
    pub(crate) fn check_filling(&self, lines: u32) -> Result<(), PlaceError> {
        let (Some(Filling { budget, before }), Some(arena)) = (self.filling, self.arena()) else {
            return Ok(());
        };
        let drawn = arena.bytes().saturating_sub(before);
        let needed = drawn + u64::from(lines) * LINE_BYTES;
        if needed <= budget || arena.masks.has_block(lines) {
            return Ok(());
        }
        Err(PlaceError::PoseBudget { needed, budget })
    }

    /// Returns the drawn poses; `None` if the atlas stores all of them.
    pub(crate) fn arena(&self) -> Option<&PoseArena> {
        self.arena.as_deref()
    }

    pub(crate) fn arena_mut(&mut self) -> Option<&mut PoseArena> {
        self.arena.as_deref_mut()
    }

    #[inline(always)]
    pub(crate) const fn are_drawn_on_demand(&self) -> bool {
        self.arena.is_some()
    }

    pub(crate) fn end_update(&mut self) {
        if let Some(arena) = &mut self.arena {
            arena.draws = 0;
        }
    }

    pub(crate) fn pool<'w>(&'w self, atlas: &'w Atlas) -> MaskPool<'w> {
        match &self.arena {
            None => atlas.pool(),
            Some(arena) => arena.pool(),
        }
    }

    #[inline]
    pub(crate) fn words<'w>(&'w self, records: &Records<'w>) -> &'w [u64] {
        match &self.arena {
            None => records.pool(),
            Some(arena) => arena.pool().words,
        }
    }

    /// Returns a pose; `None` if it is not drawn yet, or for [`SpritePoses::NONE`].
    #[inline(always)]
    pub(crate) fn locate(
        &self,
        records: &Records<'_>,
        sprite_poses: &SpritePoses,
        pose: Pose,
    ) -> Option<Located> {
        match &self.arena {
            None => records.poses().at(sprite_poses, pose),
            Some(arena) => arena.locate(sprite_poses, pose),
        }
    }

    pub(crate) fn mask<'w>(&'w self, records: &Records<'w>, located: &Located) -> MaskRef<'w> {
        let mask = match &self.arena {
            None => records.mask(located.pose.index()),
            Some(arena) => arena.mask(located),
        };
        if located.pose.is_flipped() { mask.flip_y() } else { mask }
    }
}
