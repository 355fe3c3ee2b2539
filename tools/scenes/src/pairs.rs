use crate::{Random, Strips, named};
use hitmask::reference::{Canvas, Drawing, PreparedImage};
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

    /// The masks of each question, as the queries of single pairs take them: borrowed from the atlas.
    pub fn masks(&self) -> impl Iterator<Item = (MaskRef<'_>, MaskRef<'_>, Point)> {
        let masks = self.atlas_masks();
        self.questions.iter().map(move |q| (masks[q.a], masks[q.b], q.offset))
    }

    /// Returns each sprite's mask, looked up once with `Sprite::posed`, as a game does.
    fn atlas_masks(&self) -> Vec<MaskRef<'_>> {
        let masks = self.atlas.sprites();
        masks.map(|sprite| sprite.posed(0, Pose::default(), Flip::NONE).unwrap().mask).collect()
    }

    /// Prepares the sides that answer pair by pair. Prepare them before the clock starts.
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
}

/// A scene's sprites, prepared for queries of single pairs: what each side keeps from pair to pair.
#[derive(Debug)]
pub struct PairSides<'a> {
    /// Masks of the atlas.
    pub masks: Vec<MaskRef<'a>>,
    /// Drawings with fitted boxes, and where their lattice origins lie from the box's corner.
    drawings: Vec<(Drawing<'a>, Point)>,
    /// Images of one byte per pixel.
    pub images: Vec<PreparedImage>,
}

impl PairSides<'_> {
    /// Returns the naive raster answer to a question, by drawing both sprites.
    #[must_use]
    pub fn drawn_contact(&self, canvas: &mut Canvas, question: &Question) -> Option<Contact> {
        let [a, b] = self.drawings(question);
        canvas.contact(a, b)
    }

    /// Returns the first shared pixel, by drawing both sprites up to it.
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
