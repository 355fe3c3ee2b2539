//! Pairs over a pool of any size, with coarse levels and without, for benches of the levels and of cold masks.

use crate::atlas_file::{self, with_level_side, without_levels};
use crate::pairs::SPRITES;
use crate::{Random, Strips, named};
use hitmask::{
    Atlas, Flip, MaskRef, Pivot, Point, Pose, PoseId, PosePair, PoseSet, Posed, Raster, Sampling,
    Sprite,
};

/// Masks of a sprite.
const ANGLES: u32 = 64;
/// Steps among which the masks of a sprite are drawn.
const STEPS: u32 = 1 << 10;

/// Random pairs of distinct masks of one size, whose boxes overlap. About 70% touch.
///
/// The masks are those of [`PairScene`](crate::PairScene): round, pointed, hollow and ragged
/// sprites at random angles. Each has a place of its own in the pool, and levels of its own.
#[derive(Debug)]
pub struct PoolScene {
    /// Longer side of the masks in pixels, give or take 1/16.
    pub size: u32,
    /// The pairs.
    pub pairs: Vec<PosePair>,
    /// The same pairs: indices of masks, and the offset.
    pub questions: Vec<(usize, usize, Point)>,
    /// Every mask has levels. Two copies, because the place in memory matters too: pages of one copy
    /// may be farther from the core than those of another.
    pub with_levels: [Atlas; 2],
    /// The same poses. No mask has levels.
    pub without_levels: [Atlas; 2],
}

impl PoolScene {
    /// Creates `count` pairs over masks of `bytes` bytes in all, or of 64 masks if those take more.
    ///
    /// # Panics
    /// If `size` is 0 or too large to draw.
    #[must_use]
    pub fn new(size: u32, bytes: usize, count: usize) -> Self {
        let of_mask = 8 * size.div_ceil(64) as usize * (size as usize + 8);
        let sprites = (bytes / of_mask / ANGLES as usize).max(1);
        let with_levels = atlas_file::atlas((sprites, ANGLES), 1, &|i| drawn(size, i as u64));
        let mut random = Random::new(size.into());
        let poses = poses(&with_levels);
        let side = |(_, mask): &(PoseId, MaskRef<'_>)| [mask.width(), mask.height()];
        let questions: Vec<(usize, usize, Point)> = (0..count)
            .map(|_| {
                let [a, b] = [0; 2].map(|_: i32| random.below(poses.len() as u32) as usize);
                let [[aw, ah], [bw, bh]] = [a, b].map(|i| side(&poses[i]).map(u32::cast_signed));
                (a, b, Point::new(random.within(1 - bw, aw), random.within(1 - bh, ah)))
            })
            .collect();
        let pair = |&(a, b, offset): &(usize, usize, Point)| PosePair {
            a: poses[a].0,
            b: poses[b].0,
            offset,
        };
        let pairs = questions.iter().map(pair).collect();
        // Allocated in the order with, without, without, with.
        let without_levels = [0; 2].map(|_: i32| without_levels(&with_levels));
        let again = with_level_side(&with_levels, 1);
        Self { size, pairs, questions, without_levels, with_levels: [with_levels, again] }
    }

    /// Returns the masks as scalar strips.
    #[must_use]
    pub fn strips(&self) -> Vec<Strips> {
        poses(&self.without_levels[0]).into_iter().map(|(_, mask)| Strips::new(mask)).collect()
    }
}

fn poses(atlas: &Atlas) -> Vec<(PoseId, MaskRef<'_>)> {
    fn all(sprite: Sprite<'_>) -> Vec<(PoseId, MaskRef<'_>)> {
        let pose = |step: u32| {
            let (pose, flip) = (Pose { step, scale: 0 }, Flip::NONE);
            Some((sprite.pose_id(0, pose, flip)?, sprite.posed(0, pose, flip)?.mask))
        };
        (0..ANGLES).filter_map(pose).collect()
    }
    atlas.sprites().flat_map(all).collect()
}

/// Draws one sprite at random angles, each mask with a longer side of `size` pixels.
fn drawn(size: u32, seed: u64) -> Vec<Posed> {
    let mut random = Random::new(seed);
    let source = named(SPRITES[random.below(SPRITES.len() as u32) as usize]).mask();
    let raster = Raster::new(&source, Pivot::Center, Sampling::Nearest).expect("a centre");
    let pose = |step: u32, scale: f32| {
        let poses = PoseSet::new(STEPS, [scale]).expect("a scale for a mask of this size");
        raster.pose(&poses, Pose { step, scale: 0 }).expect("a mask of this size")
    };
    (0..ANGLES)
        .map(|_| {
            let step = random.below(STEPS);
            let first = pose(step, 1.0).mask;
            let longer = first.width().max(first.height());
            pose(step, size as f32 / longer as f32)
        })
        .collect()
}
