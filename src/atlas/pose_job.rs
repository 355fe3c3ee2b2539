//! The work of drawing or copying the poses of one plane of a frame, cut into parts of bounded size.
//!
//! Used by `builder`. Invariants: images with equal sources have equal poses, and the parts of a
//! source in order are all of its poses.

use super::build_error::BuildError;
use super::digest;
use super::drawn_poses::DrawnPoses;
use super::pool_writer::WriteError;
use super::reuse::{Kept, Run};
use super::source_sprite::{Image, SourceSprite};
use crate::error::CallError;
use crate::mask::{MAX_SIDE, Mask, words_of};
use crate::pose::PoseSet;
use crate::raster::{Raster, Sampling};
use std::f64::consts::{FRAC_1_PI, FRAC_2_PI};
use std::hash::Hash;
use std::ops::Range;

/// Bytes from which the poses of one source are cut into parts, and the aim for each part.
const PART_BYTES: u64 = 8 << 20;

impl SourceSprite {
    /// Returns a hashable key per image. Images with equal keys have equal poses.
    pub(crate) fn pose_keys(&self) -> impl Iterator<Item = impl Hash> {
        self.images.iter().map(|image| PoseKey::of(self, image))
    }
}

/// A sprite to be added to an atlas.
#[derive(Debug)]
pub enum Entry<'a> {
    /// Sprite whose poses are to be drawn.
    New(SourceSprite),
    /// Sprite that is copied with its poses from another atlas.
    Kept(Kept<'a>),
}

impl Entry<'_> {
    pub(super) fn sprite(&self) -> &SourceSprite {
        match self {
            Self::New(sprite) => sprite,
            Self::Kept(kept) => &kept.sprite,
        }
    }

    /// Returns the number of images: one per plane of each frame.
    pub(super) fn images(&self) -> usize {
        match self {
            Self::New(sprite) => sprite.images.len(),
            Self::Kept(kept) => kept.frames.len(),
        }
    }

    pub(super) fn image(&self, i: usize) -> ([i32; 2], [u32; 2]) {
        match self {
            Self::New(sprite) => (sprite.images[i].pivot, sprite.images[i].size),
            Self::Kept(kept) => {
                let frame = &kept.frames[i];
                (frame.pivot, [frame.width, frame.height])
            }
        }
    }

    pub(super) fn source(&self, i: usize) -> PoseSource {
        match self {
            Self::New(sprite) => {
                PoseSource::Image(digest::of_value(&PoseKey::of(sprite, &sprite.images[i])))
            }
            Self::Kept(kept) => PoseSource::Run(kept.run(&kept.frames[i])),
        }
    }

    pub(super) fn poses_each(&self) -> u32 {
        self.sprite().poses.stored_count()
    }

    /// Returns about the bytes of the masks of image `i` at all poses.
    pub(super) fn bytes(&self, i: usize) -> u64 {
        match self {
            Self::New(sprite) => PoseKey::of(sprite, &sprite.images[i]).bytes(),
            Self::Kept(kept) => kept.bytes(&kept.frames[i]),
        }
    }
}

/// The source of the poses of one plane of a frame. Equal sources give equal poses.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum PoseSource {
    /// Digest of an image and its settings.
    Image(u128),
    /// Poses of another atlas.
    Run(Run),
}

/// The input that determines the poses of an image.
#[derive(Hash)]
struct PoseKey<'a> {
    tight: &'a Mask,
    /// In half-texels from the corner of the tight box.
    pivot: [i32; 2],
    poses: &'a PoseSet,
    sampling: Sampling,
}

impl<'a> PoseKey<'a> {
    fn of(sprite: &'a SourceSprite, image: &'a Image) -> Self {
        let [x, y] = image.pivot;
        let pivot = match image.tight.width() {
            0 => [x & 1, y & 1],
            _ => [x - 2 * image.corner.x, y - 2 * image.corner.y],
        };
        Self { tight: &image.tight, pivot, poses: &sprite.poses, sampling: sprite.sampling }
    }

    /// Returns the sum of `of_pose` over all poses, by the sides of the tight box at each scale.
    fn sum(&self, of_pose: impl Fn(f64, f64) -> u64) -> u64 {
        let steps = u64::from(self.poses.stored_steps());
        let of_scale = |scale: &f32| {
            let pixels = f64::from(scale * self.poses.resolution());
            let [w, h] = [self.tight.width(), self.tight.height()].map(|n| f64::from(n) * pixels);
            of_pose(w, h).saturating_mul(steps)
        };
        self.poses.scales().iter().map(of_scale).fold(0, u64::saturating_add)
    }

    /// Returns an upper bound for the bytes of the masks of all poses.
    fn max_bytes(&self) -> u64 {
        let side = |exact: f64| (exact.ceil() as u32).saturating_add(4).min(MAX_SIDE);
        let is_upright = self.poses.angles() <= 4;
        self.sum(|w, h| {
            // The diagonal of a long and thin source is far from its sides at quarter turns.
            let [w, h] = if is_upright { [side(w), side(h)] } else { [side(w.hypot(h)); 2] };
            8 * u64::from(words_of(w, h).max(words_of(h, w)))
        })
    }

    /// Returns about the bytes of the masks of all poses.
    fn bytes(&self) -> u64 {
        self.sum(|w, h| {
            // The mean over all angles of the area and of a side of the turned box, then with a
            // strip of 64 columns and the guard rows.
            let area = (w * w + h * h) * FRAC_1_PI + w * h;
            let side = (w + h) * FRAC_2_PI;
            ((area + (64.0 + 14.0) * side) / 8.0) as u64 + 128
        })
    }

    fn draw(
        &self,
        part: Range<u32>,
        is_all: bool,
        drawn: &mut DrawnPoses,
    ) -> Result<(), CallError> {
        let raster = Raster::of_tight(self.tight.clone(), self.pivot, self.sampling);
        drawn.fill(|poses| {
            if is_all {
                raster.stored(self.poses, poses)
            } else {
                raster.stored_part(self.poses, part, poses)
            }
        })
    }
}

/// Poses that are not in the atlas yet: all of an image, or a part.
pub(super) struct PoseJob<'a> {
    entry: &'a Entry<'a>,
    image: usize,
    /// Numbers of the poses, from 0.
    part: Range<u32>,
    /// About the bytes of the masks.
    pub(super) bytes: u64,
    /// The source, if these are its last poses.
    pub(super) ends: Option<PoseSource>,
    /// Filled by `make`.
    pub(super) drawn: DrawnPoses,
    pub(super) outcome: Result<(), BuildError>,
}

impl<'a> PoseJob<'a> {
    /// Returns the next job of image `image`, whose poses up to `next` have jobs.
    pub(super) fn next(
        entry: &'a Entry<'a>,
        image: usize,
        next: u32,
        source: &PoseSource,
        drawn: DrawnPoses,
    ) -> Self {
        let (all, bytes) = (entry.poses_each(), entry.bytes(image));
        let parts = bytes.div_ceil(PART_BYTES).clamp(1, u64::from(all));
        let most = u64::from(all).div_ceil(parts) as u32;
        let part = next..all.min(next.saturating_add(most));
        let bytes = bytes / parts;
        let ends = (part.end == all).then(|| source.clone());
        Self { entry, image, part, bytes, ends, drawn, outcome: Ok(()) }
    }

    pub(super) fn end(&self) -> u32 {
        self.part.end
    }

    pub(super) fn poses(&self) -> usize {
        self.part.len()
    }

    /// Draws or copies the poses, unless all of the image certainly exceed `limit` bytes.
    pub(super) fn make(&mut self, limit: u64) {
        let (part, is_all) = (self.part.clone(), self.part.len() as u32 == self.entry.poses_each());
        self.outcome = match self.entry {
            Entry::Kept(kept) => {
                let first = kept.frames[self.image].first_pose;
                let part = first + part.start..first + part.end;
                kept.fill(part, &mut self.drawn).map_err(BuildError::from)
            }
            Entry::New(sprite) => {
                let key = PoseKey::of(sprite, &sprite.images[self.image]);
                // The bound is divided by 64, because equal poses of an image are stored once.
                if key.max_bytes() / 64 > limit {
                    Err(WriteError::Full.into())
                } else {
                    let failed = |cause| BuildError::pose(&sprite.name, cause);
                    key.draw(part, is_all, &mut self.drawn).map_err(failed)
                }
            }
        };
    }
}
