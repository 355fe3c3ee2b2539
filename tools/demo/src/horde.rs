//! A horde of walkers that follows a hero round obstacles. Each walker moves by itself, one after the
//! other, and is blocked by obstacles and by the walkers that have moved before.
//!
//! ```text
//! advance    distances to the hero over a grid of open cells; the hero runs to its next goal
//! update     each walker moves downhill by `World::move_by_rules`
//! ```
//!
//! Invariant: no walker overlaps an obstacle or another walker. Distances are integers and directions take
//! no trigonometry, so a horde is the same on every machine.

use crate::palette::HUE_COUNT;
use crate::panel::grouped;
use crate::scene::{ASPECT, Scene, Show};
use hitmask::{Angle, CallError, Collider, Filter, Flip, MoveRules, Pair, Pose, SpriteId, World};
use hitmask_scenes::{Random, Stage};

/// Names and widths in pixels of the sprites: walkers, the hero, then obstacles.
const SPRITES: [(&str, u32); 9] = [
    ("blob", 14),
    ("ring", 14),
    ("star", 15),
    ("hull", 40),
    ("crescent", 300),
    ("frame", 260),
    ("ring", 240),
    ("star", 280),
    ("whale", 360),
];
const WALKERS: usize = 3;
const HERO: u32 = 3;
const FIRST_OBSTACLE: usize = 4;

/// Layer of obstacles; walkers and the hero have the next ones.
const OBSTACLE_LAYER: u32 = 1;
const WALKER_LAYER: u32 = 2;
const HERO_LAYER: u32 = 4;

/// Pixels of the area per walker.
const AREA_PER_WALKER: f64 = 737.28;
/// Side in pixels of the square of the area per obstacle.
const OBSTACLE_SPACING: f32 = 560.0;
/// Side in pixels of a cell. A walker fits into it.
const CELL: f32 = 16.0;
/// Pixels per tick of the hero, and of the slowest and the fastest walker.
const HERO_SPEED: f32 = 3.0;
const SPEEDS: [f32; 2] = [1.2, 2.6];
/// Distance in pixels that walkers keep from the hero.
const RESPECT: f32 = 52.0;
/// Share of a walker's direction that is its own, so that the horde spreads.
const OWN_WAY: f32 = 0.3;
/// Distance of a straight and of a diagonal step between cells.
const STEPS: [u32; 2] = [5, 7];
const UNREACHED: u32 = u32::MAX;

/// Rules of a game that is seen from above.
const RULES: MoveRules = MoveRules { climb: 0, slip: 1, one_way: 0, rise: 0 };

/// Bakes the sprites of the horde at 64 angles.
#[must_use]
pub fn horde_stage() -> Stage {
    Stage::scaled(&SPRITES)
}

/// Returns an area for a number of walkers, in pixels.
fn size_for(walkers: usize) -> [f32; 2] {
    let height = (walkers as f64 * AREA_PER_WALKER / ASPECT).sqrt().max(640.0);
    [(height * ASPECT).ceil() as f32, height.ceil() as f32]
}

/// Walkers that follow a hero, and their world. Obstacles come first, then the walkers, then the hero.
#[derive(Clone, Debug)]
pub(crate) struct Horde<'s> {
    scene: Scene<'s>,
    obstacles: usize,
    walkers: Vec<Walker>,
    grid: Grid,
    /// Distance of each cell to the hero, and to its goal.
    to_hero: Vec<u32>,
    to_goal: Vec<u32>,
    goal: [f32; 2],
    goals: Random,
    /// True while a press sets the goal.
    is_called: bool,
    time: u32,
    /// True if the next update walks.
    is_walking: bool,
    /// Number of walkers that were blocked in the last tick.
    blocked: usize,
}

#[derive(Clone, Copy, Debug)]
struct Walker {
    /// Pixels per tick.
    speed: f32,
    /// Its own direction, of length below 1.
    own: [f32; 2],
}

impl<'s> Horde<'s> {
    /// Creates `count` walkers, spread over an area with obstacles, and a hero in its middle.
    pub(crate) fn new(stage: &'s Stage, count: usize) -> Result<Self, CallError> {
        let size = size_for(count);
        let mut scene = Scene::new(stage, size);
        let mut random = Random::new(8);
        for obstacle in obstacles(&mut random, size) {
            scene.insert(obstacle, HUE_COUNT as u8 - 1)?;
        }
        let obstacles = scene.len();
        scene.world.update();
        let grid = Grid::new(stage, &scene.world, size);
        let mut cells: Vec<usize> = (0..grid.open.len()).filter(|&cell| grid.open[cell]).collect();
        for i in (1..cells.len()).rev() {
            cells.swap(i, random.below(i as u32 + 1) as usize);
        }
        for (i, &cell) in cells.iter().take(count).enumerate() {
            let walker = Collider {
                layers: WALKER_LAYER,
                collides_with: OBSTACLE_LAYER | WALKER_LAYER,
                ..Collider::new(SpriteId::new((i % WALKERS) as u32)).at(grid.centre(cell))
            };
            scene.insert(walker, (i % (HUE_COUNT - 1)) as u8)?;
        }
        let walkers = (obstacles..scene.len()).map(|_| Walker {
            speed: SPEEDS[0] + random.unit() * (SPEEDS[1] - SPEEDS[0]),
            own: [0; 2].map(|_| (random.unit() * 2.0 - 1.0) * OWN_WAY),
        });
        let walkers = walkers.collect();
        let goal = grid.nearest_open(size.map(|side| side / 2.0));
        let hero = Collider {
            layers: HERO_LAYER,
            collides_with: OBSTACLE_LAYER,
            ..Collider::new(SpriteId::new(HERO)).at(goal)
        };
        scene.insert(hero, 0)?;
        Ok(Self {
            scene,
            obstacles,
            walkers,
            grid,
            to_hero: Vec::new(),
            to_goal: Vec::new(),
            goal,
            goals: Random::new(9),
            is_called: false,
            time: 0,
            is_walking: false,
            blocked: 0,
        })
    }

    /// Moves the hero, then each walker. Notes their placements, and which of them are blocked.
    fn walk(&mut self) -> Result<(), CallError> {
        let Scene { world, ids, places, lit, .. } = &mut self.scene;
        let last = ids.len() - 1;
        lit.fill(false);
        lit[last] = true;
        let hero = places[last].position;
        let direct = from_to(hero, self.goal);
        let step = if length(direct) < 2.0 * CELL {
            direct
        } else {
            self.grid.downhill(&self.to_goal, hero)
        };
        let motion = scaled(step, HERO_SPEED.min(length(direct)));
        places[last].position =
            world.move_by_rules(ids[last], motion, RULES, Filter::SOLID)?.position;
        let hero = places[last].position;
        self.blocked = 0;
        for (i, &Walker { speed, own }) in (self.obstacles..).zip(&self.walkers) {
            let at = places[i].position;
            let to = from_to(at, hero);
            let far = length(to);
            let step = if far < RESPECT {
                [-to[0], -to[1]]
            } else if far < 3.0 * CELL + RESPECT {
                to
            } else {
                self.grid.downhill(&self.to_hero, at)
            };
            let [x, y] = scaled(step, 1.0);
            // The ring round the hero is as wide as a step.
            let speed = if far < RESPECT || far > RESPECT + speed { speed } else { 0.0 };
            let motion = scaled([x + own[0], y + own[1]], speed);
            let moved = world.move_by_rules(ids[i], motion, RULES, Filter::SOLID)?;
            places[i].position = moved.position;
            lit[i] = !moved.contacts.is_empty();
            self.blocked += usize::from(lit[i]);
        }
        Ok(())
    }
}

impl<'s> Show<'s> for Horde<'s> {
    fn scene(&self) -> &Scene<'s> {
        &self.scene
    }

    fn scene_mut(&mut self) -> &mut Scene<'s> {
        &mut self.scene
    }

    /// Chooses where the hero runs, and measures the ways of all. The next update walks one tick, if the time
    /// differs from the last one.
    fn advance(&mut self, time: u32) {
        self.is_walking = std::mem::replace(&mut self.time, time) != time;
        if !self.is_walking {
            return;
        }
        let hero = self.focus();
        let Self { grid, goal, goals, .. } = self;
        while !self.is_called && length(from_to(hero, *goal)) < 2.0 * CELL {
            let [columns, rows] = [grid.columns, grid.rows].map(|count| count as u32);
            let at = [goals.below(columns), goals.below(rows)].map(|at| at as f32 * CELL);
            *goal = grid.nearest_open(at);
        }
        grid.measure(hero, &mut self.to_hero);
        grid.measure(*goal, &mut self.to_goal);
    }

    fn update(&mut self) -> Result<(), CallError> {
        if std::mem::take(&mut self.is_walking) {
            self.walk()?;
        }
        self.scene.world.update();
        Ok(())
    }

    /// Calls the hero to a position.
    fn grab(&mut self, at: [f32; 2]) {
        self.goal = self.grid.nearest_open(at);
        self.is_called = true;
    }

    fn drag(&mut self, to: [f32; 2]) -> bool {
        self.grab(to);
        true
    }

    fn release(&mut self) {
        self.is_called = false;
    }

    fn pair_at(&self, at: [f32; 2]) -> Option<Pair> {
        self.scene.pair_at(at, None)
    }

    /// Returns the position of the hero.
    fn focus(&self) -> [f32; 2] {
        self.scene.places[self.scene.len() - 1].position
    }

    fn found(&self) -> String {
        format!("{} walkers blocked", grouped(self.blocked))
    }
}

/// Returns the obstacles of an area: large sprites that lie in an uneven grid.
fn obstacles(random: &mut Random, size: [f32; 2]) -> Vec<Collider> {
    let counts = size.map(|side| (side / OBSTACLE_SPACING).floor().max(1.0));
    let mut placed = Vec::new();
    for i in 0..(counts[0] * counts[1]) as usize {
        let cell = [i % counts[0] as usize, i / counts[0] as usize].map(|at| at as f32);
        let position = [0, 1].map(|axis| {
            let middle = (cell[axis] + 0.5) / counts[axis] * size[axis];
            middle + (random.unit() - 0.5) * OBSTACLE_SPACING * 0.35
        });
        let sprite =
            FIRST_OBSTACLE + random.below((SPRITES.len() - FIRST_OBSTACLE) as u32) as usize;
        let angle = Angle::turn(random.bits() as u16);
        placed.push(Collider {
            layers: OBSTACLE_LAYER,
            ..Collider::new(SpriteId::new(sprite as u32)).at(position).turned(angle).fixed()
        });
    }
    placed
}

fn from_to(from: [f32; 2], to: [f32; 2]) -> [f32; 2] {
    [to[0] - from[0], to[1] - from[1]]
}

fn length([x, y]: [f32; 2]) -> f32 {
    (x * x + y * y).sqrt()
}

/// Returns a vector of the same direction and another length; (0, 0) has none.
fn scaled([x, y]: [f32; 2], to: f32) -> [f32; 2] {
    let by = to / length([x, y]).max(1e-3);
    [x * by, y * by]
}

/// The area in square cells.
#[derive(Clone, Debug)]
struct Grid {
    columns: usize,
    rows: usize,
    /// Whether a walker in the middle of the cell meets no obstacle.
    open: Vec<bool>,
}

impl Grid {
    fn new(stage: &Stage, world: &World, size: [f32; 2]) -> Self {
        let [columns, rows] = size.map(|side| ((side / CELL) as usize).max(1));
        let mut grid = Self { columns, rows, open: vec![true; columns * rows] };
        let Some(walker) = stage.atlas.sprite(SpriteId::new(2)) else { return grid };
        let Some(walker) = walker.posed(0, Pose::default(), Flip::NONE) else { return grid };
        for cell in 0..grid.open.len() {
            let at = grid.centre(cell).map(|v| v as i32);
            let corner = [at[0] + walker.origin.x, at[1] + walker.origin.y];
            grid.open[cell] = world.probe(walker.mask, corner).touching(Filter::ALL).is_empty();
        }
        // No walker starts where it cannot get out. The corner of the area is outside of every ring.
        let mut distances = Vec::new();
        grid.measure([0.0; 2], &mut distances);
        for (open, distance) in grid.open.iter_mut().zip(distances) {
            *open &= distance != UNREACHED;
        }
        grid
    }

    fn centre(&self, cell: usize) -> [f32; 2] {
        [cell % self.columns, cell / self.columns].map(|at| (at as f32 + 0.5) * CELL)
    }

    fn cell(&self, at: [f32; 2]) -> usize {
        let index = |at: f32, count: usize| ((at / CELL).max(0.0) as usize).min(count - 1);
        index(at[1], self.rows) * self.columns + index(at[0], self.columns)
    }

    /// Returns the middle of the open cell that is nearest to a position.
    fn nearest_open(&self, at: [f32; 2]) -> [f32; 2] {
        let open =
            (0..self.open.len()).filter(|&cell| self.open[cell]).map(|cell| self.centre(cell));
        let far = |centre: &[f32; 2]| length(from_to(*centre, at));
        open.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or(at)
    }

    /// Returns the open neighbours of a cell, each with the distance of a step. A diagonal step needs both
    /// cells beside it open.
    fn steps(&self, cell: usize) -> impl Iterator<Item = (usize, u32, [i32; 2])> {
        let [x, y] = [cell % self.columns, cell / self.columns].map(|at| at as i32);
        let at = move |x: i32, y: i32| {
            let inside =
                (0..self.columns as i32).contains(&x) && (0..self.rows as i32).contains(&y);
            let cell = inside.then(|| y as usize * self.columns + x as usize);
            cell.filter(|&cell| self.open[cell])
        };
        let sides = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [dx, dy]));
        sides.filter(|side| *side != [0, 0]).filter_map(move |[dx, dy]| {
            let is_diagonal = dx != 0 && dy != 0;
            if is_diagonal && (at(x + dx, y).is_none() || at(x, y + dy).is_none()) {
                return None;
            }
            Some((at(x + dx, y + dy)?, STEPS[usize::from(is_diagonal)], [dx, dy]))
        })
    }

    /// Writes the distance of each open cell to a position.
    fn measure(&self, goal: [f32; 2], distances: &mut Vec<u32>) {
        distances.clear();
        distances.resize(self.open.len(), UNREACHED);
        let open = if self.open[self.cell(goal)] { goal } else { self.nearest_open(goal) };
        let goal = self.cell(open);
        distances[goal] = 0;
        // A ring of lists by distance: no step is longer than the ring.
        let mut rings = [const { Vec::new() }; STEPS[1] as usize + 1];
        rings[0].push(goal);
        let (mut distance, mut idle) = (0_u32, 0);
        while idle < rings.len() {
            let at = distance as usize % rings.len();
            let cells = std::mem::take(&mut rings[at]);
            idle = if cells.is_empty() { idle + 1 } else { 0 };
            for cell in cells {
                if distances[cell] < distance {
                    continue;
                }
                for (next, step, _) in self.steps(cell) {
                    if distance + step < distances[next] {
                        distances[next] = distance + step;
                        rings[(distance + step) as usize % rings.len()].push(next);
                    }
                }
            }
            distance += 1;
        }
    }

    /// Returns the direction in which the distance falls.
    fn downhill(&self, distances: &[u32], at: [f32; 2]) -> [f32; 2] {
        let cell = self.cell(at);
        let here = distances[cell];
        if here == UNREACHED {
            // Beside an obstacle.
            let near = self.steps(cell).min_by_key(|&(next, ..)| distances[next]);
            return near.map_or([0.0; 2], |(next, ..)| from_to(at, self.centre(next)));
        }
        let mut sum = [0.0; 2];
        for (next, step, side) in self.steps(cell).filter(|&(next, ..)| distances[next] < here) {
            let fall = (here - distances[next]) as f32 / step as f32;
            for axis in [0, 1] {
                sum[axis] += side[axis] as f32 * fall;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(horde: &mut Horde<'_>, time: u32) {
        horde.advance(time);
        horde.update().unwrap();
    }

    #[test]
    fn every_walker_can_reach_the_hero() {
        let stage = horde_stage();
        for count in [300, 3_000, 20_000] {
            let mut horde = Horde::new(&stage, count).unwrap();
            tick(&mut horde, 1);
            let places = &horde.scene.places;
            let moved =
                |place: &&hitmask::Placement| place.position.map(|p| p % CELL) != [0.5 * CELL; 2];
            let walkers = &places[places.len() - 1 - count..places.len() - 1];
            assert!(walkers.iter().filter(moved).count() > count * 9 / 10);
        }
    }

    #[test]
    fn walkers_follow_the_hero_and_overlap_nothing() {
        let stage = horde_stage();
        let mut horde = Horde::new(&stage, 300).unwrap();
        let far = |horde: &Horde<'_>| {
            let walkers = horde.scene.places[horde.obstacles..].iter().take(300);
            let ways = walkers.map(|place| length(from_to(place.position, horde.focus())));
            ways.sum::<f32>() / 300.0
        };
        // The hero runs faster than the walkers, so they are near whenever it turns.
        let (before, mut nearest, mut blocked) = (far(&horde), f32::MAX, 0);
        for time in 1..400 {
            tick(&mut horde, time);
            assert_eq!(horde.scene.world.touching(), []);
            blocked += horde.blocked;
            nearest = nearest.min(far(&horde));
        }
        // The hero starts in the middle, where it is nearest to walkers that stand.
        assert!(nearest < 0.7 * before && blocked > 100, "{nearest} of {before} px, {blocked}");
        for (id, place) in horde.scene.ids.iter().zip(&horde.scene.places) {
            assert_eq!(horde.scene.world.get(*id).unwrap().position, place.position);
        }
    }

    #[test]
    fn the_hero_runs_to_the_pointer_and_a_tick_without_time_moves_nothing() {
        let stage = horde_stage();
        let mut horde = Horde::new(&stage, 50).unwrap();
        let goal = [100.0, 90.0];
        horde.grab(goal);
        (1..600).for_each(|time| tick(&mut horde, time));
        assert!(length(from_to(horde.focus(), goal)) < 2.0 * CELL, "{:?}", horde.focus());
        let places = horde.scene.places.clone();
        tick(&mut horde, 599);
        assert_eq!(horde.scene.places, places);
        horde.release();
        (600..700).for_each(|time| tick(&mut horde, time));
        assert!(length(from_to(horde.focus(), goal)) > 2.0 * CELL);
    }
}
