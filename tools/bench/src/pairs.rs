//! Pairs of posed sprites with overlapping boxes: the scene on which the narrow phase is measured.
//!
//! `PairScene` has the pairs in the form of each library query. `PairSides` has what the naive
//! sides prepare before the timing.

use crate::Strips;
use hitmask::reference::{Canvas, Drawing};
use hitmask::{
    Atlas, AtlasBuilder, Contact, Flip, Mask, MaskRef, Pivot, Point, Pose, PoseId, PosePair,
    PoseSet, Raster, Sampling, Sprite,
};
use hitmask_scenes::{PreparedImage, Random, named};

const ANGLES: u32 = 64;
pub(crate) const SPRITES: [&str; 6] = ["blob", "crescent", "fighter", "hull", "ring", "star"];

/// Selection of the pairs of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// Uniform offsets among those at which the boxes overlap: about 70% touch.
    Natural,
    /// Only touching pairs.
    Hit,
    /// Only pairs that do not touch.
    Miss,
}

/// One posed sprite.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The mask, trimmed.
    pub mask: Mask,
    source: Mask,
    poses: PoseSet,
    pose: Pose,
    origin: Point,
}

impl Shown {
    fn new(size: u32, random: &mut Random) -> Self {
        let picture = named(SPRITES[random.below(SPRITES.len() as u32) as usize]);
        let source = picture.mask();
        let raster = Raster::new(&source, Pivot::Center, Sampling::Nearest).unwrap();
        let pose = Pose { step: random.below(ANGLES), scale: 0 };
        let at = |scale: f32| {
            let poses = PoseSet::new(ANGLES, [scale]).unwrap();
            let posed = raster.pose(&poses, pose).unwrap();
            (poses, posed)
        };
        let longer = |mask: &Mask| mask.width().max(mask.height());
        let first = at(1.0).1;
        let (poses, posed) = at(size as f32 / longer(&first.mask) as f32);
        assert!(longer(&posed.mask).abs_diff(size) <= size.div_ceil(16));
        Self { source, poses, pose, mask: posed.mask, origin: posed.origin }
    }

    /// Returns the pose as a drawing that the reference evaluates pixel by pixel.
    fn drawing(&self) -> Drawing<'_> {
        let (source, poses) = (&self.source, &self.poses);
        Drawing::new(source, Pivot::Center, Sampling::Nearest, poses, self.pose).unwrap()
    }
}

/// A pair of sprites of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Index of the first sprite.
    pub a: usize,
    /// Index of the second sprite.
    pub b: usize,
    /// Offset in pixels from the corner of the first box to that of the second.
    pub offset: Point,
}

/// Pairs of posed sprites of similar size with overlapping boxes.
///
/// The sprites are round, pointed, hollow and ragged, at random angles, and scaled to the given
/// longer side of the trimmed box. Their number is limited to 512 KiB of masks, so that they fit
/// into the L2 cache.
#[derive(Debug)]
pub struct PairScene {
    /// Size in pixels, or the range of sizes.
    pub name: String,
    /// The posed sprites.
    pub shown: Vec<Shown>,
    /// The posed sprites as scalar strips.
    pub strips: Vec<Strips>,
    /// The pairs.
    pub questions: Vec<Question>,
    /// The same pairs in the form of a batch.
    pub pairs: Vec<PosePair>,
    atlas: Atlas,
}

impl PairScene {
    /// Default ranges of sizes in pixels: powers of two, sizes between them that are common in art,
    /// and a mixture.
    pub const SIZES: [(u32, u32); 10] = [
        (16, 16),
        (32, 32),
        (64, 64),
        (80, 80),
        (100, 100),
        (128, 128),
        (160, 160),
        (256, 256),
        (512, 512),
        (16, 128),
    ];

    /// Creates `count` distinct pairs of sprites with longer sides of `from` to `to` pixels.
    ///
    /// # Panics
    /// If a size is 0, or too large to bake.
    #[must_use]
    pub fn new((from, to): (u32, u32), mix: Mix, count: usize) -> Self {
        let mut random = Random::new(u64::from(from) << 32 | u64::from(to));
        let bytes = to.div_ceil(64) * (to + 8) * 8;
        let sprites = ((512 << 10) / bytes).clamp(8, 256);
        let shown: Vec<Shown> = (0..sprites)
            .map(|_| Shown::new(random.within(from as i32, to as i32 + 1) as u32, &mut random))
            .collect();
        let bake = shown.iter().zip(0..).fold(AtlasBuilder::new().angles(1), |bake, (shown, i)| {
            bake.mask(format!("{i:06}"), shown.mask.clone())
        });
        // Aligns the masks to cache lines.
        let atlas = Atlas::from_bytes(&bake.to_bytes().unwrap()).unwrap();
        let strips = shown.iter().map(|shown| Strips::new(shown.mask.as_ref())).collect();
        let mut questions = Vec::with_capacity(count);
        while questions.len() < count {
            let [a, b] = [0; 2].map(|_: i32| random.below(sprites) as usize);
            let side = |i: usize| [shown[i].mask.width() as i32, shown[i].mask.height() as i32];
            let ([aw, ah], [bw, bh]) = (side(a), side(b));
            let offset = Point::new(random.within(1 - bw, aw), random.within(1 - bh, ah));
            let hit = shown[a].mask.touches(&shown[b].mask, offset);
            if !matches!((mix, hit), (Mix::Hit, false) | (Mix::Miss, true)) {
                questions.push(Question { a, b, offset });
            }
        }
        let ids: Vec<PoseId> = atlas
            .sprites()
            .map(|sprite| sprite.pose_id(0, Pose::default(), Flip::NONE).unwrap())
            .collect();
        let pair = |q: &Question| PosePair { a: ids[q.a], b: ids[q.b], offset: q.offset };
        let pairs = questions.iter().map(pair).collect();
        let name = if from == to { to.to_string() } else { format!("{from}-{to}") };
        Self { name, shown, strips, questions, pairs, atlas }
    }

    /// Returns the atlas of the sprites.
    #[must_use]
    pub const fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Returns the masks and offset of each pair, borrowed from the atlas, for queries of single
    /// pairs.
    pub fn masks(&self) -> impl Iterator<Item = (MaskRef<'_>, MaskRef<'_>, Point)> {
        let masks = self.atlas_masks();
        self.questions.iter().map(move |q| (masks[q.a], masks[q.b], q.offset))
    }

    /// Returns each sprite's mask, looked up once with `Sprite::posed`, as a game does.
    fn atlas_masks(&self) -> Vec<MaskRef<'_>> {
        let masks = self.atlas.sprites();
        masks.map(|sprite| sprite.posed(0, Pose::default(), Flip::NONE).unwrap().mask).collect()
    }

    /// Prepares the sides that test pair by pair. Call it before the timing.
    #[must_use]
    pub fn sides(&self) -> PairSides<'_> {
        // The lattice origin lies at minus the trimmed box's origin from the box's corner.
        let corner = |s: &Shown| Point::default() - s.origin;
        PairSides {
            masks: self.atlas_masks(),
            drawings: self.shown.iter().map(|s| (s.drawing().fitted(), corner(s))).collect(),
            images: self.shown.iter().map(|s| PreparedImage::new(s.mask.as_ref())).collect(),
        }
    }

    /// Returns the same pairs with every second mask mirrored vertically, and whether they touch.
    #[must_use]
    pub fn flipped(&self) -> (Vec<PosePair>, Vec<bool>) {
        let mut random = Random::new(self.questions.len() as u64);
        let ids = |flip: bool| -> Vec<PoseId> {
            let id = |sprite: Sprite<'_>| {
                sprite.pose_id(0, Pose::default(), Flip { x: false, y: flip }).unwrap()
            };
            self.atlas.sprites().map(id).collect()
        };
        let ids = [ids(false), ids(true)];
        let shown = |i: usize, flip: bool| {
            let mask = self.shown[i].mask.as_ref();
            if flip { mask.flip_y() } else { mask }
        };
        let flipped = self.questions.iter().map(|&Question { a, b, offset }| {
            let [flip_a, flip_b] = [0; 2].map(|_: i32| random.below(2) == 1);
            let pair =
                PosePair { a: ids[usize::from(flip_a)][a], b: ids[usize::from(flip_b)][b], offset };
            (pair, shown(a, flip_a).touches(shown(b, flip_b), offset))
        });
        flipped.unzip()
    }
}

/// The sprites of a scene, prepared for queries of single pairs.
#[derive(Debug)]
pub struct PairSides<'a> {
    /// Masks of the atlas, by sprite.
    pub masks: Vec<MaskRef<'a>>,
    /// Drawings with tight boxes, and the offset of the lattice origin from the box's corner.
    drawings: Vec<(Drawing<'a>, Point)>,
    /// Images with one byte per pixel.
    pub images: Vec<PreparedImage>,
}

impl PairSides<'_> {
    /// Returns the contact of a pair, by drawing both sprites.
    #[must_use]
    pub fn drawn_contact(&self, canvas: &mut Canvas, question: &Question) -> Option<Contact> {
        let [a, b] = self.drawings(question);
        canvas.contact(a, b)
    }

    /// Returns the first shared pixel of a pair, by drawing both sprites up to that pixel.
    #[must_use]
    pub fn drawn_point(&self, canvas: &mut Canvas, question: &Question) -> Option<Point> {
        let [a, b] = self.drawings(question);
        canvas.first_point(a, b)
    }

    fn drawings(&self, question: &Question) -> [(&Drawing<'_>, Point); 2] {
        let ((a, at_a), (b, at_b)) = (&self.drawings[question.a], &self.drawings[question.b]);
        [(a, *at_a), (b, question.offset + *at_b)]
    }
}
