//! Poses of one image that are not in an atlas yet: drawn, or copied from another atlas.

use super::digest;
use crate::geom::Point;
use crate::mask::MaskRef;
use crate::raster::{PoseBuffer, PosedRef};

/// A pose to be written, with all data that does not depend on its place in the file.
pub(super) struct PoseData<'a> {
    pub(super) mask: MaskRef<'a>,
    pub(super) origin: Point,
    pub(super) area: u32,
    /// Digest of the pixels.
    pub(super) digest: u128,
}

impl<'a> PoseData<'a> {
    pub(super) fn new(mask: MaskRef<'a>, origin: Point, area: u32) -> Self {
        Self { mask, origin, area, digest: digest::of_mask(mask) }
    }
}

/// The poses of one image.
#[derive(Default)]
pub(super) struct DrawnPoses {
    poses: PoseBuffer,
    digests: Vec<u128>,
}

impl DrawnPoses {
    /// Replaces the contents with the poses that `draw` appends. Keeps the capacity.
    pub(super) fn fill<E>(
        &mut self,
        draw: impl FnOnce(&mut PoseBuffer) -> Result<(), E>,
    ) -> Result<(), E> {
        self.poses.clear();
        self.digests.clear();
        draw(&mut self.poses)?;
        self.digests.extend((0..self.poses.len()).map(|i| digest::of_mask(self.poses.get(i).mask)));
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.poses.bytes()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = PoseData<'_>> {
        self.digests.iter().enumerate().map(|(i, &digest)| {
            let PosedRef { mask, origin, .. } = self.poses.get(i);
            PoseData { mask, origin, area: self.poses.area(i), digest }
        })
    }
}
