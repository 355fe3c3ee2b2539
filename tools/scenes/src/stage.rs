//! Baked sprites with their sources, and a world of moving colliders.
//!
//! `Stage` bakes sprites, `StageSides` prepares them for the naive sides, and `Crowd` moves
//! colliders.

use crate::{Picture, PreparedImage, Random, all, named, scene};
use hitmask::reference::{Canvas, Drawing};
use hitmask::{
    Angle, Atlas, AtlasBuilder, CallError, Collider, ColliderId, Mask, Pair, Pivot, Placement,
    Point, Pose, PoseSet, Sampling, SpriteId, World,
};

const ANGLES: u32 = 64;
/// Sprites that are drawn at many scales.
const DRAWN: [&str; 8] = ["blob", "crescent", "fighter", "hull", "ring", "soft", "star", "frame"];

/// Sprites as images, as masks, and baked, in the order of their ids.
///
/// The world uses the atlas; the naive sides use the sources.
#[derive(Debug)]
pub struct Stage {
    /// Source images.
    pub pictures: Vec<Picture>,
    /// Source masks, untrimmed.
    pub sources: Vec<Mask>,
    /// Baked poses.
    pub poses: PoseSet,
    /// Atlas of the sprites.
    pub atlas: Atlas,
}

impl Stage {
    /// Bakes the drawn sprites whose width in pixels is in `widths`.
    ///
    /// # Panics
    /// If a sprite cannot be baked, which would be a bug.
    #[must_use]
    pub fn new(widths: impl std::ops::RangeBounds<u32>) -> Self {
        let pictures: Vec<_> = all().into_iter().filter(|p| widths.contains(&p.width)).collect();
        let sources = pictures.iter().map(Picture::mask).collect();
        Self::of(pictures, sources)
    }

    /// Bakes 40 sprites of which the largest has sides of up to `size` px, and the smallest of half
    /// as much: drawn sprites at other scales.
    ///
    /// # Panics
    /// If a sprite cannot be baked, which would be a bug.
    #[must_use]
    pub fn forty_up_to(size: u32) -> Self {
        let pictures: Vec<Picture> = DRAWN.iter().cycle().take(40).map(|n| named(n)).collect();
        let scaled = |(i, picture): (usize, &Picture)| {
            let width = (30 + (i * 34 / 39) as u32) * size / 64;
            let height = (picture.height * width / picture.width).clamp(30 * size / 64, size);
            picture.mask().scaled(width, height).expect("a small size")
        };
        let sources = pictures.iter().enumerate().map(scaled).collect();
        Self::of(pictures, sources)
    }

    /// Bakes the drawn sprites of these names, each scaled to a width in pixels.
    ///
    /// # Panics
    /// If there is no sprite of a name, or if one cannot be baked, which would be a bug.
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
        let named = pictures.iter().zip(&sources).enumerate();
        let bake = named.fold(AtlasBuilder::new().angles(ANGLES), |bake, (i, (picture, mask))| {
            // Names are in the order of the sprites.
            bake.mask(format!("{i:02}-{}", picture.name), mask.clone())
        });
        let bytes = bake.to_bytes().expect("drawn sprites bake");
        let atlas = Atlas::from_vec(bytes).expect("what was baked opens");
        let poses = PoseSet::new(ANGLES, [1.0]).expect("64 is a multiple of four");
        Self { pictures, sources, poses, atlas }
    }

    /// Returns a collider that is not flipped as a drawing of its source at its pose, and the pixel
    /// that its position snaps to.
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

    /// Returns the number of pixels that two colliders share, by drawing both; `None` for 0.
    #[must_use]
    pub fn naive_area(&self, canvas: &mut Canvas, world: &World, pair: &Pair) -> Option<u64> {
        let [(a, at_a), (b, at_b)] = &self.drawings(world, pair)?;
        canvas.contact((a, *at_a), (b, *at_b)).map(|contact| contact.area)
    }

    /// Tests whether two colliders touch, by drawing both up to the first shared pixel.
    #[must_use]
    pub fn naive_touches(&self, canvas: &mut Canvas, world: &World, pair: &Pair) -> bool {
        self.drawings(world, pair).is_some_and(|[(a, at_a), (b, at_b)]| {
            canvas.first_point((&a, at_a), (&b, at_b)).is_some()
        })
    }
}

/// Every sprite of a stage at every pose, prepared for the naive sides before the timing.
#[derive(Debug)]
pub struct StageSides<'a> {
    poses: &'a PoseSet,
    /// Indexed by sprite, then by angle step.
    posed: Vec<Vec<PosedSide<'a>>>,
}

#[derive(Debug)]
struct PosedSide<'a> {
    drawing: Drawing<'a>,
    image: PreparedImage,
    /// Offset of the image's corner from the lattice origin.
    origin: Point,
}

impl<'a> StageSides<'a> {
    /// Prepares all sprites of `stage` at all poses.
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

    /// Returns the pose of a collider that is not flipped, and the pixel that its position snaps
    /// to.
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
            canvas.first_point((&a.drawing, at_a), (&b.drawing, at_b)).is_some()
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

/// Copies bytes to static memory, aligned to a cache line, as `include_atlas!` does.
#[must_use]
pub fn included(bytes: &[u8]) -> &'static [u8] {
    const LINE: usize = 64;
    let room = vec![0; bytes.len() + LINE].leak();
    let start = (LINE - room.as_ptr().addr() % LINE) % LINE;
    let copy = &mut room[start..][..bytes.len()];
    copy.copy_from_slice(bytes);
    copy
}

/// A world of colliders that move at constant speed.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// The world.
    pub world: World,
    /// Side of the square that the colliders move in, in pixels.
    pub side: f32,
    ids: Vec<ColliderId>,
    places: Vec<Placement>,
    /// Velocity in x and y in pixels per step, and in radians per step.
    motions: Vec<[f32; 3]>,
}

impl Crowd {
    /// Creates `count` colliders, with `spacing` x `spacing` pixels per collider on average.
    ///
    /// # Errors
    /// [`CallError`] if the square exceeds the size limit of a world.
    pub fn new(stage: &Stage, count: usize, spacing: f32) -> Result<Self, CallError> {
        let side = (count as f32).sqrt() * spacing;
        let mut world = World::new(stage.atlas.clone());
        let mut random = Random::new(2);
        let mut signed = |limit: f32| (random.unit() * 2.0 - 1.0) * limit;
        let (mut ids, mut places, mut motions) = (Vec::new(), Vec::new(), Vec::new());
        for placed in scene(1, count, stage.sources.len(), side) {
            let sprite = SpriteId::new(placed.sprite as u32);
            ids.push(world.insert(Collider::new(sprite).at(placed.at).turned(placed.angle))?);
            places.push(Placement { position: placed.at, angle: Angle::radians(placed.angle) });
            motions.push([signed(3.0), signed(3.0), signed(0.1)]);
        }
        Ok(Self { world, side, ids, places, motions })
    }

    /// Moves and turns every collider. A collider that leaves on one side enters on the opposite
    /// side.
    ///
    /// # Errors
    /// None in practice, because positions stay inside the square.
    pub fn step(&mut self) -> Result<(), CallError> {
        self.think();
        self.place()
    }

    /// The first half of a step: computes the new placements, which is the work of a game.
    pub fn think(&mut self) {
        for (place, &[dx, dy, turn]) in self.places.iter_mut().zip(&self.motions) {
            let [x, y] = place.position;
            place.position = [(x + dx).rem_euclid(self.side), (y + dy).rem_euclid(self.side)];
            place.angle = Angle::radians(place.angle.to_radians() + turn);
        }
    }

    /// The second half of a step: passes the placements to the world.
    ///
    /// # Errors
    /// None in practice.
    pub fn place(&mut self) -> Result<(), CallError> {
        self.world.set_placements(&self.ids, &self.places)
    }

    /// Stops colliders from the next step on: a share `moving` of all goes on, and a share `fixed` of
    /// all becomes fixed. Both are spread evenly.
    ///
    /// # Errors
    /// None in practice.
    pub fn stop(&mut self, moving: f64, fixed: f64) -> Result<(), CallError> {
        let is_picked = |i: usize, share: f64| {
            let before = |i: usize| (i as f64 * share).floor();
            before(i + 1) > before(i)
        };
        let (kept, stopped): (Vec<usize>, Vec<usize>) =
            (0..self.ids.len()).partition(|&i| is_picked(i, moving));
        let fixed = if stopped.is_empty() { 0.0 } else { (fixed / (1.0 - moving)).min(1.0) };
        for (_, &i) in stopped.iter().enumerate().filter(|&(rank, _)| is_picked(rank, fixed)) {
            let id = self.ids[i];
            if let Some(collider) = self.world.get(id) {
                self.world.set(id, Collider { fixed: true, ..collider })?;
            }
        }
        self.ids = kept.iter().map(|&i| self.ids[i]).collect();
        self.places = kept.iter().map(|&i| self.places[i]).collect();
        self.motions = kept.iter().map(|&i| self.motions[i]).collect();
        Ok(())
    }
}
