//! [`Game`]: a random game whose every step depends on its state alone, so that a plane and one world can play it.
//!
//! Tests and the program share it. [`Game`] decides; [`PlayedPlane`] and [`PlayedWorld`] do what it
//! decides, and sum up what they see in equal ways.

use crate::ask::{Answer, Question, Shape};
use crate::error::Error;
use crate::ids::{PlaneId, PlanePair};
use crate::launch::local_hosts;
use crate::plane::Plane;
use hitmask::{
    Accuracy, Angle, Atlas, AtlasBuilder, Collider, ColliderId, Flip, Line, Rect, SpriteId, World,
    Zone,
};
use hitmask_scenes::Random;
use serde::{Deserialize, Serialize};
use std::array;
use std::collections::{BTreeMap, HashMap};
use std::thread;
use xxhash_rust::xxh3::xxh3_64;

/// The rules of one random game.
#[derive(Clone, Copy, Debug)]
pub struct Game {
    seed: u64,
    sprites: u32,
    /// Side of the square that most colliders stay in, in pixels.
    side: f32,
}

/// The next state of a collider; `None` if it is removed.
pub type Edit = Option<Collider>;

/// Sums of hashes of what a tick shows. Those of all processes add up to those of one world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Of the touching pairs.
    pub touching: u64,
    /// Of the pairs that began.
    pub began: u64,
    /// Of the pairs that ended.
    pub ended: u64,
    /// Of the colliders.
    pub colliders: u64,
    /// Of the answers to the questions.
    pub answers: u64,
}

impl Seen {
    const fn sums(self) -> [u64; 5] {
        [self.touching, self.began, self.ended, self.colliders, self.answers]
    }

    const fn of([touching, began, ended, colliders, answers]: [u64; 5]) -> Self {
        Self { touching, began, ended, colliders, answers }
    }

    /// Adds the sums of another process.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let [a, b] = [self, other].map(Self::sums);
        Self::of(array::from_fn(|i| a[i].wrapping_add(b[i])))
    }

    /// Returns the sums as text without line breaks.
    #[must_use]
    pub fn line(&self) -> String {
        self.sums().map(|sum| sum.to_string()).join(" ")
    }

    /// Reads what [`line`](Self::line) returned.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let sums: Option<Vec<u64>> = line.split(' ').map(|sum| sum.parse().ok()).collect();
        Some(Self::of(sums?.try_into().ok()?))
    }
}

/// Returns the atlas of the game: some of the project's own sprites at 16 angles and 3 scales.
///
/// # Panics
/// If the sprites cannot be baked, which would be a bug.
#[must_use]
pub fn atlas() -> Atlas {
    let pictures = hitmask_scenes::all();
    let pictures = pictures.iter().filter(|picture| picture.width <= 130);
    let bake = AtlasBuilder::new().angles(16).scales([0.5, 1.0, 1.5]);
    let bake = pictures.fold(bake, |bake, picture| bake.mask(picture.name, picture.mask()));
    Atlas::from_vec(bake.to_bytes().expect("drawn sprites bake")).expect("what was baked opens")
}

/// Runs `play` with the hosts and the index of each process, on one thread per process. Returns the results in order.
///
/// # Panics
/// If `play` does, or if no ports are free.
pub fn on_threads<T: Send>(
    processes: usize,
    play: impl Fn(&[String], usize) -> T + Sync,
) -> Vec<T> {
    let hosts = &local_hosts(processes).expect("ports are free");
    thread::scope(|scope| {
        let play = &play;
        let start = |process| scope.spawn(move || play(hosts, process));
        let threads: Vec<_> = (0..processes).map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("no process panics")).collect()
    })
}

/// Number of questions that are asked per tick.
const QUESTIONS: u64 = 6;

impl Game {
    /// Returns the game of a seed in a square of `side` pixels.
    #[must_use]
    pub fn new(seed: u64, atlas: &Atlas, side: f32) -> Self {
        Self { seed, sprites: atlas.sprites().len() as u32, side }
    }

    fn random(&self, tick: u64, key: u64) -> Random {
        Random::new(xxh3_64(&[self.seed, tick, key].map(u64::to_le_bytes).concat()))
    }

    /// Returns a new collider with a key as its `user_data`.
    #[must_use]
    pub fn spawn(&self, tick: u64, key: u64) -> Collider {
        let mut random = self.random(tick, !key);
        let mut one_in = |n| random.below(n) == 0;
        let rules: [bool; 6] = [one_in(6), one_in(9), one_in(5), one_in(7), one_in(9), one_in(6)];
        Collider {
            fixed: rules[0],
            sensor: rules[1],
            accuracy: if rules[2] { Accuracy::Box } else { Accuracy::Exact },
            min_overlap: if rules[3] { 5 } else { 0 }.into(),
            layers: if rules[4] { 2 } else { 1 },
            collides_with: if rules[5] { 1 } else { 3 },
            owner: random.below(9).saturating_sub(6),
            user_data: key,
            ..Collider::new(SpriteId::new(random.below(self.sprites)))
        }
        .at([random.unit() * self.side, random.unit() * self.side])
        .turned(random.unit() * 7.0)
        .scaled([0.5, 1.0, 1.5][random.below(3) as usize])
    }

    /// Returns a position in the quarter of the square where colliders gather at this time, so that loads change.
    fn hot(&self, tick: u64, random: &mut Random) -> [f32; 2] {
        let quarter = self.random(tick / 40, 1 << 60).below(4);
        [quarter & 1, quarter >> 1].map(|half| (random.unit() + half as f32) * self.side / 2.0)
    }

    /// Decides what a collider does in a tick: returns its next state, or `None` if it rests.
    #[must_use]
    pub fn act(&self, tick: u64, collider: Collider) -> Option<Collider> {
        let mut random = self.random(tick, collider.user_data);
        let [x, y] = collider.position;
        let mut near = |by: f32| [x + (random.unit() - 0.5) * by, y + (random.unit() - 0.5) * by];
        let [step, jump] = [near(9.0), near(150.0)];
        let anywhere = self.hot(tick, &mut random);
        Some(match random.below(64) {
            0..24 => return None,
            24..50 => collider.at(step).turned(collider.angle.to_radians() + 0.1),
            50..54 => collider.at(jump),
            54..56 => collider.at(anywhere),
            56 => collider.scaled([0.5, 1.0, 1.5][random.below(3) as usize]),
            57 => Collider { enabled: !collider.enabled, ..collider },
            58 => Collider { layers: collider.layers ^ 2, ..collider },
            59 => Collider { fixed: !collider.fixed, ..collider },
            60 => collider.turned(Angle::turn(random.bits() as u16)),
            _ => return None,
        })
    }

    /// Returns the collider that comes in a tick. As many are removed by touches, in a crowd of about 150.
    #[must_use]
    pub fn birth(&self, tick: u64) -> Collider {
        self.spawn(tick, 1 << 32 | tick)
    }

    /// Decides what a touch does to a collider: the same for all of its touches in one tick, and mostly nothing.
    #[must_use]
    pub fn touch(&self, tick: u64, collider: Collider) -> Option<Edit> {
        let flip = Flip { x: !collider.flip.x, ..collider.flip };
        match self.random(tick, collider.user_data.rotate_left(7)).below(24) {
            0 => Some(None),
            1..4 => Some(Some(collider.flipped(flip))),
            _ => None,
        }
    }

    /// Returns the questions of a tick.
    #[must_use]
    pub fn questions(&self, tick: u64) -> Vec<Question> {
        (0..QUESTIONS)
            .map(|i| {
                let mut random = self.random(tick, i << 40 | 77);
                let mut at = || [random.unit() * self.side, random.unit() * self.side];
                let [from, to] = [at(), at()];
                let size = random.unit() * self.side / 3.0;
                let [x, y] = from.map(|value| value as i32);
                let shape = match random.below(4) {
                    0 => Shape::Rect(Rect::new(
                        x,
                        y,
                        x + size as i32 + 1,
                        y + 1 + random.below(90) as i32,
                    )),
                    1 => Shape::Circle(from, size),
                    2 => Shape::Ray(from, to),
                    _ => Shape::Nearest(from, size),
                };
                Question {
                    layers: 1 + random.below(3),
                    sensors: random.below(2) == 0,
                    accuracy: if random.below(4) == 0 { Accuracy::Box } else { Accuracy::Exact },
                    ..Question::new(shape)
                }
            })
            .collect()
    }
}

fn hash(value: &impl Serialize) -> u64 {
    xxh3_64(&postcard::to_stdvec(value).unwrap_or_default())
}

fn total(hashes: impl Iterator<Item = u64>) -> u64 {
    hashes.fold(0, u64::wrapping_add)
}

fn sum_of(pairs: impl Iterator<Item = [u64; 2]>) -> u64 {
    total(pairs.map(|[a, b]| hash(&[a.min(b), a.max(b)])))
}

/// Sums up an answer so that the order of ids plays no part.
fn sum_of_answer(i: usize, answer: &Answer, key: impl Fn(PlaneId) -> u64) -> u64 {
    match answer {
        Answer::Colliders(found) => total(found.iter().map(|&id| hash(&(i, key(id))))),
        // Of several colliders with the pixel, the lowest id is named, which differs between a plane and a world.
        Answer::Ray(hit) => hash(&(i, hit.map(|(_, hit)| (hit.step, hit.point)))),
        Answer::Nearest(nearest) => hash(&(i, nearest.map(|(_, distance)| distance.to_bits()))),
    }
}

/// A plane that plays, as one process sees it. Its data are the keys.
pub struct PlayedPlane {
    /// The plane.
    pub plane: Plane<u64>,
    game: Game,
    /// Edits that follow from the touches of the last tick.
    touched: BTreeMap<PlaneId, Edit>,
    /// Keys of the colliders that pairs and answers of the last tick name.
    names: HashMap<PlaneId, u64>,
}

impl PlayedPlane {
    /// Begins the game with `count` colliders.
    ///
    /// # Errors
    /// Returns the errors of [`Plane::insert`].
    pub fn new(mut plane: Plane<u64>, game: Game, count: usize) -> Result<Self, Error> {
        for key in 0..count as u64 {
            let members = plane.members();
            if usize::from(members[key as usize % members.len()]) == plane.process() {
                plane.insert(game.spawn(0, key), key)?;
            }
        }
        Ok(Self { plane, game, touched: BTreeMap::new(), names: HashMap::new() })
    }

    /// Continues the game of a plane that was restored.
    #[must_use]
    pub fn resume(plane: Plane<u64>, game: Game) -> Self {
        let mut played = Self { plane, game, touched: BTreeMap::new(), names: HashMap::new() };
        played.react(played.plane.ticks() - 1);
        played
    }

    /// Plays a tick.
    ///
    /// # Errors
    /// Returns the errors of [`Plane::tick`].
    pub fn tick(&mut self) -> Result<Seen, Error> {
        let tick = self.plane.ticks();
        let colliders: Vec<(PlaneId, Collider)> =
            self.plane.iter().map(|(id, collider, _)| (id, collider)).collect();
        for (id, collider) in colliders {
            if let Some(next) = self.game.act(tick, collider) {
                self.plane.set(id, next)?;
            }
        }
        let birth = self.game.birth(tick);
        if self.plane.is_here(birth.position) {
            self.plane.insert(birth, birth.user_data)?;
        }
        for (id, edit) in std::mem::take(&mut self.touched) {
            match edit {
                Some(collider) => self.plane.set(id, collider)?,
                None => self.plane.remove(id)?,
            }
        }
        self.plane.tick()?;
        self.react(tick);
        let members = self.plane.members().to_vec();
        let is_own = |i| usize::from(members[i % members.len()]) == self.plane.process();
        let questions = self.game.questions(tick);
        let own: Vec<(usize, Question)> =
            questions.into_iter().enumerate().filter(|(i, _)| is_own(*i)).collect();
        let asked: Vec<Question> = own.iter().map(|(_, question)| *question).collect();
        let answers = self.plane.ask(&asked)?;
        let named = answers.iter().flat_map(|answer| match answer {
            Answer::Colliders(found) => found.clone(),
            Answer::Ray(hit) => hit.iter().map(|hit| hit.0).collect(),
            Answer::Nearest(nearest) => nearest.iter().map(|nearest| nearest.0).collect(),
        });
        let names = self.keys(named.collect())?;
        let answers = own.iter().zip(&answers);
        Ok(Seen {
            touching: self.sum(self.plane.touching()),
            began: self.sum(self.plane.began().iter().copied()),
            ended: self.sum(self.plane.ended().iter().copied()),
            colliders: total(self.plane.iter().map(|(_, collider, _)| hash(&collider))),
            answers: total(
                answers.map(|((i, _), answer)| sum_of_answer(*i, answer, |id| names[&id])),
            ),
        })
    }

    fn sum(&self, pairs: impl Iterator<Item = PlanePair>) -> u64 {
        sum_of(pairs.map(|pair| [self.names[&pair.a], self.names[&pair.b]]))
    }

    /// Decides what the touches of the last tick do, at the places of that tick.
    fn react(&mut self, tick: u64) {
        // Ended pairs name colliders that are gone, so names of the tick before stay.
        let last = std::mem::take(&mut self.names);
        for pair in self.plane.touching().chain(self.plane.ended().to_vec()) {
            for id in [pair.a, pair.b] {
                let key = self.plane.get(id).map(|collider| collider.user_data);
                if let Some(key) = key.or_else(|| last.get(&id).copied()) {
                    self.names.insert(id, key);
                }
            }
        }
        for &pair in self.plane.began() {
            for id in [pair.a, pair.b] {
                let edit = self.plane.get(id).and_then(|it| self.game.touch(tick, it));
                self.touched.extend(edit.map(|edit| (id, edit)));
            }
        }
    }

    /// Returns the keys of colliders wherever they are.
    fn keys(&mut self, ids: Vec<PlaneId>) -> Result<HashMap<PlaneId, u64>, Error> {
        let asked = self.plane.mesh.tell(ids)?;
        let known = asked.iter().flatten().filter_map(|&id| Some((id, *self.plane.data(id)?)));
        let known: Vec<(PlaneId, u64)> = known.collect();
        Ok(self.plane.mesh.tell(known)?.into_iter().flatten().collect())
    }
}

/// One world that plays the same game.
pub struct PlayedWorld {
    /// The world.
    pub world: World,
    game: Game,
    ticks: u64,
    touched: BTreeMap<ColliderId, Edit>,
    keys: HashMap<ColliderId, u64>,
}

impl PlayedWorld {
    /// Begins the game with `count` colliders.
    ///
    /// # Errors
    /// Returns the errors of [`World::insert`].
    pub fn new(mut world: World, game: Game, count: usize) -> Result<Self, Error> {
        for key in 0..count as u64 {
            world.insert(game.spawn(0, key))?;
        }
        Ok(Self { world, game, ticks: 0, touched: BTreeMap::new(), keys: HashMap::new() })
    }

    /// Plays a tick.
    ///
    /// # Errors
    /// Returns the errors of [`World::set`].
    pub fn tick(&mut self) -> Result<Seen, Error> {
        let Self { world, game, ticks, touched, .. } = self;
        let tick = *ticks;
        for (id, collider) in world.iter().collect::<Vec<_>>() {
            if let Some(next) = game.act(tick, collider) {
                world.set(id, next)?;
            }
        }
        world.insert(game.birth(tick))?;
        for (id, edit) in std::mem::take(touched) {
            match edit {
                Some(collider) => world.set(id, collider)?,
                None => drop(world.remove(id)),
            }
        }
        world.update();
        for pair in world.began() {
            for id in [pair.a, pair.b] {
                let edit = world.get(id).and_then(|it| game.touch(tick, it));
                touched.extend(edit.map(|edit| (id, edit)));
            }
        }
        self.ticks += 1;
        self.keys.extend(self.world.iter().map(|(id, collider)| (id, collider.user_data)));
        self.seen(tick)
    }

    fn seen(&mut self, tick: u64) -> Result<Seen, Error> {
        let (world, keys) = (&self.world, &self.keys);
        let sum = |pairs: &[hitmask::Pair]| {
            sum_of(pairs.iter().map(|pair| [keys[&pair.a], keys[&pair.b]]))
        };
        let mut answers = 0_u64;
        for (i, question) in self.game.questions(tick).iter().enumerate() {
            answers = answers.wrapping_add(ask(world, keys, i, question)?);
        }
        let seen = Seen {
            touching: sum(world.touching()),
            began: sum(world.began()),
            ended: sum(world.ended()),
            colliders: total(world.iter().map(|(_, collider)| hash(&collider))),
            answers,
        };
        let world = &self.world;
        self.keys.retain(|&id, _| world.get(id).is_some());
        Ok(seen)
    }
}

/// Asks one world, by its own calls.
fn ask(
    world: &World,
    keys: &HashMap<ColliderId, u64>,
    i: usize,
    question: &Question,
) -> Result<u64, Error> {
    let filter = question.filter();
    let zone = |zone: Zone| -> Result<u64, Error> {
        let found = world.query(&zone, filter)?;
        Ok(total(found.iter().map(|id| hash(&(i, keys[id])))))
    };
    match question.shape {
        Shape::Rect(rect) => zone(Zone::rect(rect)),
        Shape::Circle(center, radius) => zone(Zone::circle(center, radius)?),
        Shape::Ray(from, to) => {
            let hit = world.ray(&Line::new(from, to)?, filter)?;
            Ok(hash(&(i, hit.map(|(_, hit)| (hit.step, hit.point)))))
        }
        Shape::Nearest(at, within) => {
            let nearest = world.nearest(at, within, filter)?;
            Ok(hash(&(i, nearest.map(|(_, distance)| distance.to_bits()))))
        }
    }
}
