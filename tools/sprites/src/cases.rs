use crate::{Random, all};
use hitmask::naive::Drawing;
use hitmask::{
    AlphaRule, Atlas, Bake, Mask, MaskRef, Pivot, Point, Pose, PoseSet, Sampling, SpriteId,
};

/// Angle steps that the cases are posed at.
const ANGLES: u32 = 64;

/// Pairs of posed sprites of about one size, at offsets where their boxes overlap: what the narrow
/// phase is measured on. Round, pointed, hollow and ragged shapes, turned at random.
#[derive(Debug)]
pub struct Cases {
    sources: Vec<Mask>,
    poses: PoseSet,
    atlas: Atlas,
    /// The pairs.
    pub pairs: Vec<Case>,
}

/// One pair.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The sprites.
    pub sprites: [SpriteId; 2],
    /// Their poses.
    pub poses: [Pose; 2],
    /// From the corner of the first one's tight box to that of the second's, in pixels.
    pub offset: Point,
}

impl Cases {
    /// `count` pairs of sprites about `size` pixels across.
    ///
    /// # Panics
    /// Where `size` is 0 or above 4,000: the scaled sprites could not be baked.
    #[must_use]
    pub fn new(size: u32, count: usize, seed: u64) -> Self {
        let shapes = ["blob", "crescent", "fighter", "hull", "ring", "star"];
        let sources: Vec<Mask> =
            all().iter().filter(|p| shapes.contains(&p.name)).map(|p| resized(p, size)).collect();
        let poses = PoseSet::new(ANGLES, [1.0]).expect("64 steps are a multiple of four");
        let names = shapes.iter().zip(&sources);
        let bake = names
            .fold(Bake::new().angles(ANGLES), |bake, (&name, mask)| bake.mask(name, mask.clone()));
        let bytes = bake.to_bytes().expect("drawn sprites bake");
        let atlas = Atlas::from_vec(bytes).expect("what was baked opens");
        let mut cases = Self { sources, poses, atlas, pairs: Vec::with_capacity(count) };
        let mut random = Random::new(seed);
        while cases.pairs.len() < count {
            let sprite = [0; 2].map(|_| random.below(shapes.len() as u32));
            let poses = [0; 2].map(|_| Pose { step: random.below(ANGLES), scale: 0 });
            let sprites = sprite.map(SpriteId::new);
            let [a, b] = [0, 1].map(|i| cases.mask(sprites[i], poses[i]));
            let within =
                |random: &mut Random, a: u32, b: u32| random.within(1 - b as i32, a as i32);
            let x = within(&mut random, a.width(), b.width());
            let y = within(&mut random, a.height(), b.height());
            cases.pairs.push(Case { sprites, poses, offset: Point::new(x, y) });
        }
        cases
    }

    /// The atlas that the sprites are baked into.
    #[must_use]
    pub const fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// The masks of a pair.
    #[must_use]
    pub fn masks(&self, case: &Case) -> [MaskRef<'_>; 2] {
        [0, 1].map(|i| self.mask(case.sprites[i], case.poses[i]))
    }

    /// A pair as the classic raster approach takes it: two sources to be drawn, and where their
    /// lattice origins lie.
    #[must_use]
    pub fn drawings(&self, case: &Case) -> [(Drawing<'_>, Point); 2] {
        let origin = |i: usize| self.posed(case.sprites[i], case.poses[i]).origin;
        let (a, b) = (origin(0), origin(1));
        let at =
            [Point::default(), Point::new(case.offset.x + a.x - b.x, case.offset.y + a.y - b.y)];
        [0, 1].map(|i| {
            let source = &self.sources[case.sprites[i].index() as usize];
            let sampling = Sampling::Nearest;
            let drawing = Drawing::new(source, Pivot::Center, sampling, &self.poses, case.poses[i]);
            (drawing.expect("a centre is a possible pivot"), at[i])
        })
    }

    fn posed(&self, sprite: SpriteId, pose: Pose) -> hitmask::PosedRef<'_> {
        let sprite = self.atlas.get(sprite).expect("the sprite was baked");
        sprite.posed(0, pose, false, false).expect("the pose was baked")
    }

    fn mask(&self, sprite: SpriteId, pose: Pose) -> MaskRef<'_> {
        self.posed(sprite, pose).mask
    }
}

/// A sprite's mask with its longer side brought to `size` pixels.
fn resized(picture: &crate::Picture, size: u32) -> Mask {
    let scale = size as f32 / picture.width.max(picture.height) as f32;
    let side = |old: u32| ((old as f32 * scale).round() as u32).max(1);
    let (width, height) = (side(picture.width), side(picture.height));
    let alpha: Vec<u8> = (0..width * height)
        .map(|i| {
            let (x, y) = (i % width * picture.width / width, i / width * picture.height / height);
            picture.rgba[(4 * (y * picture.width + x) + 3) as usize]
        })
        .collect();
    Mask::from_alpha(width, height, &alpha, AlphaRule::default()).expect("sides are small")
}
