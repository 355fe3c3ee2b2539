use crate::{Picture, Random, all, named, scene};
use hitmask::reference::{Canvas, Drawing, PreparedImage};
use hitmask::{
    Angle, Atlas, Bake, BulkPlaceError, Collider, ColliderId, Mask, Pair, Pivot, PlaceError,
    Placement, Point, Pose, PoseSet, Sampling, SpriteId, World,
};

/// Angle steps that a stage is baked at.
const ANGLES: u32 = 64;

/// Sprites as drawn, as masks, and baked, in order of their ids: what a world and the naive
/// approach need to answer the same question.
#[derive(Debug)]
pub struct Stage {
    /// As drawn.
    pub pictures: Vec<Picture>,
    /// As masks, untrimmed.
    pub sources: Vec<Mask>,
    /// The poses that they are baked at.
    pub poses: PoseSet,
    /// Baked.
    pub atlas: Atlas,
}

impl Stage {
    /// The drawn sprites whose width in pixels is one of `widths`.
    ///
    /// # Panics
    /// Where they cannot be baked, which would be a defect.
    #[must_use]
    pub fn new(widths: impl std::ops::RangeBounds<u32>) -> Self {
        let pictures: Vec<_> = all().into_iter().filter(|p| widths.contains(&p.width)).collect();
        let sources = pictures.iter().map(Picture::mask).collect();
        Self::of(pictures, sources)
    }

    /// Forty sprites of 30 to 64 pixels, as a game has them: drawn ones in other sizes.
    ///
    /// # Panics
    /// Where they cannot be baked, which would be a defect.
    #[must_use]
    pub fn forty() -> Self {
        let drawn = ["blob", "crescent", "fighter", "hull", "ring", "soft", "star", "frame"];
        let pictures: Vec<Picture> = drawn.iter().cycle().take(40).map(|n| named(n)).collect();
        let scaled = |(i, picture): (usize, &Picture)| {
            let width = 30 + (i * 34 / 39) as u32;
            let height = (picture.height * width / picture.width).clamp(30, 64);
            picture.mask().scaled(width, height).expect("a small size")
        };
        let sources = pictures.iter().enumerate().map(scaled).collect();
        Self::of(pictures, sources)
    }

    /// The drawn sprites of these names, each scaled to a width in pixels.
    ///
    /// # Panics
    /// Where there is no sprite of a name, or where one cannot be baked, which would be a defect.
    #[must_use]
    pub fn scaled(sprites: &[(&str, u32)]) -> Self {
        let pictures: Vec<Picture> = sprites.iter().map(|(name, _)| named(name)).collect();
        let scaled = |(picture, &(_, width)): (&Picture, &(&str, u32))| {
            let height = (picture.height * width / picture.width).max(1);
            picture.mask().scaled(width, height).expect("a small size")
        };
        let sources = pictures.iter().zip(sprites).map(scaled).collect();
        Self::of(pictures, sources)
    }

    fn of(pictures: Vec<Picture>, sources: Vec<Mask>) -> Self {
        let bake = (0..).zip(&sources).fold(Bake::new().angles(ANGLES), |bake, (i, mask)| {
            // Sprites are in order of their names.
            bake.mask(format!("{i:02}"), mask.clone())
        });
        let bytes = bake.to_bytes().expect("drawn sprites bake");
        let atlas = Atlas::from_vec(bytes).expect("what was baked opens");
        let poses = PoseSet::new(ANGLES, [1.0]).expect("64 is a multiple of four");
        Self { pictures, sources, poses, atlas }
    }

    /// A collider that is not flipped, as the classic approach takes it: its source at its pose,
    /// and the pixel that its position snaps to.
    fn drawing(&self, collider: &Collider) -> Option<(Drawing<'_>, Point)> {
        let pose = self.poses.nearest(collider.angle, collider.scale)?;
        let source = self.sources.get(collider.shape.sprite()?.index() as usize)?;
        let drawing = Drawing::new(source, Pivot::Center, Sampling::Nearest, &self.poses, pose);
        let [x, y] = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
        Some((drawing.ok()?, Point::new(x, y)))
    }

    fn drawings(&self, world: &World, pair: &Pair) -> Option<[(Drawing<'_>, Point); 2]> {
        Some([self.drawing(&world.get(pair.a)?)?, self.drawing(&world.get(pair.b)?)?])
    }

    /// Number of pixels that two colliders share, by drawing both; `None` where there are none.
    #[must_use]
    pub fn naive_area(&self, canvas: &mut Canvas, world: &World, pair: &Pair) -> Option<u64> {
        let [(a, at_a), (b, at_b)] = &self.drawings(world, pair)?;
        canvas.contact((a, *at_a), (b, *at_b)).map(|contact| contact.area)
    }

    /// Whether two colliders touch, by drawing both until they do.
    #[must_use]
    pub fn naive_touches(&self, canvas: &mut Canvas, world: &World, pair: &Pair) -> bool {
        self.drawings(world, pair)
            .is_some_and(|[(a, at_a), (b, at_b)]| canvas.touches((&a, at_a), (&b, at_b)))
    }
}

/// Every sprite of a stage at every pose, prepared for the naive sides before the clock starts.
#[derive(Debug)]
pub struct StageSides<'a> {
    poses: &'a PoseSet,
    /// By sprite, then by angle step.
    posed: Vec<Vec<PosedSide<'a>>>,
}

#[derive(Debug)]
struct PosedSide<'a> {
    drawing: Drawing<'a>,
    image: PreparedImage,
    /// The image's corner, from the lattice origin.
    origin: Point,
}

impl<'a> StageSides<'a> {
    /// Draws all sprites of `stage` at all poses.
    ///
    /// # Panics
    /// Never: pivots are centres.
    #[must_use]
    pub fn new(stage: &'a Stage) -> Self {
        let poses = &stage.poses;
        let pose = |source: &'a Mask, step: u32| {
            let pose = Pose { step, scale: 0 };
            let drawing = Drawing::new(source, Pivot::Center, Sampling::Nearest, poses, pose);
            let drawing = drawing.expect("a pivot within the image");
            let posed = drawing.posed();
            let image = PreparedImage::new(posed.mask.as_ref());
            PosedSide { drawing: drawing.fitted(), image, origin: posed.origin }
        };
        let all = |source: &'a Mask| (0..ANGLES).map(|step| pose(source, step)).collect();
        Self { poses, posed: stage.sources.iter().map(all).collect() }
    }

    /// A collider that is not flipped, at its pose, and the pixel that its position snaps to.
    fn side(&self, collider: &Collider) -> Option<(&PosedSide<'a>, Point)> {
        let pose = self.poses.nearest(collider.angle, collider.scale)?;
        let side = self.posed.get(collider.shape.sprite()?.index() as usize)?;
        let [x, y] = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
        Some((side.get(pose.step as usize)?, Point::new(x, y)))
    }

    fn sides(&self, world: &World, pair: &Pair) -> Option<[(&PosedSide<'a>, Point); 2]> {
        Some([self.side(&world.get(pair.a)?)?, self.side(&world.get(pair.b)?)?])
    }

    /// Tests whether two colliders touch, by drawing both from their sources.
    #[must_use]
    pub fn drawn_touches(&self, canvas: &mut Canvas, world: &World, pair: &Pair) -> bool {
        self.sides(world, pair).is_some_and(|[(a, at_a), (b, at_b)]| {
            canvas.touches((&a.drawing, at_a), (&b.drawing, at_b))
        })
    }

    /// Tests whether two colliders touch, by comparing the images drawn beforehand.
    #[must_use]
    pub fn prepared_touches(&self, world: &World, pair: &Pair) -> bool {
        self.sides(world, pair).is_some_and(|[(a, at_a), (b, at_b)]| {
            a.image.touches(&b.image, (b.origin + at_b) - (a.origin + at_a))
        })
    }
}

/// A copy of bytes on a cache line, for as long as the program runs, as `include_atlas!` lays them.
#[must_use]
pub fn included(bytes: &[u8]) -> &'static [u8] {
    const LINE: usize = 64;
    let room = vec![0; bytes.len() + LINE].leak();
    let start = (LINE - room.as_ptr().addr() % LINE) % LINE;
    let copy = &mut room[start..][..bytes.len()];
    copy.copy_from_slice(bytes);
    copy
}

/// A world full of colliders, and how they move.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// The world.
    pub world: World,
    /// Side of the square they move in, in pixels.
    pub side: f32,
    ids: Vec<ColliderId>,
    places: Vec<Placement>,
    /// Pixels per step in x and y, radians per step.
    motions: Vec<[f32; 3]>,
}

impl Crowd {
    /// `count` colliders, each with a square of `spacing` pixels to itself on average.
    ///
    /// # Errors
    /// [`PlaceError`] where the square is larger than a world.
    pub fn new(stage: &Stage, count: usize, spacing: f32) -> Result<Self, PlaceError> {
        let side = (count as f32).sqrt() * spacing;
        let mut world = World::new(stage.atlas.clone());
        let mut random = Random::new(2);
        let mut signed = |limit: f32| (random.unit() * 2.0 - 1.0) * limit;
        let (mut ids, mut places, mut motions) = (Vec::new(), Vec::new(), Vec::new());
        for placed in scene(1, count, stage.sources.len(), side) {
            let sprite = SpriteId::new(placed.sprite as u32);
            ids.push(world.insert(Collider::new(sprite).at(placed.at).turned(placed.angle))?);
            places.push(Placement { position: placed.at, angle: Angle::Radians(placed.angle) });
            motions.push([signed(3.0), signed(3.0), signed(0.1)]);
        }
        Ok(Self { world, side, ids, places, motions })
    }

    /// Moves and turns every collider; one that leaves on one side comes back on the other.
    ///
    /// # Errors
    /// None in practice: positions stay within the square.
    pub fn step(&mut self) -> Result<(), BulkPlaceError> {
        self.think();
        self.place()
    }

    /// The first half of a step: where everybody goes, which is the game's own work.
    pub fn think(&mut self) {
        for (place, &[dx, dy, turn]) in self.places.iter_mut().zip(&self.motions) {
            let [x, y] = place.position;
            place.position = [(x + dx).rem_euclid(self.side), (y + dy).rem_euclid(self.side)];
            if let Angle::Radians(angle) = &mut place.angle {
                *angle += turn;
            }
        }
    }

    /// The second half: the world is told.
    ///
    /// # Errors
    /// None in practice.
    pub fn place(&mut self) -> Result<(), BulkPlaceError> {
        self.world.set_placements(&self.ids, &self.places)
    }
}
