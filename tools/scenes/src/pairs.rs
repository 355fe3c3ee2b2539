use crate::{Random, Strips, named};
use hitmask::reference::{Canvas, Drawing};
use hitmask::{
    Atlas, Bake, Contact, Flip, Mask, MaskRef, Pivot, Point, Pose, PoseId, PosePair, PoseSet,
    Raster, Sampling, Sprite,
};

const ANGLES: u32 = 64;
const SPRITES: [&str; 6] = ["blob", "crescent", "fighter", "hull", "ring", "star"];

/// Which pairs a scene is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// As offsets fall, even within those at which the boxes overlap: about 70% touch.
    Natural,
    /// Only pairs that touch.
    Hit,
    /// Only pairs that do not.
    Miss,
}

/// One sprite as it is shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its pixels, trimmed.
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

    /// The same, to be drawn pixel by pixel.
    ///
    /// # Panics
    /// Never: its pivot is its centre.
    #[must_use]
    pub fn drawing(&self) -> Drawing<'_> {
        let (source, poses) = (&self.source, &self.poses);
        Drawing::new(source, Pivot::Center, Sampling::Nearest, poses, self.pose).unwrap()
    }
}

/// Two of a scene's sprites, and where the second's box lies from the first's.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The first sprite.
    pub a: usize,
    /// The second sprite.
    pub b: usize,
    /// From the corner of the first one's box to that of the second's, in pixels.
    pub offset: Point,
}

/// Pairs of posed sprites of about one size whose boxes overlap: what the narrow phase is measured
/// on. Round, pointed, hollow and ragged shapes, turned at random and scaled until the longer side
/// of the trimmed box is as long as asked; as many as fit 512 KiB, so that the second cache holds
/// them.
#[derive(Debug)]
pub struct PairScene {
    /// The size in pixels, or the least and the greatest.
    pub name: String,
    /// The sprites.
    pub shown: Vec<Shown>,
    /// The same as scalar strips.
    pub strips: Vec<Strips>,
    /// The pairs.
    pub questions: Vec<Question>,
    /// The pairs, as a batch takes them.
    pub pairs: Vec<PosePair>,
    atlas: Atlas,
}

impl PairScene {
    /// The sizes that are measured, from and to, in pixels: each power of two and what lies between
    /// where art is most common, and a mixture.
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

    /// `count` distinct pairs of sprites whose longer sides are `from` to `to` pixels.
    ///
    /// # Panics
    /// Where the sizes are 0 or so large that the sprites cannot be baked.
    #[must_use]
    pub fn new((from, to): (u32, u32), mix: Mix, count: usize) -> Self {
        let mut random = Random::new(u64::from(from) << 32 | u64::from(to));
        let bytes = to.div_ceil(64) * (to + 8) * 8;
        let sprites = ((512 << 10) / bytes).clamp(8, 256);
        let shown: Vec<Shown> = (0..sprites)
            .map(|_| Shown::new(random.within(from as i32, to as i32 + 1) as u32, &mut random))
            .collect();
        let bake = shown.iter().zip(0..).fold(Bake::new().angles(1), |bake, (shown, i)| {
            bake.mask(format!("{i:06}"), shown.mask.clone())
        });
        // Copied, so that the masks start on cache lines.
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

    /// The atlas that the sprites are baked into.
    #[must_use]
    pub const fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// The masks of each question, as the queries of single pairs take them.
    pub fn masks(&self) -> impl Iterator<Item = (MaskRef<'_>, MaskRef<'_>, Point)> {
        let mask = |i: usize| self.shown[i].mask.as_ref();
        self.questions.iter().map(move |q| (mask(q.a), mask(q.b), q.offset))
    }

    /// The same pairs, of which every other mask is upside down, and whether they touch.
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

    /// What the raster approach says of a question, by drawing both sprites.
    #[must_use]
    pub fn drawn_contact(&self, canvas: &mut Canvas, question: &Question) -> Option<Contact> {
        let [a, b] = self.drawings(question);
        canvas.contact((&a.0, a.1), (&b.0, b.1))
    }

    /// Whether the raster approach says that the two touch, by drawing both until they do.
    #[must_use]
    pub fn drawn_touches(&self, canvas: &mut Canvas, question: &Question) -> bool {
        let [a, b] = self.drawings(question);
        canvas.touches((&a.0, a.1), (&b.0, b.1))
    }

    fn drawings(&self, question: &Question) -> [(Drawing<'_>, Point); 2] {
        let (a, b) = (&self.shown[question.a], &self.shown[question.b]);
        // Where the lattice origins lie from the first trimmed box's corner.
        let (first, second) = (Point::default() - a.origin, question.offset - b.origin);
        [(a.drawing(), first), (b.drawing(), second)]
    }
}
