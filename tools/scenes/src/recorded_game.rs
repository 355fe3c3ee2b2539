//! A game whose hashes are recorded in a file, to compare machines and instruction sets.
//!
//! `tests/determinism.rs` plays it on the build machine, and `.ci/nightly hashes` on other targets too.
//! Invariant: no number in it comes from a function that the system's mathematics library rounds, such
//! as sine. Only such numbers may differ between machines.

use crate::{Random, all, named, open};
use hitmask::{
    Accuracy, Affine, Angle, Atlas, AtlasBuilder, Collider, ColliderId, Filter, Flip, Line, Mask,
    MaskId, MoveRules, Pair, Pivot, Placement, Point, Raster, Rect, Sampling, Settings, SpriteId,
    World, Zone,
};
use std::fmt::{Debug, Write};

/// Colliders that move, of which [`PARTS`] are parts of bodies.
const MOVERS: usize = 120;
/// Bodies of 3 parts each. Their owners are 1 to `BODIES`.
const BODIES: u32 = 4;
const PARTS: usize = 3 * BODIES as usize;
/// Side of the square that colliders move in, in pixels.
const SIDE: i32 = 640;
/// Terrains: runtime masks that are edited.
const TERRAINS: usize = 4;
const TERRAIN_SIDE: u32 = 120;
/// Layer of the platforms that can be passed from below.
const ONE_WAY: u32 = 4;
/// The world is restored from its snapshot each so many ticks.
const RESTORE_EACH: u32 = 101;
/// Bytes of poses that the world keeps: fewer than it shows over time, so that poses are dropped and
/// drawn again.
const POSE_BUDGET: u64 = 1 << 20;

/// A game that calls each kind of change and question, with arguments that depend only on its state.
///
/// Two hashes are folded over all ticks: one of the states, and one of all answers.
///
/// ```
/// use hitmask_scenes::RecordedGame;
/// let [mut one, mut other] = [RecordedGame::new(), RecordedGame::new()];
/// one.tick();
/// assert_ne!(one.line(), other.line());
/// other.tick();
/// assert_eq!(one.line(), other.line());
/// ```
#[derive(Clone, Debug)]
pub struct RecordedGame {
    world: World,
    random: Random,
    movers: Vec<ColliderId>,
    /// Runtime masks that are edited. Each has a fixed collider.
    terrains: Vec<MaskId>,
    /// A runtime mask that is drawn from a sprite under changing transforms.
    drawn: MaskId,
    ticks: u32,
    states: Hash,
    answers: Hash,
}

impl Default for RecordedGame {
    fn default() -> Self {
        Self::new()
    }
}

impl RecordedGame {
    /// Bakes the atlases and fills the world.
    ///
    /// # Panics
    /// If a call is refused, which would be a bug.
    #[must_use]
    pub fn new() -> Self {
        let [first, second] = atlases();
        let mut answers = Hash::new();
        answers.bytes(first.as_bytes());
        answers.bytes(second.as_bytes());
        let mut world = World::new(first);
        world.atlases_mut().add(second).expect("atlases of one resolution");
        world.atlases_mut().set_pose_budget(Some(POSE_BUDGET)).expect("nothing is shown yet");
        let mut random = Random::new(41);
        let mut masks = world.masks_mut();
        let terrains: Vec<MaskId> = (0..TERRAINS)
            .map(|_| {
                let mut mask = Mask::new(TERRAIN_SIDE, TERRAIN_SIDE).expect("a small size");
                (0..20).for_each(|_| edit(&mut mask, &mut random));
                masks.insert(mask, Pivot::Center).expect("a mask of legal size")
            })
            .collect();
        let card = Raster::new(&named("fighter").mask(), Pivot::Center, Sampling::Coverage25);
        let drawn = masks.insert_drawn(card.expect("a legal pivot"), Affine::IDENTITY);
        let drawn = drawn.expect("a legal transform");
        let terrain_colliders = terrains.iter().enumerate().map(|(i, &mask)| {
            let at = [(i as i32 % 2 * 2 + 1) * SIDE / 4, (i as i32 / 2 * 2 + 1) * SIDE / 4];
            let layers = if i == 0 { ONE_WAY } else { 1 };
            let collider = Collider::from_mask(mask).at(at.map(|at| at as f32)).fixed();
            collider.on_layers(layers, u32::MAX)
        });
        world.insert_all(&terrain_colliders.collect::<Vec<_>>()).expect("legal colliders");
        let looks: Vec<Collider> =
            (0..MOVERS).map(|i| look(&world, drawn, i, &mut random)).collect();
        let movers = world.insert_all(&looks).expect("legal colliders");
        let states = Hash::new();
        Self { world, random, movers, terrains, drawn, ticks: 0, states, answers }
    }

    /// Plays one tick: changes, moves, an update, and questions.
    ///
    /// # Panics
    /// If a call is refused that must not be, which would be a bug.
    pub fn tick(&mut self) {
        self.replace();
        self.place();
        self.edit();
        self.walk();
        if self.ticks.is_multiple_of(8) {
            self.world.update_with(|pair| !pair.pair().a.index().is_multiple_of(5));
        } else {
            self.world.update();
        }
        self.ask();
        self.ask_pairs();
        self.ticks += 1;
        if self.ticks.is_multiple_of(RESTORE_EACH) {
            let atlases: Vec<Atlas> = self.world.atlases().cloned().collect();
            let saved = self.world.snapshot();
            self.world = World::from_snapshot(atlases, &saved).expect("its own snapshot");
            let mut atlases = self.world.atlases_mut();
            self.answers.answer(&atlases.set_pose_budget(Some(POSE_BUDGET)).ok());
        }
        self.states.bytes(&self.world.state_hash().to_le_bytes());
    }

    /// Returns the number of ticks and the hashes as a line of the recorded file.
    #[must_use]
    pub fn line(&self) -> String {
        let ([states, answers], ticks) = (self.hashes(), self.ticks);
        format!("{ticks} ticks: states {states:016x}, answers {answers:016x}")
    }

    /// Returns the hash of all states and that of all answers.
    #[must_use]
    pub const fn hashes(&self) -> [u64; 2] {
        [self.states.0, self.answers.0]
    }

    /// Returns the world, for checks of what is played.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Removes some colliders that began to touch, inserts new ones in their places, and changes the
    /// looks of others.
    fn replace(&mut self) {
        let Self { world, random, movers, drawn, answers, .. } = self;
        let hit: Vec<ColliderId> = world.began().iter().step_by(16).map(|pair| pair.b).collect();
        for id in hit {
            let Some(i) = movers.iter().position(|&mover| mover == id) else { continue };
            let new = look(world, *drawn, i, random);
            answers.answer(&world.remove(id).map(|removed| removed.user_data));
            movers[i] = world.insert(new).expect("a legal collider");
        }
        let i = random.below(MOVERS as u32) as usize;
        let new = look(world, *drawn, i, random);
        answers.answer(&world.set(movers[i], new).ok());
        let i = PARTS + random.below((MOVERS - PARTS) as u32) as usize;
        let (at, scale) = (place(random), [0.5, 0.7, 1.0, 1.3][random.below(4) as usize]);
        answers.answer(&world.place(movers[i], at, turn(random), scale).ok());
    }

    /// Moves and turns a third of the colliders.
    fn place(&mut self) {
        let Self { world, random, movers, answers, .. } = self;
        let start = PARTS + random.below(3) as usize;
        let ids: Vec<ColliderId> = movers.iter().copied().skip(start).step_by(3).collect();
        let placements = ids.iter().map(|&id| {
            let Collider { position, angle, shape, .. } = world.get(id).expect("a live id");
            let near = |at: f32, by: f32| (at + by * 9.0 - 4.5).clamp(0.0, SIDE as f32);
            let [x, y] = position;
            let position = [near(x, random.unit()), near(y, random.unit())];
            let angle = if shape.sprite().is_some() { turn(random) } else { angle };
            Placement { position, angle }
        });
        let placements: Vec<Placement> = placements.collect();
        answers.answer(&world.set_placements(&ids, &placements).ok());
    }

    /// Edits a terrain, and draws the drawn mask under another transform.
    fn edit(&mut self) {
        let Self { world, random, terrains, drawn, answers, ticks, .. } = self;
        let terrain = terrains[random.below(TERRAINS as u32) as usize];
        world.masks_mut().edit(terrain, |mask| edit(mask, random));
        if ticks.is_multiple_of(8) {
            let mut part = || f64::from(random.within(-96, 97)) / 64.0;
            let [a, b, c, d, tx, ty] = [0; 6].map(|_| part());
            let transform = Affine { a, b, c, d, tx, ty };
            answers.answer(&world.masks_mut().transform(*drawn, transform).ok());
        }
    }

    /// Moves colliders up to obstacles by each kind of move.
    fn walk(&mut self) {
        let Self { world, random, movers, answers, .. } = self;
        let filter = Filter::SOLID;
        let rules = [
            MoveRules::default(),
            MoveRules { climb: 2, slip: 1, one_way: ONE_WAY, rise: 4 },
            MoveRules { climb: 0, slip: 2, ..MoveRules::default() },
        ];
        let mover =
            |random: &mut Random| movers[PARTS + random.below((MOVERS - PARTS) as u32) as usize];
        for rules in rules {
            let (id, by) = (mover(random), way(random));
            answers.answer(&world.move_by_rules(id, by, rules, filter).ok());
        }
        answers.answer(&world.move_and_slide(mover(random), way(random)).ok());
        answers.answer(&world.move_until_contact(mover(random), way(random), filter).ok());
        let owner = 1 + random.below(BODIES);
        answers.answer(&world.move_body(owner, way(random), filter).ok());
        let start = PARTS + random.below(8) as usize;
        let ids: Vec<ColliderId> = movers.iter().copied().skip(start).step_by(24).collect();
        let ways: Vec<[f32; 2]> = ids.iter().map(|_| way(random)).collect();
        let mut moves = Vec::new();
        let moved = world.move_all(&ids, &ways, rules[0], filter, |_, moved| moves.push(moved));
        answers.answer(&moved.ok().map(|()| moves));
    }

    /// Asks one question of each kind that needs no pair.
    fn ask(&mut self) {
        let Self { world, random, movers, answers, .. } = self;
        let solid = Filter::SOLID;
        let near = |id: ColliderId| !id.index().is_multiple_of(4);
        let some = Filter { keep: Some(&near), layers: 1, ..Filter::ALL };
        let id = movers[random.below(MOVERS as u32) as usize];
        let by = way(random).map(|by| by * 8.0);
        answers.answer(&world.cast(id, by, solid).ok());
        answers.answer(&world.cast_all(id, by, Filter::ALL).ok());
        answers.answer(&world.push_out(id, 40.0, solid).ok());
        answers.answer(&world.graze(id, 6.0, Filter::ALL).ok());
        answers.answer(&world.nearest_to(id, 90.0, Filter::ALL).ok());
        answers.answer(&world.nearest(place(random), 90.0, some).ok());
        answers.answer(&world.pick(place(random), 20.0, some, |id| id.index() % 7).ok());
        let line = Line::new(place(random), place(random)).expect("places in range");
        answers.answer(&world.ray(&line, solid).ok());
        answers.answer(&world.ray_all(&line, some).ok());
        let (center, [width, height]) = (place(random), way(random).map(f32::abs));
        let [x, y] = place(random).map(|at| at as i32);
        let zones = [
            Zone::circle(center, width).expect("a legal circle"),
            Zone::ellipse(center, [width, height]).expect("a legal ellipse"),
            Zone::point(center).expect("a legal point"),
            Zone::line(line),
            Zone::rect(Rect::new(x, y, x + 70, y + 40)),
        ];
        let at_box = Filter { accuracy: Accuracy::Box, ..some };
        for zone in &zones {
            for filter in [Filter::ALL, at_box] {
                answers.answer(&world.query(zone, filter).ok());
            }
        }
        let disc = Mask::disc(9).expect("a small radius");
        let probe = world.probe(&disc, [x, y]);
        answers.answer(&probe.touching(Filter::ALL));
        answers.answer(&probe.push_out(30, solid));
        answers.answer(&probe.cast_all(way(random).map(|by| by as i32), some));
    }

    /// Asks each question about some pairs.
    fn ask_pairs(&mut self) {
        let Self { world, random, answers, .. } = self;
        answers.answer(&[world.touching(), world.began(), world.ended()]);
        let bodies = world.bodies();
        answers.answer(&[bodies.touching(), bodies.began(), bodies.ended()]);
        let step = 7 + random.below(9) as usize;
        for &Pair { a, b } in world.touching().iter().step_by(step) {
            let pair = world.pair(Pair { a, b }).expect("a pair of live colliders");
            answers.answer(&(pair.contact(), pair.contact_at(Accuracy::Coarse), pair.planes()));
            answers.answer(&(pair.side_of(a), pair.normal_of(b), pair.distance()));
            let overlap = pair.overlap().map(|overlap| (overlap.normal(), overlap.push_out()));
            answers.answer(&(overlap, world.touching_with(a)));
        }
    }
}

/// Returns the atlases: a drawn one with many small sprites, and a compact one with large ones, planes
/// and coverage.
fn atlases() -> [Atlas; 2] {
    let pictures = all();
    let drawn = pictures
        .iter()
        .filter(|p| p.width < 70)
        .fold(AtlasBuilder::new().angles(16).scales([0.5, 1.0]), |bake, p| {
            bake.mask(p.name, p.mask())
        });
    let find = |name| named(name).mask();
    let still = Settings { angles: 1, mirrored: false, ..Settings::default() };
    let covered = Settings { sampling: Sampling::Coverage25, ..Settings::default() };
    let compact = AtlasBuilder::new()
        .angles(32)
        .mask("large/bar", find("bar"))
        .mask("large/blob", find("blob"))
        .mask("large/frame", find("frame"))
        .frames_with("soft", [find("soft"), find("star")], covered)
        .frames_with("still", [find("hull"), find("ring")], still)
        .frames_with("whale", [find("whale")], Settings { angles: 4, ..Settings::default() })
        .planes("target", ["rim", "bull"], [[find("ring"), find("hull")]])
        .expect("two planes");
    [open(&drawn), open(&compact.compact(true))]
}

/// Returns a random look for the mover of this number.
fn look(world: &World, drawn: MaskId, number: usize, random: &mut Random) -> Collider {
    let owner = if number < PARTS { 1 + number as u32 / 3 } else { 0 };
    let mut one_in = |n| random.below(n) == 0;
    let [is_drawn, fixed, sensor, is_box, is_coarse, by_size, by_area, is_off, passable] =
        [30, 9, 8, 7, 9, 9, 6, 20, 12].map(&mut one_in);
    let atlases: Vec<&Atlas> = world.atlases().collect();
    let atlas = atlases[usize::from(random.below(6) == 0)];
    let sprites: Vec<SpriteId> = atlas.sprites().map(|sprite| sprite.id()).collect();
    let id = sprites[random.below(sprites.len() as u32) as usize];
    let sprite = atlas.sprite(id).expect("a sprite of the atlas");
    let shown = if is_drawn {
        Collider::from_mask(drawn)
    } else {
        // The sprite that cannot be mirrored refuses flips.
        let flip = if sprite.name() == "still" { 0 } else { random.below(4) };
        Collider::new(id)
            .turned(turn(random))
            .flipped(Flip { x: flip & 1 != 0, y: flip & 2 != 0 })
            .with_frame(random.below(sprite.frame_count()))
            .with_plane(random.below(sprite.plane_count()))
    };
    let shown = if by_area { shown.with_min_overlap(9) } else { shown };
    let layers = if passable { ONE_WAY } else { 1 + random.below(3) };
    Collider {
        fixed,
        sensor,
        enabled: !is_off,
        owner,
        accuracy: match (is_box, is_coarse) {
            (true, _) => Accuracy::Box,
            (_, true) => Accuracy::Coarse,
            _ => Accuracy::Exact,
        },
        move_accuracy: is_coarse.then_some(Accuracy::Box),
        layers,
        collides_with: if layers == 2 { 1 | ONE_WAY } else { u32::MAX },
        user_data: if is_box { random.bits() } else { 0 },
        ..if by_size { shown.with_min_overlap([3, 2]) } else { shown }
    }
    .at(place(random))
}

/// Sets or clears a disc of a terrain.
fn edit(mask: &mut Mask, random: &mut Random) {
    let disc = Mask::disc(3 + random.below(20)).expect("a small radius");
    let [x, y] = [0; 2].map(|_: i32| random.within(-20, TERRAIN_SIDE as i32));
    if random.below(2) == 0 {
        mask.draw(&disc, Point::new(x, y));
    } else {
        mask.erase(&disc, Point::new(x, y));
    }
}

/// Returns a random position.
fn place(random: &mut Random) -> [f32; 2] {
    [0; 2].map(|_: i32| random.unit() * SIDE as f32)
}

/// Returns a random motion of up to 30 pixels along each axis.
fn way(random: &mut Random) -> [f32; 2] {
    [0; 2].map(|_: i32| random.unit() * 60.0 - 30.0)
}

/// Returns a random angle of either unit.
fn turn(random: &mut Random) -> Angle {
    match random.below(2) {
        0 => Angle::turn(random.bits() as u16),
        _ => Angle::radians(random.unit() * 20.0 - 10.0),
    }
}

/// The 64-bit FNV-1a hash, which is the same on every machine and in every version of Rust.
#[derive(Clone, Debug)]
struct Hash(u64);

impl Hash {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Folds an answer with all its fields. Of a refused call only the refusal is folded, by
    /// `Result::ok`, so that the words of errors can change.
    fn answer(&mut self, answer: &dyn Debug) {
        write!(self, "{answer:?}").expect("no part is refused");
    }
}

impl Write for Hash {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}
