//! Pairs whose masks are not in the CPU caches, for benches of memory-bound queries.

use crate::{Mix, PairScene, Random, Strips};
use hitmask::{Atlas, AtlasBuilder, Flip, Mask, Point, Pose, PoseId, PosePair};

/// Total size of the masks in bytes: larger than the private caches of a core.
const MASK_BYTES: u32 = 48 << 20;

/// Pairs of an atlas so large that most masks are not cached when they are tested.
#[derive(Debug)]
pub struct ColdScene {
    /// Longer side of the sprites in pixels.
    pub size: u32,
    /// Pairs in random order.
    pub random: Vec<PosePair>,
    /// The same pairs, grouped by first mask.
    pub grouped: Vec<PosePair>,
    /// The masks as scalar strips.
    pub strips: Vec<Strips>,
    /// The pairs in random order: indices into `strips`, and the offset.
    pub questions: Vec<(usize, usize, Point)>,
    atlas: Atlas,
}

impl ColdScene {
    /// Creates `count` pairs of sprites with a longer side of `size` px: copies of the sprites of
    /// [`PairScene`], each with 2 pixels changed.
    ///
    /// # Panics
    /// As [`PairScene::new`].
    #[must_use]
    pub fn new(size: u32, count: usize) -> Self {
        let scene = PairScene::new((size, size), Mix::Natural, 1);
        let mut random = Random::new(size.into());
        let sprites = MASK_BYTES / (size.div_ceil(64) * (size + 8) * 8);
        let masks: Vec<Mask> = (0..sprites as usize)
            .map(|i| {
                let mut mask = scene.shown[i % scene.shown.len()].mask.clone();
                let (w, h) = (mask.width() as i32, mask.height() as i32);
                for _ in 0..2 {
                    // Not on the border, so that the trimmed size stays the same.
                    let (x, y) = (random.within(1, w - 1), random.within(1, h - 1));
                    let is_set = mask.as_ref().get(x, y);
                    mask.set(x, y, !is_set);
                }
                mask
            })
            .collect();
        let bake =
            masks.iter().enumerate().fold(AtlasBuilder::new().angles(1), |bake, (i, mask)| {
                bake.mask(format!("{i:06}"), mask.clone())
            });
        let atlas = Atlas::from_bytes(&bake.to_bytes().unwrap()).unwrap();
        let ids: Vec<PoseId> = atlas
            .sprites()
            .map(|sprite| sprite.pose_id(0, Pose::default(), Flip::NONE).unwrap())
            .collect();
        let questions: Vec<(usize, usize, Point)> = (0..count)
            .map(|_| {
                let [a, b] = [0; 2].map(|_: i32| random.below(sprites) as usize);
                let side = |i: usize| [masks[i].width() as i32, masks[i].height() as i32];
                let ([aw, ah], [bw, bh]) = (side(a), side(b));
                (a, b, Point::new(random.within(1 - bw, aw), random.within(1 - bh, ah)))
            })
            .collect();
        let pair = |&(a, b, offset): &_| PosePair { a: ids[a], b: ids[b], offset };
        let mut sorted = questions.clone();
        sorted.sort_by_key(|&(a, ..)| a);
        Self {
            size,
            random: questions.iter().map(pair).collect(),
            grouped: sorted.iter().map(pair).collect(),
            strips: masks.iter().map(|mask| Strips::new(mask.as_ref())).collect(),
            questions,
            atlas,
        }
    }

    /// Returns the atlas of the sprites.
    #[must_use]
    pub const fn atlas(&self) -> &Atlas {
        &self.atlas
    }
}
