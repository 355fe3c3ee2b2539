//! A world that lives long: random operations of every kind, atlases that come, change and go, and
//! saved games, against the pixels and against fresh worlds.
//!
//! A plain run plays 5,000 ticks. `HITMASK_SOAK=1000000 cargo test --release --test soak -- --nocapture`
//! plays as many, and prints its figures.

use hitmask::{
    Accuracy, Affine, Angle, Atlas, AtlasBuilder, Collider, ColliderId, ColliderShape, Flip, InUse,
    Mask, MaskId, MinOverlap, Pair, Pivot, Placement, Point, Raster, Rect, Sampling, World,
    reference,
};
use hitmask_scenes::Random;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::env;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Held by each test, because memory is counted for the whole program.
static ALONE: Mutex<()> = Mutex::new(());

/// Colliders that the world holds on average.
const COLLIDERS: usize = 60;

/// Groups of sprites, each with a few versions of its atlas.
const FAMILIES: usize = 3;
const VERSIONS: usize = 4;

/// A random mask of up to 40 px a side.
fn mask(random: &mut Random) -> Mask {
    let [width, height] = [0; 2].map(|_| 1 + random.below(40));
    let mut mask = Mask::new(width, height).unwrap();
    for _ in 0..1 + random.below(6) {
        let [x, y] = [random.below(width), random.below(height)].map(|place| place as i32);
        let [right, bottom] = [1 + random.below(25), 1 + random.below(25)].map(|side| side as i32);
        mask.fill_rect(Rect::new(x, y, x + right, y + bottom), true);
    }
    mask
}

/// One version of the atlas of a family. Sprites have other pixels, frames and angles in each; some
/// are missing.
fn atlas(random: &mut Random, family: usize, version: usize) -> Atlas {
    let mut bake = AtlasBuilder::new();
    for sprite in 0..4 {
        if sprite == 0 || random.below(4) > 0 {
            let settings = hitmask::Settings {
                angles: [1, 8, 16, 64][random.below(4) as usize],
                ..Default::default()
            };
            let frames = (0..1 + random.below(2)).map(|_| mask(random)).collect::<Vec<_>>();
            bake = bake.frames_with(format!("{family}/{sprite}"), frames, settings);
        }
    }
    let bytes = bake.compact(version.is_multiple_of(2)).to_bytes().unwrap();
    Atlas::from_vec(bytes).unwrap()
}

/// The world, and what the test knows about it.
struct Soak {
    world: World,
    random: Random,
    art: Vec<Vec<Atlas>>,
    /// The version of each family that the world has.
    shown: [Option<usize>; FAMILIES],
    masks: Vec<MaskId>,
    /// A snapshot, and the masks of its world.
    saved: (Vec<u8>, Vec<MaskId>),
    refused: usize,
}

impl Soak {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let art: Vec<Vec<Atlas>> = (0..FAMILIES)
            .map(|family| (0..VERSIONS).map(|i| atlas(&mut random, family, i)).collect())
            .collect();
        let world = World::new(art[0][0].clone());
        let (saved, masks) = ((world.snapshot(), Vec::new()), Vec::new());
        Self { world, random, art, shown: [Some(0), None, None], masks, saved, refused: 0 }
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let pick = self.random.below(all.len().max(1) as u32) as usize;
        all.get(pick).copied()
    }

    fn position(&mut self) -> [f32; 2] {
        [0; 2].map(|_| self.random.within(-700, 700) as f32 / 8.0)
    }

    /// Returns a random collider of an atlas in use, or of a mask in memory.
    fn collider(&mut self) -> Option<Collider> {
        let ids: Vec<_> =
            self.world.atlases().flat_map(|atlas| atlas.sprites().map(|s| s.id())).collect();
        let sprite = self.one_of(&ids)?;
        let frames = self.world.sprite(sprite)?.frame_count();
        let of_mask = self.one_of(&self.masks.clone()).filter(|_| self.random.below(5) == 0);
        let shape = of_mask.map_or(Collider::new(sprite), Collider::from_mask);
        let mut one_in = |n| self.random.below(n) == 0;
        let flip = Flip { x: one_in(3), y: one_in(3) };
        let (fixed, enabled, sensor) = (one_in(4), !one_in(7), one_in(6));
        let frame = if of_mask.is_some() { 0 } else { self.random.below(frames) };
        let (at, turn) = (self.position(), Angle::turn(self.random.bits() as u16));
        let collider = Collider { fixed, enabled, sensor, ..shape.at(at).with_frame(frame) };
        Some(if of_mask.is_some() { collider } else { collider.flipped(flip).turned(turn) })
    }

    /// Does one random thing to the world. Some are refused, as the game is then told.
    fn change(&mut self) {
        let ids: Vec<ColliderId> = self.world.iter().map(|(id, _)| id).collect();
        let Some(collider) = self.collider() else { return };
        match self.random.below(100) {
            0..40 => {
                let place = |soak: &mut Self| Placement {
                    position: soak.position(),
                    angle: Angle::turn(soak.random.bits() as u16),
                };
                let is_sprite = |id: &&ColliderId| {
                    self.world.get(**id).is_some_and(|c| c.shape.sprite().is_some())
                };
                let some: Vec<ColliderId> =
                    ids.iter().filter(is_sprite).step_by(3).copied().collect();
                let places: Vec<Placement> = some.iter().map(|_| place(self)).collect();
                self.refused += usize::from(self.world.set_placements(&some, &places).is_err());
            }
            40..60 if ids.len() < 2 * COLLIDERS => {
                self.refused += usize::from(self.world.insert(collider).is_err());
            }
            60..75 => {
                if let Some(id) = self.one_of(&ids) {
                    self.refused += usize::from(self.world.set(id, collider).is_err());
                }
            }
            75..88 if ids.len() > COLLIDERS / 2 => {
                let id = self.one_of(&ids).unwrap();
                self.world.remove(id).unwrap();
            }
            88..90 if self.masks.len() < 8 => {
                let drawn = mask(&mut self.random);
                let raster = Raster::new(&drawn, Pivot::Center, Sampling::Nearest).unwrap();
                let turned = Affine::rotation(self.random.unit() * 6.0);
                let id = match self.random.below(2) {
                    0 => self.world.masks_mut().insert(drawn, Pivot::Center),
                    _ => self.world.masks_mut().insert_drawn(raster, turned),
                };
                self.masks.push(id.unwrap());
            }
            90..92 => {
                if let Some(id) = self.masks.pop() {
                    let colliders =
                        self.world.iter().filter(|(_, c)| c.shape == ColliderShape::Mask(id));
                    let colliders: Vec<ColliderId> = colliders.map(|(id, _)| id).collect();
                    colliders.into_iter().for_each(|id| _ = self.world.remove(id));
                    self.world.masks_mut().remove(id).unwrap();
                }
            }
            92..94 => self.save_or_restore(),
            94 => {
                let budget = [None, Some(200_000), Some(40_000)][self.random.below(3) as usize];
                self.refused +=
                    usize::from(self.world.atlases_mut().set_pose_budget(budget).is_err());
            }
            95..100 => self.change_atlases(),
            _ => {}
        }
    }

    /// Adds, replaces or drops the atlas of a family.
    fn change_atlases(&mut self) {
        let family = self.random.below(FAMILIES as u32) as usize;
        let version = self.random.below(VERSIONS as u32) as usize;
        let new = self.art[family][version].clone();
        let kept = self.shown.iter().flatten().count();
        match self.shown[family] {
            None => {
                if self.world.atlases_mut().add(new).is_err() {
                    self.refused += 1;
                    return;
                }
                self.shown[family] = Some(version);
            }
            Some(old) if self.random.below(3) > 0 => {
                let old = self.art[family][old].id();
                if self.world.atlases_mut().replace(old, new).is_err() {
                    self.refused += 1;
                    return;
                }
                self.shown[family] = Some(version);
            }
            Some(old) if kept > 1 => {
                let old = self.art[family][old].id();
                if self.world.atlases_mut().drop(old, InUse::Remove).is_err() {
                    self.refused += 1;
                    return;
                }
                self.shown[family] = None;
            }
            Some(_) => {}
        }
    }

    fn save_or_restore(&mut self) {
        if self.random.below(2) == 0 {
            self.saved = (self.world.snapshot(), self.masks.clone());
            return;
        }
        let before = self.world.state_hash();
        match self.world.restore(&self.saved.0) {
            Ok(()) => {
                assert_eq!(self.world.snapshot(), self.saved.0);
                self.masks = self.saved.1.clone();
            }
            // The atlases have changed since.
            Err(_) => {
                self.refused += 1;
                assert_eq!(self.world.state_hash(), before);
            }
        }
    }

    /// Compares the world with one made from its saved state.
    fn assert_is_as_fresh(&mut self) {
        let saved = self.world.snapshot();
        let atlases: Vec<Atlas> = self.world.atlases().cloned().collect();
        let mut fresh = World::from_snapshot(atlases, &saved).unwrap();
        fresh.update();
        assert_eq!(fresh.touching(), self.world.touching());
        self.world.update();
        assert_eq!(fresh.state_hash(), self.world.state_hash());
    }

    /// Compares the touching pairs with the pixels of every pair, drawn apart from the world.
    fn assert_matches_pixels(&self) {
        let seen: Vec<(ColliderId, Collider, Mask, Point)> = self
            .world
            .iter()
            .filter(|(_, collider)| collider.enabled)
            .map(|(id, collider)| {
                let Some(sprite) = collider.shape.sprite() else {
                    let posed = self.world.posed(id).unwrap();
                    return (id, collider, posed.mask.to_mask(), posed.origin);
                };
                // The version that the collider shows, which may be an earlier one.
                let is_of = |atlas: &&Atlas| sprite.atlas() == Some(atlas.id());
                let atlas = self.world.atlases().find(is_of).unwrap();
                let sprite = atlas.sprite(sprite).unwrap();
                let pose = sprite.nearest(collider.angle, collider.scale).unwrap();
                let posed = sprite.draw(collider.frame, pose, collider.flip).unwrap();
                let [x, y] = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
                (id, collider, posed.mask, posed.origin + Point::new(x, y))
            })
            .collect();
        let mut truth = Vec::new();
        for (i, (a, one, a_mask, a_at)) in seen.iter().enumerate() {
            for (b, other, b_mask, b_at) in &seen[i + 1..] {
                let offset = [b_at.x - a_at.x, b_at.y - a_at.y];
                if !(one.fixed && other.fixed)
                    && reference::contact(a_mask.as_ref(), b_mask.as_ref(), offset).is_some()
                {
                    truth.push(Pair { a: *a, b: *b });
                }
            }
        }
        assert_eq!(self.world.touching(), truth);
    }
}

/// Returns the bytes that are allocated now.
fn held() -> usize {
    let stats = MEMORY.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

/// Returns the bytes of a world: those that a clone allocates.
fn bytes_of(world: &World) -> usize {
    let before = held();
    let clone = world.clone();
    let bytes = held() - before;
    drop(clone);
    bytes
}

/// A world of two overlapping 4 x 4 colliders, which an update has seen.
fn pair_of_squares() -> (World, ColliderId) {
    let square = AtlasBuilder::new().mask("square", Mask::solid(4, 4).unwrap());
    let atlas = Atlas::from_vec(square.to_bytes().unwrap()).unwrap();
    let square = Collider::new(atlas.sprite_id("square").unwrap());
    let mut world = World::new(atlas);
    let id = world.insert(square).unwrap();
    world.insert(square.at([2.0, 0.0])).unwrap();
    world.update();
    (world, id)
}

/// A loop of calls: a name, and what each turn does to the world and one of its colliders.
type Loop = (&'static str, fn(&mut World, ColliderId, u32));

#[test]
fn loops_of_calls_hold_no_more_memory_after_100000_turns() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    fn show_mask(world: &mut World, edit: bool) {
        let mask = world.masks_mut().insert(Mask::solid(3, 3).unwrap(), Pivot::Center).unwrap();
        let id = world.insert(Collider::from_mask(mask)).unwrap();
        if edit {
            world.masks_mut().edit(mask, |mask| mask.set(1, 1, false)).unwrap();
        } else {
            world.update();
        }
        world.remove(id).unwrap();
        world.masks_mut().remove(mask).unwrap();
    }
    fn change(world: &mut World, id: ColliderId, to: impl FnOnce(Collider) -> Collider) {
        world.set(id, to(world.get(id).unwrap())).unwrap();
    }
    let loops: [Loop; 7] = [
        ("masks", |world, _, _| show_mask(world, false)),
        ("masks that are edited between updates", |world, _, _| show_mask(world, true)),
        ("layers", |world, id, turn| change(world, id, |c| Collider { layers: turn | 1, ..c })),
        ("layers to touch", |world, id, turn| {
            change(world, id, |c| Collider { collides_with: turn | 1, ..c });
        }),
        ("least overlaps", |world, id, turn| {
            change(world, id, |c| c.with_min_overlap(turn));
            world.update();
        }),
        ("inserts", |world, id, turn| {
            let least = MinOverlap::Size { width: turn, height: 1 };
            let other = Collider { min_overlap: least, ..world.get(id).unwrap() };
            let other = world.insert(other).unwrap();
            world.remove(other).unwrap();
        }),
        ("owned parts between updates", |world, id, turn| {
            let part = world.insert(world.get(id).unwrap().owned_by(turn + 1)).unwrap();
            world.remove(part).unwrap();
        }),
    ];
    for (name, turn) in loops {
        let (mut world, id) = pair_of_squares();
        let mut most = [0; 2];
        for i in 0..100_000 {
            turn(&mut world, id, i);
            if i % 1000 == 999 {
                let half = &mut most[usize::from(i >= 10_000)];
                *half = (*half).max(bytes_of(&world));
            }
        }
        assert_eq!(world.validate(), Ok(()), "{name}");
        assert!(most[1] <= most[0] + most[0] / 8, "{name}: {most:?} bytes");
        world.update();
        assert!(bytes_of(&world) < 50_000, "{name}: {} bytes", bytes_of(&world));
        let fresh = World::from_snapshot([world.atlas().clone()], &world.snapshot()).unwrap();
        assert_eq!((fresh.state_hash(), fresh.len()), (world.state_hash(), 2), "{name}");
    }
}

#[test]
fn versions_of_an_atlas_with_the_same_names_share_them() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let version = |i: u32| {
        let names = (0..20).map(|sprite| format!("a sprite with a long name, number {sprite}"));
        let frame = |_| Mask::solid(1 + i, 1).unwrap();
        let bake = names.fold(AtlasBuilder::new(), |bake, name| bake.mask(name, frame(())));
        Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
    };
    let first = version(0);
    let (mut world, mut newest) = (World::new(first.clone()), first.clone());
    let mut bytes = Vec::new();
    for i in 1..200 {
        let next = version(i);
        world.atlases_mut().replace(newest.id(), next.clone()).unwrap();
        newest = next;
        bytes.push(bytes_of(&world));
    }
    // An id of 8 bytes for each version.
    assert!(bytes[198] < bytes[9] + 200 * 16, "{bytes:?}");
    // Ids of every version still work.
    let id = world.insert(Collider::new(first.sprites().next().unwrap().id())).unwrap();
    assert_eq!(world.rect(id).unwrap().width(), 200);
}

#[test]
fn colliders_whose_looks_come_and_go_touch_as_in_a_fresh_world() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut world, square) = pair_of_squares();
    let square = world.get(square).unwrap();
    let mut random = Random::new(5);
    let (mut masks, mut touches) = (Vec::new(), 0);
    for tick in 0..600 {
        for _ in 0..12 {
            let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
            if masks.len() < 4 {
                let mask = Mask::solid(1 + random.below(9), 1 + random.below(9)).unwrap();
                masks.push(world.masks_mut().insert(mask, Pivot::Center).unwrap());
            }
            let mask = masks[random.below(masks.len() as u32) as usize];
            let mut bits = || random.bits() as u32;
            let collider = Collider {
                shape: if bits() % 3 == 0 { ColliderShape::Mask(mask) } else { square.shape },
                position: [0; 2].map(|_| (bits() % 30) as f32),
                layers: bits() | bits(),
                collides_with: bits() | bits(),
                min_overlap: MinOverlap::Pixels(bits() % 9),
                accuracy: [Accuracy::Box, Accuracy::Exact][(bits() % 2) as usize],
                fixed: bits() % 4 == 0,
                enabled: bits() % 8 != 0,
                ..square
            };
            match bits() % 8 {
                0..3 if ids.len() < 40 => _ = world.insert(collider).unwrap(),
                3 if !ids.is_empty() => _ = world.remove(ids[bits() as usize % ids.len()]),
                4 => {
                    let at = bits() as usize % masks.len();
                    if world.masks_mut().remove(masks[at]).is_ok() {
                        masks.swap_remove(at);
                    }
                }
                _ if !ids.is_empty() => {
                    world.set(ids[bits() as usize % ids.len()], collider).unwrap();
                }
                _ => {}
            }
        }
        world.update();
        assert_eq!(world.validate(), Ok(()), "tick {tick}");
        let saved = world.snapshot();
        let mut fresh = World::from_snapshot([world.atlas().clone()], &saved).unwrap();
        assert_eq!(fresh.snapshot(), saved);
        fresh.set_accuracy(Accuracy::Box);
        fresh.set_accuracy(Accuracy::Exact);
        fresh.update();
        assert_eq!(fresh.touching(), world.touching(), "tick {tick}");
        touches += world.touching().len();
    }
    assert!(touches > 2000, "{touches}");
}

#[test]
fn ids_of_masks_stay_below_2_to_the_53_and_never_come_back() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut world, _) = pair_of_squares();
    let kept = world.masks_mut().insert(Mask::solid(1, 1).unwrap(), Pivot::Center).unwrap();
    let mut last = kept;
    for i in 0..(1 << 21) + 5_u32 {
        let mask = world.masks_mut().insert(Mask::default(), Pivot::Center).unwrap();
        assert!(mask.to_bits() < 1 << 53 && mask != last && world.mask(last).is_none() | (i == 0));
        world.masks_mut().remove(mask).unwrap();
        last = mask;
    }
    assert_eq!((last.index(), last.to_bits() >> 32), (2, 6));
    // Restored, the retired index stays so.
    let saved = world.snapshot();
    let mut restored = World::from_snapshot([world.atlas().clone()], &saved).unwrap();
    assert_eq!(restored.snapshot(), saved);
    for world in [&mut world, &mut restored] {
        let ids = [0; 2].map(|_| world.masks_mut().insert(Mask::default(), Pivot::Center).unwrap());
        assert_eq!(ids.map(|id| (id.index(), id.to_bits() >> 32)), [(2, 7), (3, 1)]);
    }
}

#[test]
fn a_world_that_lives_long_answers_as_a_fresh_one_and_holds_no_more_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let ticks: usize =
        env::var("HITMASK_SOAK").map_or(5000, |ticks| ticks.parse().expect("HITMASK_SOAK: ticks"));
    let mut soak = Soak::new(11);
    let pools = [1, 2, 3]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let (mut most, mut touches, mut compared) = ([0; 2], 0, 0);
    // What the changes and updates of each tenth took.
    let mut times = [Duration::ZERO; 10];
    for tick in 0..ticks {
        let start = Instant::now();
        for _ in 0..1 + soak.random.below(4) {
            soak.change();
        }
        pools[tick % 3].install(|| soak.world.update());
        times[tick * 10 / ticks] += start.elapsed();
        touches += soak.world.touching().len();
        if tick % 10 == 0 {
            soak.assert_is_as_fresh();
        }
        if tick % 40 == 0 {
            assert_eq!(soak.world.validate(), Ok(()));
            soak.assert_matches_pixels();
            compared += 1;
        }
        let half = &mut most[usize::from(tick >= ticks / 2)];
        *half = (*half).max(held());
    }
    println!(
        "{ticks} ticks, {touches} touching pairs, {compared} comparisons with pixels, {} calls refused, \
         at most {} KB in the first half and {} KB in the second",
        soak.refused,
        most[0] / 1000,
        most[1] / 1000
    );
    let per_tick = times.map(|time| (time * 10 / ticks as u32).as_micros());
    println!("microseconds a tick in each tenth: {per_tick:?}");
    assert!(touches > ticks, "only {touches} touching pairs: the scenes are too sparse");
    assert!(soak.refused > ticks / 100, "only {} calls were refused", soak.refused);
    // The second half adds nothing that stays.
    assert!(most[1] < most[0] + most[0] / 4, "{most:?} bytes");
}
