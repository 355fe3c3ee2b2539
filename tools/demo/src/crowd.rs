//! A crowd of sprites, each of which moves on an ellipse and turns.
//!
//! A loop of 2^32 time units brings every sprite back to its start. Positions and angles come from
//! integers and from exact arithmetic, so a crowd is the same on every machine.

use crate::palette::HUE_COUNT;
use crate::panel::grouped;
use crate::scene::{ASPECT, Scene, Show, turn};
use crate::threads;
use hitmask::{Angle, CallError, Collider, Pair, Placement, SpriteId};
use hitmask_scenes::{Random, Stage};

/// Names and widths in pixels of the sprites. The last one is large and rare.
const SPRITES: [(&str, u32); 17] = [
    ("ring", 36),
    ("fighter", 24),
    ("star", 40),
    ("crescent", 32),
    ("hull", 30),
    ("frame", 50),
    ("blob", 36),
    ("bar", 48),
    ("star", 30),
    ("ring", 44),
    ("fighter", 28),
    ("crescent", 38),
    ("blob", 28),
    ("hull", 24),
    ("star", 34),
    ("ring", 28),
    ("whale", 170),
];

/// One in so many sprites is a large one.
const WHALE_SHARE: usize = 251;
/// Pixels of the area per sprite: 100,000 fill 20,480 x 11,520 px, 16 windows a side.
const AREA_PER_SPRITE: f64 = 2_359.296;
/// Least and greatest amplitude of a motion in pixels.
const SWING: [f32; 2] = [6.0, 20.0];

/// Bakes the sprites of the demo at 64 angles.
#[must_use]
pub fn stage() -> Stage {
    Stage::scaled(&SPRITES)
}

/// How fast the sprites move and turn in one loop of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// One round and one turn: for a short animation.
    Loop,
    /// Many rounds and turns, a different number for each sprite: for a loop of
    /// [`Pace::SECONDS`].
    Live,
}

impl Pace {
    /// Length of the loop of a live scene in seconds.
    pub const SECONDS: f64 = 60.0;
}

/// Sprites on ellipses, and their world.
#[derive(Clone, Debug)]
pub struct Crowd<'s> {
    scene: Scene<'s>,
    paths: Vec<Path>,
    time: u32,
    held: Option<Held>,
}

/// An ellipse about a centre, with a sprite that turns on it.
#[derive(Clone, Copy, Debug)]
struct Path {
    centre: [f32; 2],
    /// Amplitude in x and y, in pixels.
    swing: [f32; 2],
    /// Phase at the start in x and y, in 2^-32 rounds.
    phase: [u32; 2],
    /// Rounds in a loop in x and y.
    rounds: [u8; 2],
    /// Turns in a loop, clockwise.
    turns: i8,
    /// Angle at the start, in 65,536ths of a turn.
    start: u16,
}

/// A sprite that follows the pointer and does not turn.
#[derive(Clone, Copy, Debug)]
struct Held {
    index: usize,
    /// From the pointer to the sprite's position.
    offset: [f32; 2],
    placement: Placement,
}

impl<'s> Crowd<'s> {
    /// Creates `count` sprites, spread evenly over an area from (0, 0) to `size` pixels.
    ///
    /// # Errors
    /// [`CallError`] if the area exceeds the limits of a world.
    pub fn new(
        stage: &'s Stage,
        count: usize,
        size: [f32; 2],
        pace: Pace,
    ) -> Result<Self, CallError> {
        let mut random = Random::new(5);
        let (whale, small) = ((SPRITES.len() - 1) as u16, SPRITES.len() - 1);
        let is_whale = |i: usize| i % WHALE_SHARE == WHALE_SHARE - 1;
        let mut deck: Vec<u16> =
            (0..count).map(|i| if is_whale(i) { whale } else { (i % small) as u16 }).collect();
        for i in (1..deck.len()).rev() {
            deck.swap(i, random.below(i as u32 + 1) as usize);
        }
        let mut crowd =
            Self { scene: Scene::new(stage, size), paths: Vec::new(), time: 0, held: None };
        for (i, &sprite) in deck.iter().enumerate() {
            // The R2 low-discrepancy sequence, with powers of the plastic number.
            let spread = |ratio: f64| (0.5 + ratio * i as f64).fract();
            let centre = [
                (spread(0.754_877_666_246_692_7) * f64::from(size[0])) as f32,
                (spread(0.569_840_290_998_053_2) * f64::from(size[1])) as f32,
            ];
            let (path, hue) = Path::random(&mut random, centre, sprite == whale, pace);
            let Placement { position, angle } = path.at(0);
            let collider = Collider::new(SpriteId::new(sprite.into())).at(position).turned(angle);
            crowd.scene.insert(collider, hue)?;
            crowd.paths.push(path);
        }
        Ok(crowd)
    }

    /// Returns an area for `count` sprites, in pixels.
    #[must_use]
    pub fn size_for(count: usize) -> [f32; 2] {
        let height = (count as f64 * AREA_PER_SPRITE / ASPECT).sqrt();
        [(height * ASPECT).ceil() as f32, height.ceil() as f32]
    }
}

impl<'s> Show<'s> for Crowd<'s> {
    fn scene(&self) -> &Scene<'s> {
        &self.scene
    }

    fn scene_mut(&mut self) -> &mut Scene<'s> {
        &mut self.scene
    }

    fn advance(&mut self, time: u32) {
        self.time = time;
        let (paths, places) = (&self.paths, &mut self.scene.places);
        let piece = places.len().div_ceil(threads::pieces()).max(4_096);
        let mut pieces: Vec<&mut [Placement]> = places.chunks_mut(piece).collect();
        threads::for_each(&mut pieces, |i, places| {
            for (place, path) in places.iter_mut().zip(&paths[i * piece..]) {
                *place = path.at(time);
            }
        });
        if let Some(held) = self.held {
            self.scene.places[held.index] = held.placement;
        }
    }

    fn update(&mut self) -> Result<(), CallError> {
        let Scene { world, ids, places, lit, .. } = &mut self.scene;
        world.set_placements(ids, places)?;
        world.update();
        lit.fill(false);
        for pair in world.touching() {
            // Ids were given in order.
            lit[pair.a.index() as usize] = true;
            lit[pair.b.index() as usize] = true;
        }
        Ok(())
    }

    /// Grabs the topmost sprite with a pixel at a position.
    fn grab(&mut self, at: [f32; 2]) {
        let Some(id) = self.scene.pick(at) else { return };
        let index = id.index() as usize;
        let placement = self.scene.places[index];
        let offset = [0, 1].map(|axis| placement.position[axis] - at[axis]);
        self.held = Some(Held { index, offset, placement });
    }

    /// Moves the grabbed sprite with the pointer.
    fn drag(&mut self, to: [f32; 2]) -> bool {
        if let Some(held) = &mut self.held {
            held.placement.position = [0, 1].map(|axis| held.offset[axis] + to[axis]);
            self.scene.places[held.index] = held.placement;
        }
        self.held.is_some()
    }

    /// Lets the grabbed sprite go. It continues its motion from where it is.
    fn release(&mut self) {
        let Some(Held { index, placement, .. }) = self.held.take() else { return };
        let path = &mut self.paths[index];
        let Placement { position, angle } = path.at(self.time);
        for axis in [0, 1] {
            path.centre[axis] += placement.position[axis] - position[axis];
        }
        path.start = path.start.wrapping_add(turn(placement.angle).wrapping_sub(turn(angle)));
    }

    fn pair_at(&self, at: [f32; 2]) -> Option<Pair> {
        self.scene.pair_at(at, self.held.map(|held| self.scene.ids[held.index]))
    }

    /// Returns the middle of the area.
    fn focus(&self) -> [f32; 2] {
        self.scene.size().map(|side| side / 2.0)
    }

    fn found(&self) -> String {
        format!("{} pairs touch", grouped(self.scene.world.touching().len()))
    }
}

impl Path {
    /// Returns a random path about a centre, and a hue.
    fn random(random: &mut Random, centre: [f32; 2], large: bool, pace: Pace) -> (Self, u8) {
        let mut swing = || SWING[0] + random.unit() * (SWING[1] - SWING[0]);
        let swing = [swing(), swing()];
        let phase = [random.bits() as u32, random.bits() as u32];
        let start = random.below(1 << 16) as u16;
        let turns = if random.below(2) == 0 { 1 } else { -1 };
        let hue = random.below(HUE_COUNT as u32 - 1) as u8;
        let path = Self { centre, swing, phase, rounds: [1, 1], turns, start };
        if pace == Pace::Loop {
            return (path, hue);
        }
        let mut among = |from: u32, to: u32| (from + random.below(to - from)) as u8;
        if large {
            let (swing, turns) = (swing.map(|swing| 6.0 * swing), turns * among(1, 4) as i8);
            let rounds = [among(2, 6), among(2, 6)];
            return (Self { swing, rounds, turns, ..path }, HUE_COUNT as u8 - 1);
        }
        let turns = turns * among(6, 18) as i8;
        (Self { rounds: [among(8, 22), among(8, 22)], turns, ..path }, hue)
    }

    fn at(&self, time: u32) -> Placement {
        let position = |axis: usize| {
            let phase = time.wrapping_mul(self.rounds[axis].into()).wrapping_add(self.phase[axis]);
            self.centre[axis] + self.swing[axis] * wave(phase)
        };
        let turned = (time.wrapping_mul(i32::from(self.turns) as u32) >> 16) as u16;
        Placement {
            position: [position(0), position(1)],
            angle: Angle::turn(self.start.wrapping_add(turned)),
        }
    }
}

/// Returns the sine of `phase` in 2^-32 turns, with an error below 0.06. Uses a parabola for each
/// half, because `f32::sin` gives different bits on different machines.
fn wave(phase: u32) -> f32 {
    // Signed: the second half is negative.
    let part = (phase as i32 >> 8) as f32 / (1 << 24) as f32;
    16.0 * part * (0.5 - part.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [f32; 2] = [800.0, 450.0];

    fn live(stage: &Stage) -> Crowd<'_> {
        let mut crowd = Crowd::new(stage, 300, SIZE, Pace::Live).unwrap();
        crowd.advance(1 << 24);
        crowd.update().unwrap();
        crowd
    }

    #[test]
    fn sprites_move_turn_and_come_back_after_a_loop() {
        let stage = stage();
        for pace in [Pace::Loop, Pace::Live] {
            let mut crowd = Crowd::new(&stage, 300, SIZE, pace).unwrap();
            let start = crowd.scene.places.clone();
            crowd.advance(1 << 30);
            let moved =
                crowd.scene.places.iter().zip(&start).filter(|(a, b)| a.position != b.position);
            assert!(moved.count() > 250);
            crowd.advance(0);
            assert_eq!(crowd.scene.places, start);
            let reach = SWING[1] * 6.0 + 1.0;
            for time in (0..64).map(|i| i << 26) {
                crowd.advance(time);
                for [x, y] in crowd.scene.places.iter().map(|place| place.position) {
                    assert!((-reach..SIZE[0] + reach).contains(&x), "{x}");
                    assert!((-reach..SIZE[1] + reach).contains(&y), "{y}");
                }
            }
        }
    }

    #[test]
    fn exactly_the_sprites_of_touching_pairs_are_lit() {
        let stage = stage();
        let crowd = live(&stage);
        for (i, id) in crowd.scene.ids.iter().enumerate() {
            assert_eq!(id.index() as usize, i);
            assert_eq!(crowd.scene.lit[i], !crowd.scene.world.touching_with(*id).is_empty());
        }
        let lit = crowd.scene.lit.iter().filter(|lit| **lit).count();
        assert!((30..270).contains(&lit), "{lit} of 300");
    }

    #[test]
    fn a_grabbed_sprite_follows_the_pointer_and_moves_on_from_there() {
        let stage = stage();
        let mut crowd = live(&stage);
        let shown = |crowd: &Crowd<'_>, index: usize| crowd.scene.places[index];
        let point = crowd.scene.world.touching()[0];
        let rect = crowd.scene.world.contact(point).unwrap().point;
        let at = [rect.x as f32 + 0.5, rect.y as f32 + 0.5];
        crowd.grab(at);
        let index = crowd.held.unwrap().index;
        let before = shown(&crowd, index);
        assert!(crowd.drag([at[0] + 30.0, at[1] - 12.5]));
        crowd.advance((1 << 24) + (1 << 20));
        let held = shown(&crowd, index);
        assert_eq!(held.position, [before.position[0] + 30.0, before.position[1] - 12.5]);
        assert_eq!(held.angle, before.angle);
        crowd.release();
        crowd.advance((1 << 24) + (1 << 20));
        let after = shown(&crowd, index);
        for axis in [0, 1] {
            assert!((after.position[axis] - held.position[axis]).abs() < 0.01);
        }
        assert_eq!(after.angle, held.angle);
        crowd.advance(1 << 28);
        assert_ne!(shown(&crowd, index).position, held.position);
    }

    #[test]
    fn the_pair_at_a_shared_pixel_touches() {
        let stage = stage();
        let crowd = live(&stage);
        for pair in crowd.scene.world.touching() {
            let pixel = crowd.scene.world.contact(pair).unwrap().point;
            let found = crowd.pair_at([pixel.x as f32 + 0.5, pixel.y as f32 + 0.5]).unwrap();
            assert!(crowd.scene.world.pair(found).and_then(|pair| pair.explain()).unwrap().touches);
        }
    }
}
