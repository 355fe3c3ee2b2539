//! The stock: the atlases of a scene, the poses drawn from them, and its run-time masks. It tells which
//! mask a collider shows.

use crate::atlas::{Atlas, MissingPart, Records, SpritePoses};
use crate::error::CallError;
use crate::geom::{self, Point};
use crate::ids::MaskId;
use crate::pose::{self, Angle, Pose, ScalePolicy};
use crate::scene::ColliderShape;
use crate::scene::collider::Appearance;
use crate::scene::placement::{PlacedMask, snap};
use crate::scene::stock::atlas_list::AtlasList;
use crate::scene::stock::runtime_masks::MaskStore;
use crate::scene::stock::shown_poses::ShownPoses;

#[derive(Debug)]
pub(crate) struct Stock {
    pub(crate) atlases: AtlasList,
    /// All atlases combined, or the only one. Its sprites are numbered as in the list.
    pub(crate) atlas: Atlas,
    pub(crate) poses: ShownPoses,
    pub(crate) masks: MaskStore,
}

impl Clone for Stock {
    fn clone(&self) -> Self {
        let Self { atlases, atlas, poses, masks } = self;
        let (atlases, atlas) = (atlases.clone(), atlas.clone());
        Self { atlases, atlas, poses: poses.clone(), masks: masks.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { atlases, atlas, poses, masks } = source;
        if !self.atlas.is_copy_of(atlas) {
            // Its source masks are those of the other atlas.
            self.poses = ShownPoses::default();
        }
        self.atlases.clone_from(atlases);
        self.atlas.clone_from(atlas);
        self.poses.clone_from(poses);
        self.masks.clone_from(masks);
    }
}

impl Stock {
    /// Creates a stock of a list, combined to `atlas`, with the poses that were drawn.
    pub(crate) fn new(atlases: AtlasList, atlas: Atlas, poses: ShownPoses) -> Self {
        Self { atlases, atlas, poses, masks: MaskStore::default() }
    }

    /// Returns the number of mask pixels per pixel.
    pub(crate) fn resolution(&self) -> f32 {
        self.atlas.resolution()
    }

    /// Returns a position in mask pixels.
    pub(crate) fn mask_pixels(&self, position: [f32; 2]) -> [f32; 2] {
        geom::mask_pixels(position, self.resolution())
    }

    /// Converts an error about [`mask_pixels`](Self::mask_pixels) to pixels.
    pub(crate) fn in_pixels<T>(&self, made: Result<T, CallError>) -> Result<T, CallError> {
        made.map_err(|cause| cause.in_units(self.resolution()))
    }

    /// Returns true if drawing a pose may fail: by the budget, or because a side is too large.
    pub(crate) fn drawing_may_fail(&self) -> bool {
        self.poses.are_drawn_on_demand()
            && (self.poses.budget.is_some() || self.atlas.has_huge_poses())
    }

    pub(crate) fn context(&self) -> PlaceContext<'_> {
        let records = self.atlas.records();
        let resolution = records.resolution().value();
        PlaceContext { records, poses: &self.poses, masks: &self.masks, resolution }
    }

    /// Returns the masks of an appearance.
    pub(crate) fn source(&self, appearance: &Appearance) -> Result<MaskSource, CallError> {
        let Appearance { shape, frame, plane, .. } = *appearance;
        let sprite = match shape {
            ColliderShape::Mask(mask) => return Ok(MaskSource::Mask(mask)),
            ColliderShape::Sprite(sprite) => sprite,
        };
        let request = self.atlases.request(sprite, (frame, plane, appearance.flip))?;
        let found = self.atlas.sprite_poses(&request).map(MaskSource::Atlas);
        found.map_err(|missing| match missing {
            MissingPart::Sprite { sprites } => CallError::UnknownSprite { sprite, sprites },
            MissingPart::Frame { frames } => CallError::UnknownFrame { frame, frames },
            MissingPart::Plane { planes } => CallError::UnknownPlane { plane, planes },
            MissingPart::Flip => CallError::NeverMirrored { sprite },
        })
    }
}

/// Where the masks of an appearance come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MaskSource {
    Atlas(SpritePoses),
    Mask(MaskId),
}

/// The stock, as placing many colliders reads it.
#[derive(Clone, Copy)]
pub(crate) struct PlaceContext<'w> {
    pub(crate) records: Records<'w>,
    poses: &'w ShownPoses,
    masks: &'w MaskStore,
    /// Mask pixels per pixel of the world.
    pub(crate) resolution: f32,
}

impl PlaceContext<'_> {
    /// Returns a pose at a lattice origin, drawn or not; `None` for [`SpritePoses::NONE`].
    #[inline(always)]
    pub(crate) fn place(
        &self,
        sprite_poses: &SpritePoses,
        pose: Pose,
        lattice: Point,
    ) -> Option<PlacedMask> {
        match self.poses.locate(&self.records, sprite_poses, pose) {
            Some(located) => Some(PlacedMask::located(located, lattice)),
            None if self.poses.are_drawn_on_demand() => {
                sprite_poses.pose_id(pose).map(|_| PlacedMask::UNDRAWN)
            }
            None => None,
        }
    }

    /// Returns the placed mask of a source, which may be [`PlacedMask::UNDRAWN`].
    pub(crate) fn find(
        &self,
        source: MaskSource,
        (position, angle, scale): ([f32; 2], Angle, f32),
    ) -> Result<PlacedMask, CallError> {
        let lattice = snap(position, self.resolution).ok_or(CallError::Position(position))?;
        match source {
            MaskSource::Atlas(sprite_poses) => {
                let fault = || match pose::is_size(scale) {
                    true => CallError::of_angle(angle.to_radians()),
                    false => CallError::of_scale(scale),
                };
                let scales = self.records.poses().scales(&sprite_poses);
                pose::nearest(sprite_poses.angles(), scales, angle, scale)
                    .and_then(|pose| self.place(&sprite_poses, pose, lattice))
                    .ok_or_else(fault)
            }
            MaskSource::Mask(id) => {
                let runtime_mask = self.masks.get(id).ok_or(CallError::UnknownMask(id))?;
                Ok(PlacedMask::from_rect(runtime_mask.rect().translated(lattice)))
            }
        }
    }

    /// Returns an error for a sprite at a scale, above 0, that the policy refuses.
    pub(crate) fn check_scale(
        &self,
        source: MaskSource,
        scale: f32,
        policy: ScalePolicy,
    ) -> Result<(), CallError> {
        let MaskSource::Atlas(sprite_poses) = source else { return Ok(()) };
        let scales = self.records.poses().scales(&sprite_poses);
        if scales.contains(&scale) {
            return Ok(());
        }
        match policy.refused(scales, scale) {
            Some(nearest) => {
                Err(CallError::UnbakedScale { scale, nearest, factor: policy.factor() })
            }
            None => Ok(()),
        }
    }
}
