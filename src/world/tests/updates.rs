//! Updates of changes, forced, forbidden and mixed with builds of the index, on any number of threads.
//! All give the same state, which the naive world of the integration tests compares with the pixels.

use crate::ids::{ColliderId, MaskId};
use crate::memory::parallel;
use crate::narrow::Accuracy;
use crate::scene::changes::DeltaLimits;
use crate::scene::{Collider, Placement};
use crate::world::World;
use crate::{Angle, Atlas, AtlasBuilder, Mask, Pivot};
use proptest::prelude::*;

/// Colliders at the start.
const COUNT: usize = 36;
/// Half the side of the square that the colliders lie in, in pixels.
const SIDE: i32 = 40;

/// A call with random arguments: its kind, the collider, and two numbers.
type Call = (u8, usize, i32, i32);

/// The calls between two updates, and how to update.
type Tick = (Vec<Call>, u8);

/// A way to update. The answers of all ways are equal.
#[derive(Clone, Copy)]
struct Way {
    limits: DeltaLimits,
    /// Tests all pairs at every update with this period.
    full_every: usize,
    threads: usize,
}

const NEVER: usize = usize::MAX;

/// Any number of changes is few.
const FORCED: DeltaLimits =
    DeltaLimits { max_share: 1, pairs_per_look_up: NEVER, packed_per_slot: NEVER };

fn ways() -> Vec<Way> {
    let way = |limits, full_every, threads| Way { limits, full_every, threads };
    let looked_up = DeltaLimits { pairs_per_look_up: 0, ..FORCED };
    let rebuilt = DeltaLimits { packed_per_slot: 0, ..FORCED };
    vec![
        way(DeltaLimits::default(), NEVER, 1),
        way(DeltaLimits::default(), 1, 2),
        way(FORCED, NEVER, 3),
        way(looked_up, NEVER, 1),
        way(rebuilt, NEVER, 2),
        way(FORCED, 3, 3),
        way(looked_up, 2, 2),
    ]
}

fn atlas() -> Atlas {
    let bake = AtlasBuilder::new().angles(8);
    let bake = bake.mask("bar", "########\n########\n########\n".parse().unwrap());
    let bake = bake.mask("corner", "#########\n#........\n#........\n#........\n".parse().unwrap());
    let bake = bake.mask("ring", Mask::full(14, 12));
    Atlas::from_vec(bake.mask("none", "".parse().unwrap()).to_bytes().unwrap()).unwrap()
}

/// A world, the way that it is updated, and the last snapshot.
struct Play {
    world: World,
    mask: MaskId,
    way: Way,
    saved: Vec<u8>,
    updates: usize,
    /// True if the next update tests all pairs by any way.
    tests_all: bool,
}

impl Play {
    fn new(atlas: &Atlas, way: Way) -> Self {
        let mut world = World::new(atlas.clone());
        let mask: Mask = ".##########\n#..........\n##########.\n".parse().unwrap();
        let mask = world.masks_mut().insert(mask, Pivot::Center).unwrap();
        let saved = world.snapshot();
        let mut play = Self { world, mask, way, saved, updates: 0, tests_all: true };
        (0..COUNT).for_each(|i| play.call((0, i, 37 * i as i32, 101 * i as i32)));
        play
    }

    /// Returns a collider that depends on the numbers alone.
    fn collider(&self, which: usize, x: i32, y: i32) -> Collider {
        let sprites = self.world.atlas().sprites().len();
        let position = [x, y].map(|p| (p.rem_euclid(4 * SIDE) - 2 * SIDE) as f32 / 2.0);
        let sprite = crate::SpriteId::new((which % sprites) as u32);
        Collider {
            fixed: which.is_multiple_of(5),
            layers: if which.is_multiple_of(7) { 2 } else { 1 },
            ..Collider::new(sprite).at(position).turned(Angle::turn((x * 977 + y * 31) as u16))
        }
    }

    fn call(&mut self, (kind, which, x, y): Call) {
        self.world.scene.changes.dirty.limits = self.way.limits;
        let ids: Vec<ColliderId> = self.world.iter().map(|(id, _)| id).collect();
        let other = self.collider(which, x, y);
        let world = &mut self.world;
        let Some(&id) = ids.get(which % ids.len().max(1)).filter(|_| kind > 0) else {
            world.insert(other).unwrap();
            return;
        };
        let now = world.get(id).unwrap();
        let mut set = |collider| world.set(id, collider).unwrap();
        let near = [now.position[0] + (x % 5) as f32, now.position[1] + (y % 5) as f32];
        match kind {
            1 => _ = world.remove(id).unwrap(),
            2 => set(other),
            3..6 => set(Collider { enabled: !now.enabled, owner: (x & 3) as u32, ..now }),
            6..9 => set(Collider { fixed: !now.fixed, layers: 1 << (x & 1), ..now }),
            9..12 => {
                // Contiguous or scattered slots, in any order.
                let step = [1, 1, 5][kind as usize - 9];
                let some = ids.iter().cycle().skip(which % ids.len()).step_by(step);
                let some: Vec<ColliderId> = some.take(y as usize & 31).copied().collect();
                let place = |&id: &ColliderId| {
                    let Collider { position: [left, top], angle, .. } = world.get(id).unwrap();
                    Placement { position: [left + (x % 4) as f32, top], angle }
                };
                let placements: Vec<Placement> = some.iter().map(place).collect();
                world.set_placements(&some, &placements).unwrap();
            }
            12 => {
                let solid = x & 4 == 0;
                world
                    .masks_mut()
                    .edit(self.mask, |mask| mask.set(1 + (x & 7), y & 1, solid))
                    .unwrap();
            }
            13 => {
                let shape = Collider::from_mask(self.mask).shape;
                let fixed = x & 1 == 0;
                world.insert(Collider { shape, fixed, angle: Angle::default(), ..other }).unwrap();
            }
            14 => {
                let accuracy = [Accuracy::Box, Accuracy::Exact, Accuracy::Exact][which % 3];
                self.tests_all |= accuracy != world.accuracy();
                world.set_accuracy(accuracy);
            }
            15 => self.world = self.world.clone(),
            16 => self.saved = self.world.snapshot(),
            17 => {
                self.world.restore(&self.saved).unwrap();
                self.tests_all = true;
            }
            _ => set(now.at(near)),
        }
    }

    fn update(&mut self, kind: u8) {
        let Self { world, way, updates, tests_all, .. } = self;
        world.scene.changes.dirty.limits = way.limits;
        *updates += 1;
        let is_full = updates.is_multiple_of(way.full_every);
        if is_full {
            world.scene.changes.record_all_pairs();
        }
        let changes = !world.scene.changes.dirty.is_empty();
        // Repeated ids in one call may be more than the slots; then all count as changed.
        *tests_all |= world.scene.changes.dirty.slots().is_none();
        let mut refuses = false;
        match kind {
            0 => _ = world.update_timed(),
            1 => world.update_with(|touch| {
                let pair = &touch.pair();
                let refused = (pair.a.index() + pair.b.index()).is_multiple_of(3);
                refuses |= refused;
                !refused
            }),
            2 => world.update_with(|_| true),
            _ => world.update(),
        }
        let forced = way.limits.max_share == 1 && !is_full && !*tests_all;
        if changes {
            assert!(world.updater.index.is_delta == forced || !forced && !is_full);
            *tests_all = false;
        }
        *tests_all |= refuses;
        assert_eq!(world.validate(), Ok(()));
    }
}

/// Runs `run` with a thread pool whose threads share the work of the smallest world.
fn on_all_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(|_| parallel::USES_ALL_THREADS.set(true))
        .build();
    pool.unwrap().install(run)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(hitmask_scenes::cases(12, 200)))]
    #[test]
    fn an_update_gives_the_same_answers_by_any_way(ticks in prop::collection::vec(
        (prop::collection::vec((0_u8..26, 0_usize..1000, -500_i32..500, -500_i32..500), 0..12), 0_u8..9),
        1..14,
    )) {
        play_all(&ticks);
    }
}

#[test]
fn edits_before_and_after_a_clone_of_the_world_give_the_same_answers_by_any_way() {
    // Placements, a clone, 3 settings, a move, a removal and an accuracy; then inserts beside more of these.
    let second = vec![
        (10, 13, -53, -74),
        (15, 101, -267, 295),
        (3, 48, -104, 483),
        (5, 840, 215, -295),
        (4, 187, 327, -322),
        (21, 778, -440, 241),
        (1, 546, -421, -31),
        (14, 503, 174, -295),
    ];
    let third = vec![
        (0, 571, 499, 487),
        (9, 322, -499, 319),
        (1, 612, -173, -463),
        (13, 31, -256, -356),
        (13, 102, 193, 55),
    ];
    play_all(&[(vec![(0, 0, 0, 0)], 2), (second, 2), (third, 2)]);
}

/// Plays the same calls by all ways, and compares every answer.
fn play_all(ticks: &[Tick]) {
    let atlas = atlas();
    let mut plays: Vec<Play> = ways().into_iter().map(|way| Play::new(&atlas, way)).collect();
    for (calls, kind) in ticks {
        for play in &mut plays {
            on_all_threads(play.way.threads, || {
                calls.iter().for_each(|&call| play.call(call));
                play.update(*kind)
            });
        }
        let [first, others @ ..] = &plays[..] else { return };
        for Play { world: other, .. } in others {
            assert_eq!(other.state_hash(), first.world.state_hash());
        }
    }
}
