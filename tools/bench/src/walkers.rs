//! Walkers among fixed slabs: each moves by itself, and slabs and other walkers block it.
//!
//! `WalkPlan` is the same for every library, `Walkers` is the plan in a world, and `NaiveWalks` is the
//! naive side.

use hitmask::{
    Angle, Atlas, AtlasBuilder, CallError, Collider, ColliderId, Filter, Mask, MoveRules,
    Placement, Point, Rect, World,
};
use hitmask_scenes::{PreparedImage, Random, mask_of, slide};
use std::collections::HashMap;

/// Side of a cell in pixels. It holds up to one slab, in its upper part, and one walker, below.
const CELL: [f32; 2] = [64.0, 96.0];
/// Number of ticks after which the walkers turn back.
const WAY_TICKS: u32 = 64;
/// Number of angles of the slabs.
const ANGLES: u32 = 64;

/// Where walkers and slabs stand at the start, and where each walker wants to go.
///
/// Nothing overlaps. The order of walkers has nothing to do with their places.
#[derive(Clone, Debug)]
pub struct WalkPlan {
    /// Centre of each walker in pixels.
    pub walkers: Vec<[f32; 2]>,
    /// Centre and angle of each slab.
    pub slabs: Vec<Placement>,
    /// Direction of each walker, of length 1.
    headings: Vec<[f32; 2]>,
}

impl WalkPlan {
    /// Width and height of a walker in pixels: an upright capsule, round over its whole width.
    pub const WALKER: [u32; 2] = [16, 24];
    /// Width and height of a slab in pixels.
    pub const SLAB: [u32; 2] = [48, 12];

    /// Plans `walkers` walkers among `slabs` slabs.
    #[must_use]
    pub fn new(walkers: usize, slabs: usize) -> Self {
        let mut random = Random::new(11);
        let count = walkers.max(slabs);
        // As wide as high.
        let columns = ((count as f32 * CELL[1] / CELL[0]).sqrt().ceil() as usize).max(1);
        let mut spread = |used: usize, [x, y]: [f32; 2], [dx, dy]: [f32; 2]| {
            let mut cells: Vec<usize> = (0..count).collect();
            for i in (1..count).rev() {
                cells.swap(i, random.below(i as u32 + 1) as usize);
            }
            let mut aside = |limit: f32| (random.unit() * 2.0 - 1.0) * limit;
            let mut place = |cell: usize| {
                let corner = [cell % columns, cell / columns].map(|at| at as f32);
                [corner[0] * CELL[0] + x + aside(dx), corner[1] * CELL[1] + y + aside(dy)]
            };
            cells[..used].iter().map(|&cell| place(cell)).collect::<Vec<[f32; 2]>>()
        };
        let places = spread(slabs, [32.0, 30.0], [5.0, 4.0]);
        let walkers = spread(walkers, [32.0, 78.0], [20.0, 4.0]);
        let turned = |position| {
            let step = random.below(ANGLES) as u16;
            Placement { position, angle: Angle::turn(step * (65_536 / ANGLES) as u16) }
        };
        let slabs = places.into_iter().map(turned).collect();
        let headings = walkers.iter().map(|_| heading(&mut random)).collect();
        Self { walkers, slabs, headings }
    }

    /// Returns the motion of a walker in a tick, `distance` pixels long.
    #[must_use]
    pub fn motion(&self, walker: usize, tick: u32, distance: f32) -> [f32; 2] {
        let distance = if (tick / WAY_TICKS).is_multiple_of(2) { distance } else { -distance };
        self.headings[walker].map(|part| part * distance)
    }
}

/// Returns a direction of length 1, without trigonometry, which differs between platforms.
fn heading(random: &mut Random) -> [f32; 2] {
    loop {
        let [x, y] = [0; 2].map(|_| random.unit() * 2.0 - 1.0);
        let length = (x * x + y * y).sqrt();
        if (0.1..1.0).contains(&length) {
            return [x / length, y / length];
        }
    }
}

/// A plan in an updated world.
#[derive(Clone, Debug)]
pub struct Walkers {
    /// The world.
    pub world: World,
    /// The walkers, in the order of the plan.
    pub ids: Vec<ColliderId>,
    /// The plan.
    pub plan: WalkPlan,
    /// Number of ticks that were walked.
    pub tick: u32,
}

impl Walkers {
    /// Places a plan in a world, and updates it. The walkers follow the slabs.
    ///
    /// # Errors
    /// [`CallError`] if the area exceeds the limits of a world.
    ///
    /// # Panics
    /// Never: both masks are small.
    pub fn new(plan: WalkPlan) -> Result<Self, CallError> {
        let slab = {
            let [width, height] = WalkPlan::SLAB;
            let mut slab = Mask::new(width, height).expect("a small size");
            slab.fill();
            slab
        };
        let bake = AtlasBuilder::new().angles(ANGLES).mask("slab", slab).mask("walker", capsule());
        let atlas = Atlas::from_vec(bake.to_bytes().expect("two masks")).expect("a baked atlas");
        let [slab, walker] =
            ["slab", "walker"].map(|name| Collider::new(atlas.sprite_id(name).expect("its name")));
        let mut world = World::new(atlas);
        for &Placement { position, angle } in &plan.slabs {
            world.insert(slab.at(position).turned(angle).fixed())?;
        }
        let ids = plan.walkers.iter().map(|&at| world.insert(walker.at(at)));
        let ids = ids.collect::<Result<_, _>>()?;
        world.update();
        Ok(Self { world, ids, plan, tick: 0 })
    }

    /// Moves the first `moving` walkers in turn, each by `distance` pixels in its direction. Returns how
    /// many were blocked. The world is not updated.
    ///
    /// # Errors
    /// [`CallError`] if a walker would leave the limits of a world.
    pub fn walk(&mut self, moving: usize, distance: f32) -> Result<usize, CallError> {
        let mut blocked = 0;
        for (i, &id) in self.ids[..moving].iter().enumerate() {
            let moved = self.world.move_and_slide(id, self.plan.motion(i, self.tick, distance))?;
            blocked += usize::from(!moved.contacts.is_empty());
        }
        self.tick += 1;
        Ok(blocked)
    }

    /// Does the same as [`walk`](Self::walk) by one call of [`World::move_all`].
    ///
    /// # Errors
    /// Those of [`walk`](Self::walk).
    pub fn walk_all(&mut self, moving: usize, distance: f32) -> Result<usize, CallError> {
        let (ids, rules, mut blocked) = (&self.ids[..moving], MoveRules::default(), 0);
        let motion = |i| self.plan.motion(i, self.tick, distance);
        let motions: Vec<[f32; 2]> = (0..moving).map(motion).collect();
        self.world.move_all(ids, &motions, rules, Filter::SOLID, |_, moved| {
            blocked += usize::from(!moved.contacts.is_empty());
        })?;
        self.tick += 1;
        Ok(blocked)
    }

    /// Does the same as [`walk`](Self::walk), and compares the ends of `compared` walkers with those of
    /// the naive side. Returns whether they agree.
    ///
    /// # Errors
    /// Those of [`walk`](Self::walk).
    pub fn walk_compared(
        &mut self,
        (moving, distance): (usize, f32),
        compared: usize,
        naive: &mut NaiveWalks,
    ) -> Result<bool, CallError> {
        let mut agree = true;
        let every = moving.div_ceil(compared.max(1)).max(1);
        for (i, &id) in self.ids[..moving].iter().enumerate() {
            let motion = self.plan.motion(i, self.tick, distance);
            let wanted = (i % every == 0).then(|| naive.slide(&self.world, id, motion));
            let moved = self.world.move_and_slide(id, motion)?;
            agree &= wanted.is_none_or(|wanted| wanted == moved.translation);
            naive.moved(id, moved.translation);
        }
        self.tick += 1;
        Ok(agree)
    }
}

/// Draws an upright capsule of the size of a walker.
fn capsule() -> Mask {
    let [width, height] = WalkPlan::WALKER;
    // In half pixels.
    let (radius, end) = (width as i32, height as i32 * 2 - width as i32);
    mask_of(width, height, |x, y| {
        let [dx, dy] = [2 * x + 1 - radius, 2 * y + 1 - (2 * y + 1).clamp(radius, end)];
        dx * dx + dy * dy <= radius * radius
    })
}

/// The naive side: images drawn beforehand, and all colliders tested at every pixel of a way.
#[derive(Clone, Debug)]
pub struct NaiveWalks {
    images: Vec<PreparedImage>,
    /// Image and box of each collider, by the index of its id.
    colliders: Vec<(usize, Rect)>,
}

impl NaiveWalks {
    /// Draws all colliders of a world without removed ones.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let (mut images, mut known) = (Vec::new(), HashMap::new());
        let mut image = |id: ColliderId| {
            let posed = world.posed(id)?;
            let collider = world.get(id)?;
            let drawn = known.entry((collider.shape.sprite(), collider.angle.as_turn()));
            let image = *drawn.or_insert_with(|| {
                images.push(PreparedImage::new(posed.mask));
                images.len() - 1
            });
            Some((image, posed.rect()))
        };
        let colliders = world.iter().map(|(id, _)| image(id).unwrap_or_default()).collect();
        Self { images, colliders }
    }

    /// Returns the distance that a walker moves in pixels by the rules of `World::move_and_slide`, if it
    /// overlaps nothing at the start: it slides along walls, and climbs 1 px per pixel sideways.
    #[must_use]
    pub fn slide(&self, world: &World, id: ColliderId, motion: [f32; 2]) -> Point {
        let start = world.get(id).map_or([0.0; 2], |collider| collider.position);
        let snap = |at: f32| (f64::from(at) + 0.5).floor() as i32;
        let [x, y] = [0, 1].map(|axis| snap(start[axis] + motion[axis]) - snap(start[axis]));
        slide(Point::new(x, y), 1, |by| self.is_free(id.index() as usize, by))
    }

    fn is_free(&self, walker: usize, by: Point) -> bool {
        let (image, rect) = self.colliders[walker];
        let (image, rect) = (&self.images[image], rect.translated(by));
        !self.colliders.iter().enumerate().any(|(i, &(other, there))| {
            let offset = [there.x0 - rect.x0, there.y0 - rect.y0];
            i != walker
                && rect.intersection(there).is_some()
                && image.touches(&self.images[other], offset)
        })
    }

    /// Moves a walker.
    pub fn moved(&mut self, id: ColliderId, by: Point) {
        let (_, rect) = &mut self.colliders[id.index() as usize];
        *rect = rect.translated(by);
    }
}
