//! Worlds that draw poses on demand, through random sequences of every call that changes poses or
//! atlases. They run in lockstep with a world over drawn atlases, and with the per-pixel reference.

use crate::{counts, random_collider, with_rules};
use hitmask::{
    Accuracy, Angle, Atlas, AtlasBuilder, AtlasChangeError, AtlasId, BulkPlaceError, Collider,
    ColliderId, ColliderShape, Filter, InUse, Mask, Pair, PlaceError, Placement, PoseStats,
    Sampling, Settings, World, Zone, reference,
};
use hitmask_scenes::{Random, named};
use std::collections::BTreeSet;

/// Returns a version of the main atlas: of all kinds of sprites, some of which change, some of which
/// only one version has.
fn main_bake(version: u32) -> AtlasBuilder {
    let settings = |angles, scales: &[f32], sampling| Settings {
        angles,
        scales: scales.into(),
        sampling,
        ..Settings::default()
    };
    let [hull, ring, star, line] = ["hull", "ring", "star", "diagonal"].map(|n| named(n).mask());
    let side = 20 + 9 * version;
    let bake = AtlasBuilder::new()
        .angles(16)
        .mask("hull", hull.clone())
        .mask("block", Mask::solid(side, 31).unwrap())
        .frames_with(
            "walk",
            [ring.clone(), Mask::solid(9, 70 + version).unwrap(), star.clone()],
            settings(1, &[0.7, 1.0], Sampling::Nearest),
        )
        .frames_with("thin", [line], settings(8, &[0.7], Sampling::Coverage25))
        .frames_with("large", [Mask::disc(140).unwrap()], settings(4, &[1.0], Sampling::Nearest))
        .frames_with(
            "wide",
            [Mask::solid(260, 12).unwrap()],
            settings(16, &[1.0], Sampling::Nearest),
        )
        .frames_with("fine", [ring.clone()], settings(4100, &[1.0], Sampling::Nearest))
        .planes("target", ["rim", "bull"], [[ring.clone(), hull]])
        .unwrap();
    match version {
        0 => bake.mask("first", star),
        _ => bake.mask("added", ring).mask("a", star),
    }
}

fn pack_bake() -> AtlasBuilder {
    AtlasBuilder::new()
        .angles(12)
        .mask("bar", named("bar").mask())
        .mask("disc", Mask::disc(21).unwrap())
        .mask("giant", Mask::disc(150).unwrap())
}

/// Returns the same atlas drawn and undrawn.
fn forms(bake: impl Fn() -> AtlasBuilder) -> [Atlas; 2] {
    [false, true]
        .map(|compact| Atlas::from_vec(bake().compact(compact).to_bytes().unwrap()).unwrap())
}

/// The versions of the main atlas and the pack, each drawn and undrawn.
struct Art {
    main: [[Atlas; 2]; 2],
    pack: [Atlas; 2],
}

/// Worlds in lockstep: over drawn atlases, over undrawn ones, and over undrawn ones with a budget.
struct Lockstep<'a> {
    art: &'a Art,
    worlds: [World; 3],
    version: usize,
    has_pack: bool,
    refusals: usize,
    dropped: usize,
}

/// A refusal by the budget of poses.
trait Refusal {
    fn is_by_budget(&self) -> bool;
}

impl Refusal for PlaceError {
    fn is_by_budget(&self) -> bool {
        matches!(self, Self::PoseBudget { .. })
    }
}

impl Refusal for BulkPlaceError {
    fn is_by_budget(&self) -> bool {
        self.cause.is_by_budget()
    }
}

impl Refusal for AtlasChangeError {
    fn is_by_budget(&self) -> bool {
        match self {
            Self::Poses(cause) | Self::Placement { cause, .. } => cause.is_by_budget(),
            _ => false,
        }
    }
}

/// Everything about a world that a refused call must not change.
fn state(world: &World) -> (u64, Vec<Pair>, PoseStats, Option<u64>, Vec<AtlasId>) {
    let ids = world.atlases().map(Atlas::id).collect();
    (world.state_hash(), world.began().to_vec(), world.pose_stats(), world.pose_stats().budget, ids)
}

impl Lockstep<'_> {
    /// Makes a call in each world. All give the same answer, but the budget may refuse it once.
    fn all<T: PartialEq + std::fmt::Debug, E: Refusal + PartialEq + std::fmt::Debug>(
        &mut self,
        call: impl Fn(usize, &mut World) -> Result<T, E>,
    ) -> Result<T, E> {
        let [one, other, limited] = &mut self.worlds;
        let answer = call(0, one);
        assert_eq!(call(1, other), answer);
        let before = state(limited);
        match call(2, limited) {
            Err(error) if error.is_by_budget() => {
                let after = state(limited);
                // Poses that were drawn may stay, within the budget.
                assert_eq!((before.0, &before.1, before.3, &before.4), {
                    (after.0, &after.1, after.3, &after.4)
                });
                assert!(limited.pose_stats().bytes <= limited.pose_stats().budget.unwrap());
                assert_eq!(limited.validate(), Ok(()));
                self.refusals += 1;
                limited.atlases_mut().set_pose_budget(None).unwrap();
                assert_eq!(call(2, limited), answer);
            }
            limited => assert_eq!(limited, answer),
        }
        answer
    }

    /// Makes a call that each world refuses, which changes nothing.
    fn refused<T: std::fmt::Debug, E: std::fmt::Debug>(
        &mut self,
        call: impl Fn(usize, &mut World) -> Result<T, E>,
    ) {
        for (i, world) in self.worlds.iter_mut().enumerate() {
            let before = state(world);
            let answer = call(i, world);
            assert!(answer.is_err(), "{answer:?}");
            assert_eq!(state(world), before, "{answer:?}");
            assert_eq!(world.validate(), Ok(()));
        }
    }

    fn collider(&self, random: &mut Random) -> Collider {
        let main = &self.art.main[self.version][0];
        let atlas = if self.has_pack && random.below(3) == 0 { &self.art.pack[0] } else { main };
        let collider = random_collider(random, atlas, 170);
        let collider = with_rules(random, collider);
        let sprite = atlas.sprite(collider.shape.sprite().unwrap()).unwrap();
        let accuracy = if random.below(5) == 0 { Accuracy::Coarse } else { collider.accuracy };
        Collider { accuracy, plane: random.below(sprite.plane_count()), ..collider }
    }

    /// Sets a budget of the third world: what is shown, some more, or none. Less is refused.
    fn set_budget(&mut self, random: &mut Random) {
        let limited = &mut self.worlds[2];
        let before = state(limited);
        let needed = match limited.atlases_mut().set_pose_budget(Some(0)) {
            Err(PlaceError::PoseBudget { needed, budget: 0 }) => needed,
            other => {
                // No collider shows a pose with pixels.
                assert_eq!((other, limited.pose_stats().bytes), (Ok(()), 0));
                return limited.atlases_mut().set_pose_budget(None).unwrap();
            }
        };
        assert_eq!(limited.atlases_mut().set_pose_budget(Some(needed - 1)), {
            Err(PlaceError::PoseBudget { needed, budget: needed - 1 })
        });
        assert_eq!(state(limited), before);
        let budget = match random.below(4) {
            0 => Some(needed),
            1 => Some(needed + 1 + u64::from(random.below(9000))),
            2 => Some(needed * 2),
            _ => None,
        };
        limited.atlases_mut().set_pose_budget(budget).unwrap();
        let stats = limited.pose_stats();
        assert!(budget.is_none_or(|budget| stats.bytes <= budget), "{stats:?}, {budget:?}");
        self.dropped += usize::from(stats.poses < before.2.poses);
    }

    fn change_atlases(&mut self, random: &mut Random) {
        let Art { main, pack } = self.art;
        let form = |i: usize| usize::from(i > 0);
        match (random.below(3), self.has_pack) {
            (0, _) => {
                let (old, new) = (&main[self.version], &main[1 - self.version]);
                let report =
                    self.all(|i, w| w.atlases_mut().replace(old[0].id(), new[form(i)].clone()));
                assert_eq!(report.unwrap().atlas, new[0].id());
                self.version = 1 - self.version;
            }
            (_, false) => {
                self.all(|i, w| w.atlases_mut().add(pack[form(i)].clone())).unwrap();
                self.has_pack = true;
                self.refused(|i, w| w.atlases_mut().add(pack[form(i)].clone()));
            }
            (1, true) => {
                let is_dropped =
                    self.all(|_, w| w.atlases_mut().drop(pack[0].id(), InUse::Refuse)).is_ok();
                self.has_pack = !is_dropped;
            }
            (_, true) => {
                self.all(|_, w| w.atlases_mut().drop(pack[0].id(), InUse::Remove)).unwrap();
                self.has_pack = false;
                self.refused(|_, w| w.atlases_mut().drop(pack[0].id(), InUse::Refuse));
                let stranger = Collider::new(pack[0].sprite_id("bar").unwrap());
                self.refused(|_, w| w.insert(stranger));
            }
        }
    }

    /// Calls that are refused for each reason that a placement has.
    fn misuse(&mut self, random: &mut Random, ids: &[ColliderId]) {
        let good = Collider { owner: 0, ..self.collider(random) };
        for bad in [
            good.turned(f32::NAN),
            good.scaled(99.0),
            good.scaled(-1.0),
            good.with_frame(77),
            good.with_plane(9),
            good.at([f32::INFINITY, 0.0]),
            good.at([3e9, 0.0]),
        ] {
            self.refused(|_, w| w.insert(bad));
            if let [first, ..] = ids {
                self.refused(|_, w| w.set(*first, bad));
            }
        }
        if let [first, .., last] = ids {
            let mut places = [placement(random), placement(random)];
            places[1].position[1] = f32::NAN;
            self.refused(|_, w| w.set_placements(&[*first, *last], &places));
            places[1] = Placement { angle: Angle::radians(f32::INFINITY), ..places[0] };
            self.refused(|_, w| w.set_placements(&[*first, *last], &places));
        }
        self.refused(|_, w| w.restore(b"HITWORLD"));
    }

    fn step(&mut self, random: &mut Random) {
        let ids: Vec<ColliderId> = self.worlds[0].iter().map(|(id, _)| id).collect();
        let pick = |random: &mut Random| ids[random.below(ids.len() as u32) as usize];
        let is_crowded = ids.len() > 45;
        match random.below(16) {
            0..5 if !is_crowded => {
                let collider = self.collider(random);
                self.all(|_, w| w.insert(collider)).unwrap();
            }
            5..7 if !ids.is_empty() => {
                let (id, collider) = (pick(random), self.collider(random));
                self.all(|_, w| w.set(id, collider)).unwrap();
            }
            0..3 | 7 if !ids.is_empty() => {
                let id = pick(random);
                self.all(|_, w| Ok::<_, PlaceError>(w.remove(id).is_some())).unwrap();
            }
            8..11 => {
                let some: Vec<ColliderId> = match random.below(3) {
                    0 => ids.clone(),
                    1 => ids.iter().rev().copied().collect(),
                    _ => ids.iter().copied().filter(|_| random.below(3) == 0).collect(),
                };
                let places: Vec<Placement> = some.iter().map(|_| placement(random)).collect();
                self.all(|_, w| w.set_placements(&some, &places)).unwrap();
            }
            11 if !ids.is_empty() => {
                let (id, at) = (pick(random), placement(random).position);
                self.all(|_, w| w.move_to(id, at)).unwrap();
                let slid = self.all(|_, w| Ok::<_, PlaceError>(w.move_and_slide(id, [9.0, 4.0])));
                assert!(slid.is_ok_and(|moved| moved.is_ok()));
            }
            12 => self.change_atlases(random),
            13 => self.set_budget(random),
            14 => {
                let snapshots = self.worlds.each_ref().map(World::snapshot);
                assert!(snapshots[1] == snapshots[0] && snapshots[2] == snapshots[0]);
                if let (1, [first, ..]) = (random.below(2), &ids[..]) {
                    let moved = self.collider(random);
                    self.all(|_, w| w.set(*first, moved)).unwrap();
                }
                let saved = &snapshots[0];
                match random.below(3) {
                    0 => self.worlds.iter_mut().for_each(|world| *world = world.clone()),
                    1 => {
                        for world in &mut self.worlds {
                            let atlases: Vec<Atlas> = world.atlases().cloned().collect();
                            let copy = World::from_snapshot(atlases, saved).unwrap();
                            assert_eq!(copy.snapshot(), *saved);
                            if world.pose_stats().budget.is_none() {
                                *world = copy;
                            } else {
                                let refused = world.restore(saved);
                                if refused.is_err() {
                                    world.atlases_mut().set_pose_budget(None).unwrap();
                                    world.restore(saved).unwrap();
                                }
                            }
                        }
                    }
                    _ => {
                        for world in &mut self.worlds {
                            let before = state(world);
                            if world.restore(saved).is_err() {
                                let after = state(world);
                                assert_eq!((before.0, before.3), (after.0, after.3));
                                assert_eq!(world.validate(), Ok(()));
                                world.atlases_mut().set_pose_budget(None).unwrap();
                                world.restore(saved).unwrap();
                            }
                        }
                    }
                }
            }
            _ => self.misuse(random, &ids),
        }
    }

    /// Compares all worlds, and the first one with the per-pixel reference.
    fn compare(&mut self, random: &mut Random) -> usize {
        let before: BTreeSet<Pair> =
            self.worlds[0].began().iter().chain(self.worlds[0].stayed()).copied().collect();
        self.worlds.iter_mut().for_each(World::update);
        let [one, others @ ..] = &self.worlds;
        let ids: Vec<ColliderId> = one.ids().collect();
        for other in others {
            assert_eq!(one.state_hash(), other.state_hash());
            assert_eq!((one.validate(), other.validate()), (Ok(()), Ok(())));
            for &id in &ids {
                assert_eq!(one.rect(id), other.rect(id));
                assert_eq!(one.posed(id), other.posed(id));
            }
            let at = placement(random).position;
            let pick = |random: &mut Random| ids.get(random.below(ids.len() as u32 + 1) as usize);
            if let (Some(&a), Some(&b)) = (pick(random), pick(random)) {
                let answers = [one, other].map(|w| {
                    let near = w.nearest(at, 90.0, Filter::ALL).unwrap();
                    let circle = w.query(&Zone::circle(at, 40.0).unwrap(), Filter::ALL).unwrap();
                    let levels = [Accuracy::Coarse, Accuracy::Exact].map(|accuracy| {
                        w.pair(Pair { a, b }).and_then(|pair| pair.contact_at(accuracy))
                    });
                    (
                        near,
                        circle,
                        levels,
                        w.cast(a, [70.0, -31.0], Filter::SOLID),
                        w.distance(a, b),
                    )
                });
                assert_eq!(answers[0], answers[1]);
            }
        }
        let shown: Vec<(ColliderId, Collider)> = one.iter().collect();
        let mut truth = BTreeSet::new();
        for (i, (a, first)) in shown.iter().enumerate() {
            for (b, second) in &shown[i + 1..] {
                let pair = Pair { a: *a, b: *b };
                let touches = one.touching().contains(&pair);
                // Coarse answers have no reference here.
                if let Some(expected) = self.truth(first, second) {
                    assert_eq!(touches, expected, "{first:?}\n{second:?}");
                }
                truth.extend(touches.then_some(pair));
            }
        }
        assert_eq!(truth.len(), one.touching().len());
        let all = |pairs: &[Pair]| pairs.iter().copied().collect::<BTreeSet<Pair>>();
        assert_eq!(all(one.began()), &truth - &before);
        assert_eq!(all(one.ended()), &before - &truth);
        truth.len()
    }

    /// Returns whether two colliders touch, pixel by pixel, as the drawn atlases show them. `None` for
    /// pairs at coarse accuracy.
    fn truth(&self, a: &Collider, b: &Collider) -> Option<bool> {
        if !(a.enabled && b.enabled) {
            return Some(false);
        }
        if [a, b].iter().any(|side| side.accuracy == Accuracy::Coarse) {
            return None;
        }
        let [(first, at_a), (second, at_b)] = [a, b].map(|collider| {
            let ColliderShape::Sprite(id) = collider.shape else { panic!("a sprite") };
            let atlas = self.worlds[0].atlases().find_map(|atlas| atlas.sprite(id)).unwrap();
            let sprite = atlas.in_plane(collider.plane).unwrap();
            let pose = sprite.nearest(collider.angle, collider.scale).unwrap();
            let posed = sprite.posed(collider.frame, pose, collider.flip).unwrap();
            let at = collider.position.map(|p| (f64::from(p) + 0.5).floor() as i32);
            let mask = match collider.accuracy {
                Accuracy::Box if posed.mask.width() > 0 => {
                    Mask::solid(posed.mask.width(), posed.mask.height()).unwrap()
                }
                _ => posed.mask.to_mask(),
            };
            (mask, [at[0] + posed.origin.x, at[1] + posed.origin.y])
        });
        let offset = [at_b[0] - at_a[0], at_b[1] - at_a[1]];
        Some(counts(reference::contact(first.as_ref(), second.as_ref(), offset), a, b))
    }
}

fn placement(random: &mut Random) -> Placement {
    let mut coordinate = || random.within(-1300, 1300) as f32 / 8.0;
    Placement { position: [coordinate(), coordinate()], angle: Angle::turn(random.bits() as u16) }
}

#[test]
fn item12_poses_on_demand_give_the_answers_of_drawn_atlases_through_any_calls() {
    let art = Art { main: [0, 1].map(|v| forms(|| main_bake(v))), pack: forms(pack_bake) };
    let (mut touches, mut refusals, mut dropped) = (0, 0, 0);
    let seeds = std::env::var("HITMASK_SEEDS").map_or(12, |seeds| seeds.parse().unwrap());
    for seed in 0..seeds {
        let threads = 1 + seed as usize % 3;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut random = Random::new(seed);
            let [drawn, undrawn] = &art.main[0];
            let worlds = [drawn, undrawn, undrawn].map(|atlas| World::new(atlas.clone()));
            let (version, has_pack, none) = (0, false, 0);
            let mut lockstep =
                Lockstep { art: &art, worlds, version, has_pack, refusals: none, dropped: none };
            for round in 0..14 {
                for _ in 0..12 {
                    lockstep.step(&mut random);
                    let hashes = lockstep.worlds.each_ref().map(World::state_hash);
                    assert_eq!(hashes, [hashes[0]; 3], "seed {seed}, round {round}");
                }
                touches += lockstep.compare(&mut random);
            }
            refusals += lockstep.refusals;
            dropped += lockstep.dropped;
        });
    }
    assert!(touches > 500 && refusals > 20 && dropped > 20, "{touches} {refusals} {dropped}");
}
