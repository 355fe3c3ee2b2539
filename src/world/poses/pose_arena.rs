//! The pose arena: the poses of an undrawn atlas that a world has drawn, by their numbers.
//!
//! Filled by `show`. Invariant: a pose equals the pose of this number of the drawn atlas.

use crate::atlas::{Atlas, Located, PoseDrawer, SpritePoses};
use crate::mask::{MaskArena, MaskDescriptor, MaskPool, MaskRef};
use crate::memory::number_hash::NumberMap;
use crate::memory::parallel;
use crate::pose::Pose;
use crate::raster::{PoseBuffer, PosedRef};
use crate::world::PlaceError;

/// Missing poses that are drawn on the calling thread. So few take less time than waking a thread.
const SERIAL_POSES: usize = 32;

/// Pieces of a parallel drawing per thread.
const PIECES_PER_THREAD: usize = 4;

/// The poses that a world has drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct PoseArena {
    masks: MaskArena,
    poses: NumberMap<DrawnPose>,
    drawer: PoseDrawer,
}

/// A drawn pose.
#[derive(Clone, Copy, Debug)]
struct DrawnPose {
    /// Upright.
    mask: MaskDescriptor,
    /// Offset of the mask from the lattice origin.
    origin: [i32; 2],
}

/// A missing pose: its number, and the item of the call that first shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MissingPose {
    pub(crate) number: u32,
    pub(crate) item: usize,
}

impl PoseArena {
    pub(crate) fn pool(&self) -> MaskPool<'_> {
        self.masks.pool()
    }

    /// Returns true if the pose of this number is drawn.
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.poses.contains_key(&number)
    }

    /// Returns a pose of a sprite; `None` if it is not drawn yet.
    pub(crate) fn locate(&self, sprite_poses: &SpritePoses, pose: Pose) -> Option<Located> {
        let id = sprite_poses.pose_id(pose)?;
        let drawn = self.poses.get(&(id.index() as u32))?;
        Some(Located::new(id, drawn.mask, drawn.origin, sprite_poses.pivot2))
    }

    /// Returns the upright mask of a located pose.
    pub(crate) fn mask(&self, located: &Located) -> MaskRef<'_> {
        self.masks.mask(located.pose.shows(located.hot))
    }

    /// Draws a missing pose.
    pub(crate) fn draw(&mut self, atlas: &Atlas, number: u32) -> Result<(), PlaceError> {
        let Self { masks, poses, drawer } = self;
        let posed = atlas.pose(drawer, number).map_err(PlaceError::Pose)?;
        let drawn = DrawnPose::store(masks, posed)?;
        poses.insert(number, drawn);
        Ok(())
    }

    /// Draws missing poses, which are in order and distinct, on all cores if they are many. The
    /// error names an item. Nothing is stored then.
    pub(crate) fn draw_all(
        &mut self,
        atlas: &Atlas,
        missing: &[MissingPose],
    ) -> Result<(), (usize, PlaceError)> {
        let size = match missing.len() {
            0..SERIAL_POSES => SERIAL_POSES,
            many => many.div_ceil(PIECES_PER_THREAD * parallel::threads()),
        };
        let pieces: Vec<&[MissingPose]> = missing.chunks(size).collect();
        let drawn = parallel::map(&pieces, |piece| drawn_piece(atlas, piece));
        let failed = drawn.iter().filter_map(|drawn| drawn.as_ref().err());
        if let Some(failed) = failed.min_by_key(|(item, _)| *item) {
            return Err(failed.clone());
        }
        let Self { masks, poses, .. } = self;
        poses.reserve(missing.len());
        for (piece, drawn) in pieces.iter().zip(drawn.into_iter().flatten()) {
            for (i, &MissingPose { number, item }) in piece.iter().enumerate() {
                let stored = DrawnPose::store(masks, drawn.get(i));
                poses.insert(number, stored.map_err(|cause| (item, cause))?);
            }
        }
        Ok(())
    }
}

impl DrawnPose {
    fn store(masks: &mut MaskArena, posed: PosedRef<'_>) -> Result<Self, PlaceError> {
        let mask = masks.insert(posed.mask).ok_or(PlaceError::Full)?;
        Ok(Self { mask, origin: posed.origin.into() })
    }
}

/// Draws poses into a buffer.
fn drawn_piece(atlas: &Atlas, piece: &[MissingPose]) -> Result<PoseBuffer, (usize, PlaceError)> {
    let (mut drawer, mut drawn) = (PoseDrawer::default(), PoseBuffer::default());
    for &MissingPose { number, item } in piece {
        let posed = atlas.draw_into(&mut drawer, number, &mut drawn);
        posed.map_err(|cause| (item, PlaceError::Pose(cause)))?;
    }
    Ok(drawn)
}
