//! The pose arena: the poses of an undrawn atlas that a world has drawn, by their numbers.
//!
//! Invariant: a pose equals the pose of this number of the drawn atlas.

use crate::atlas::{Atlas, Located, PoseDrawer, SpritePoses};
use crate::mask::{LINE_BYTES, MaskArena, MaskDescriptor, MaskPool, MaskRef, MaskSize, lines_of};
use crate::memory::number_hash::NumberMap;
use crate::memory::parallel;
use crate::pose::Pose;
use crate::raster::{PoseBuffer, PosedRef};
use crate::scene::PlaceError;

/// Missing poses that are drawn on the calling thread. So few take less time than waking a thread.
const SERIAL_POSES: usize = 32;

/// Pieces of a parallel drawing per thread.
const PIECES_PER_THREAD: usize = 4;

#[derive(Clone, Debug, Default)]
pub(crate) struct PoseArena {
    pub(crate) masks: MaskArena,
    pub(crate) poses: NumberMap<DrawnPose>,
    drawer: PoseDrawer,
    /// Number of times that room was made.
    pub(crate) epoch: u32,
    /// Poses drawn since the last update.
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

    /// Draws a pose, to be [stored](Self::store_drawn), and returns the cache lines that it takes.
    pub(crate) fn draw(&mut self, atlas: &Atlas, number: u32) -> Result<u32, PlaceError> {
        let posed = atlas.pose(&mut self.drawer, number).map_err(PlaceError::Pose)?;
        Ok(lines_of(MaskSize::new(posed.mask.width(), posed.mask.height())))
    }

    pub(crate) fn store_drawn(&mut self, number: u32) -> Result<(), PlaceError> {
        let Self { masks, poses, drawer, epoch, draws, .. } = self;
        poses.insert(number, DrawnPose::store(masks, drawer.last(), *epoch)?);
        *draws += 1;
        Ok(())
    }

    /// Stores poses. The error names an item.
    pub(crate) fn store_all(
        &mut self,
        drawn: &[DrawnPiece<'_>],
    ) -> Result<(), (usize, PlaceError)> {
        let Self { masks, poses, epoch, draws, .. } = self;
        for DrawnPiece { missing, drawn } in drawn {
            poses.reserve(missing.len());
            for (i, &MissingPose { number, item }) in missing.iter().enumerate() {
                let stored = DrawnPose::store(masks, drawn.get(i), *epoch);
                poses.insert(number, stored.map_err(|cause| (item, cause))?);
            }
            *draws += missing.len() as u64;
        }
        Ok(())
    }
}

impl DrawnPose {
    fn store(masks: &mut MaskArena, posed: PosedRef<'_>, epoch: u32) -> Result<Self, PlaceError> {
        let mask = masks.insert(posed.mask).ok_or(PlaceError::Full)?;
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
) -> Result<Vec<DrawnPiece<'m>>, (usize, PlaceError)> {
    let size = match missing.len() {
        0..=SERIAL_POSES => SERIAL_POSES,
        many => many.div_ceil(PIECES_PER_THREAD * parallel::threads()),
    };
    let pieces: Vec<&[MissingPose]> = missing.chunks(size).collect();
    let mut all = Vec::with_capacity(pieces.len());
    let mut failed: Option<(usize, PlaceError)> = None;
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
) -> Result<DrawnPiece<'m>, (usize, PlaceError)> {
    let (mut drawer, mut drawn) = (PoseDrawer::default(), PoseBuffer::default());
    for &MissingPose { number, item } in missing {
        let posed = atlas.draw_into(&mut drawer, number, &mut drawn);
        posed.map_err(|cause| (item, PlaceError::Pose(cause)))?;
    }
    Ok(DrawnPiece { missing, drawn })
}
