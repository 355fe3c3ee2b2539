//! The posed masks that a world shows. They are in its atlas, or in an arena of the poses that the world
//! has drawn of an undrawn atlas.
//!
//! Invariants: a drawn pose equals the pose of this number of the drawn atlas. No answer depends on
//! whether the atlas stores all poses.

use crate::atlas::{Atlas, Located, PoseDrawer, Records, SpritePoses};
use crate::error::CallError;
use crate::mask::{LINE_BYTES, MaskArena, MaskDescriptor, MaskPool, MaskRef, MaskSize, lines_of};
use crate::memory::clone_fields::clone_fields;
use crate::memory::number_hash::NumberMap;
use crate::memory::parallel;
use crate::pose::Pose;
use crate::raster::{PoseBuffer, PosedRef};
use std::sync::Arc;

#[derive(Debug, Default)]
pub(crate) struct ShownPoses {
    /// The poses that were drawn; `None` if the atlas stores all of them. Shared by clones of the world until
    /// one of them draws a pose.
    arena: Option<Arc<PoseArena>>,
    /// Keeps source masks of the atlas. `Stock` drops them where it takes another atlas.
    drawer: PoseDrawer,
    /// Poses drawn until the last update.
    pub(crate) draws_before: u64,
    /// Largest size of the drawn masks, in bytes. Kept while the atlas stores all poses.
    pub(crate) budget: Option<u64>,
    /// A budget while a world is filled with colliders, all of whose poses are shown.
    filling: Option<Filling>,
}

clone_fields!([] ShownPoses { arena, draws_before, budget, filling } scratch { drawer });

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
        Self { arena: Some(Arc::default()), ..Self::default() }
    }

    /// Begins or ends filling a world: poses beyond the budget are refused at once.
    pub(crate) fn set_filling(&mut self, budget: Option<u64>) {
        let before = self.arena().map_or(0, PoseArena::bytes);
        self.filling = budget.map(|budget| Filling { budget, before });
    }

    /// Returns an error if a world that is filled cannot store `lines` cache lines more.
    pub(crate) fn check_filling(&self, lines: u32) -> Result<(), CallError> {
        let (Some(Filling { budget, before }), Some(arena)) = (self.filling, self.arena()) else {
            return Ok(());
        };
        let drawn = arena.bytes().saturating_sub(before);
        let needed = drawn + u64::from(lines) * LINE_BYTES;
        if needed <= budget || arena.masks.has_block(lines) {
            return Ok(());
        }
        Err(CallError::PoseBudget { needed, budget })
    }

    /// Returns true if new poses of `lines` cache lines keep the budget.
    pub(crate) fn has_room(&self, lines: u64) -> bool {
        let bytes = |arena: &PoseArena| arena.bytes_with(lines);
        self.budget.is_none_or(|budget| self.arena().is_none_or(|arena| bytes(arena) <= budget))
    }

    /// Returns the drawn poses; `None` if the atlas stores all of them.
    pub(crate) fn arena(&self) -> Option<&PoseArena> {
        self.arena.as_deref()
    }

    pub(crate) fn arena_mut(&mut self) -> Option<&mut PoseArena> {
        self.arena.as_mut().map(Arc::make_mut)
    }

    /// Draws a pose, to be [stored](Self::store_drawn), and returns the cache lines that it takes.
    pub(crate) fn draw(&mut self, atlas: &Atlas, number: u32) -> Result<u32, CallError> {
        let posed = atlas.pose(&mut self.drawer, number)?;
        Ok(lines_of(MaskSize::new(posed.mask.width(), posed.mask.height())))
    }

    pub(crate) fn store_drawn(&mut self, number: u32) -> Result<(), CallError> {
        let Self { arena: Some(arena), drawer, .. } = self else { return Ok(()) };
        let PoseArena { masks, poses, epoch, draws } = Arc::make_mut(arena);
        poses.insert(number, DrawnPose::store(masks, drawer.last(), *epoch)?);
        *draws += 1;
        Ok(())
    }

    /// Stores poses. The error names an item.
    pub(crate) fn store_all(&mut self, drawn: &[DrawnPiece<'_>]) -> Result<(), (usize, CallError)> {
        for DrawnPiece { missing, drawn } in drawn {
            let Some(PoseArena { masks, poses, epoch, draws }) = self.arena_mut() else { continue };
            poses.reserve(missing.len());
            for (i, &MissingPose { number, item }) in missing.iter().enumerate() {
                let stored = DrawnPose::store(masks, drawn.get(i), *epoch);
                poses.insert(number, stored.map_err(|cause| (item, cause))?);
            }
            *draws += missing.len() as u64;
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) const fn are_drawn_on_demand(&self) -> bool {
        self.arena.is_some()
    }

    /// Keeps the spare capacity of the masks within the budget.
    pub(crate) fn limit_growth(&mut self) {
        let lines = self.budget.map(|budget| budget / LINE_BYTES);
        let lines = lines.and_then(|lines| usize::try_from(lines).ok());
        if self.arena().is_some_and(|arena| !arena.masks.has_max_lines(lines))
            && let Some(arena) = self.arena_mut()
        {
            arena.masks.set_max_lines(lines);
        }
    }

    pub(crate) fn end_update(&mut self) {
        self.draws_before = self.arena().map_or(0, |arena| arena.draws);
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

/// Missing poses that are drawn on the calling thread. So few take less time than waking a thread.
const SERIAL_POSES: usize = 32;

/// Pieces of a parallel drawing per thread.
const PIECES_PER_THREAD: usize = 4;

#[derive(Clone, Debug, Default)]
pub(crate) struct PoseArena {
    pub(crate) masks: MaskArena,
    pub(crate) poses: NumberMap<DrawnPose>,
    /// Number of times that room was made.
    pub(crate) epoch: u32,
    /// Number of poses that were ever drawn.
    pub(crate) draws: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawnPose {
    /// Upright.
    pub(crate) mask: MaskDescriptor,
    /// Offset of the mask from the lattice origin.
    origin: [i32; 2],
    /// The last epoch in which the pose was drawn, or shown when room was made.
    pub(crate) epoch: u32,
}

/// A missing pose: its number, and the item of the call that first shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MissingPose {
    pub(crate) number: u32,
    pub(crate) item: usize,
}

impl MissingPose {
    /// Puts poses in order, each once, with the first item that shows it.
    pub(crate) fn in_order(mut missing: Vec<Self>) -> Vec<Self> {
        missing.sort_unstable();
        missing.dedup_by_key(|missing| missing.number);
        missing
    }
}

impl PoseArena {
    pub(crate) fn pool(&self) -> MaskPool<'_> {
        self.masks.pool()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes_with(0)
    }

    /// Returns the bytes of all masks with a new block of so many lines.
    pub(crate) fn bytes_with(&self, lines: u64) -> u64 {
        self.bytes_of_blocks(self.masks.lines() - self.masks.lead_lines() + lines)
    }

    /// Returns the bytes of blocks of so many lines, with the lead if there is a block.
    pub(crate) fn bytes_of_blocks(&self, lines: u64) -> u64 {
        if lines == 0 { 0 } else { (self.masks.lead_lines() + lines) * LINE_BYTES }
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        self.poses.contains_key(&number)
    }

    /// Returns a pose of a sprite; `None` if it is not drawn yet.
    pub(crate) fn locate(&self, sprite_poses: &SpritePoses, pose: Pose) -> Option<Located> {
        let id = sprite_poses.pose_id(pose)?;
        let drawn = self.poses.get(&(id.index() as u32))?;
        Some(Located::new(id, drawn.mask, drawn.origin, sprite_poses.pivot2))
    }

    pub(crate) fn mask(&self, located: &Located) -> MaskRef<'_> {
        self.masks.mask(located.hot)
    }
}

impl DrawnPose {
    fn store(masks: &mut MaskArena, posed: PosedRef<'_>, epoch: u32) -> Result<Self, CallError> {
        let mask = masks.insert(posed.mask).ok_or(CallError::Full)?;
        Ok(Self { mask, origin: posed.origin.into(), epoch })
    }
}

pub(crate) struct DrawnPiece<'m> {
    missing: &'m [MissingPose],
    drawn: PoseBuffer,
}

impl DrawnPiece<'_> {
    pub(crate) fn lines(&self) -> u64 {
        let size = |i| {
            let PosedRef { mask, .. } = self.drawn.get(i);
            u64::from(lines_of(MaskSize::new(mask.width(), mask.height())))
        };
        (0..self.missing.len()).map(size).sum()
    }
}

/// Draws distinct poses, on all cores if they are many. The error names an item.
pub(crate) fn draw_missing<'m>(
    atlas: &Atlas,
    missing: &'m [MissingPose],
) -> Result<Vec<DrawnPiece<'m>>, (usize, CallError)> {
    let size = match missing.len() {
        0..=SERIAL_POSES => SERIAL_POSES,
        many => many.div_ceil(PIECES_PER_THREAD * parallel::threads()),
    };
    let pieces: Vec<&[MissingPose]> = missing.chunks(size).collect();
    let mut all = Vec::with_capacity(pieces.len());
    let mut failed: Option<(usize, CallError)> = None;
    for piece in parallel::map(&pieces, |piece| draw_piece(atlas, piece)) {
        match piece {
            Ok(piece) => all.push(piece),
            Err(error) if failed.as_ref().is_some_and(|(item, _)| *item < error.0) => {}
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(all), Err)
}

fn draw_piece<'m>(
    atlas: &Atlas,
    missing: &'m [MissingPose],
) -> Result<DrawnPiece<'m>, (usize, CallError)> {
    let (mut drawer, mut drawn) = (PoseDrawer::default(), PoseBuffer::default());
    for &MissingPose { number, item } in missing {
        let posed = atlas.draw_into(&mut drawer, number, &mut drawn);
        posed.map_err(|cause| (item, cause))?;
    }
    Ok(DrawnPiece { missing, drawn })
}
