//! Each public call of a world, for benches of what a call costs at any moment.

use hitmask::{
    Accuracy, Affine, Atlas, Collider, ColliderId, Filter, InUse, Line, Mask, MaskId, MoveResult,
    MoveRules, Pair, Pivot, Placement, Raster, Sampling, SpriteId, World, Zone,
};
use hitmask_scenes::{Random, Stage};
use std::sync::Arc;

/// Side in pixels of the square per collider.
const SPACING: f32 = 56.0;
/// Every so many colliders, one shows a mask of its own.
const MASK_SHARE: usize = 64;
/// Every so many colliders, three follow each other as the parts of one body.
const BODY_SHARE: usize = 8;
/// Names and widths of the sprites.
const SPRITES: [(&str, u32); 4] = [("hull", 30), ("blob", 28), ("star", 30), ("fighter", 24)];

/// What a call may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// As much as what lies nearby: the same among any number of colliders.
    Near,
    /// The same, but the answer is that of the last update.
    Updated,
    /// As much as the whole world.
    World,
}

/// One call. It returns a digest of the answer.
pub type Run = fn(&mut World, &mut CallScene) -> u64;

/// A call of `World`.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The method, and with what it is called.
    pub name: &'static str,
    /// What it may cost.
    pub scope: Scope,
    /// Calls it once.
    pub run: Run,
}

/// What happened to a world before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dirt {
    /// An update, and nothing since.
    Clean,
    /// Half of the colliders moved by at most 8 px.
    Near,
    /// Half of the colliders moved anywhere.
    Far,
    /// One in a hundred moved by at most 8 px.
    Few,
    /// All moved by at most 8 px in one call.
    Bulk,
    /// All bodies of several colliders moved.
    Bodies,
    /// The atlas was replaced by another version, in which one sprite differs.
    Reload,
    /// A snapshot was restored.
    Restored,
    /// All were inserted, and the world was never updated.
    Never,
}

impl Dirt {
    /// All states; the first one is the clean one.
    pub const ALL: [Self; 9] = [
        Self::Clean,
        Self::Near,
        Self::Far,
        Self::Few,
        Self::Bulk,
        Self::Bodies,
        Self::Reload,
        Self::Restored,
        Self::Never,
    ];

    /// Returns the name in lower case, for tables.
    #[must_use]
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// What the calls are about: colliders, masks and pairs of a world, and random places.
#[derive(Clone, Debug)]
pub struct CallScene {
    /// The colliders.
    pub ids: Vec<ColliderId>,
    masks: Vec<MaskId>,
    drawn: Vec<MaskId>,
    pairs: Vec<Pair>,
    bodies: u32,
    side: f32,
    disc: Mask,
    raster: Arc<Raster>,
    /// The atlas, and another version of it.
    versions: [Atlas; 2],
    random: Random,
}

impl CallScene {
    /// Places `count` colliders in a world that is not updated. Three in eight are parts of bodies, one
    /// in ten is fixed, and two in 64 show a mask of their own.
    ///
    /// # Panics
    /// If `count` exceeds the limits of a world.
    #[must_use]
    pub fn new(count: usize) -> (World, Self) {
        let version = |sprites| Stage::scaled(sprites).atlas;
        let changed = [SPRITES[0], SPRITES[1], SPRITES[2], ("fighter", 26)];
        let versions = [version(&SPRITES), version(&changed)];
        let mut world = World::new(versions[0].clone());
        let disc = Mask::disc(12).expect("a legal radius");
        let raster = Arc::new(Raster::new(&disc, Pivot::Center, Sampling::Nearest).expect("small"));
        let mut scene = Self {
            ids: Vec::with_capacity(count),
            masks: Vec::new(),
            drawn: Vec::new(),
            pairs: Vec::new(),
            bodies: (count / BODY_SHARE) as u32,
            side: (count as f32).sqrt() * SPACING,
            disc,
            raster,
            versions,
            random: Random::new(3),
        };
        let mut start = [0.0; 2];
        for i in 0..count {
            let place = scene.place();
            let part = i % BODY_SHARE;
            start = if part == 0 { place } else { start };
            let mut collider = match i % MASK_SHARE {
                7 => {
                    let mask = world.masks_mut().insert(scene.disc.clone(), Pivot::Center);
                    scene.masks.push(mask.expect("few masks"));
                    Collider::from_mask(scene.masks[scene.masks.len() - 1])
                }
                15 => {
                    let mask =
                        world.masks_mut().insert_drawn(Arc::clone(&scene.raster), scene.slant());
                    scene.drawn.push(mask.expect("few masks"));
                    Collider::from_mask(scene.drawn[scene.drawn.len() - 1])
                }
                _ => Collider::new(SpriteId::new(scene.random.below(SPRITES.len() as u32)))
                    .turned(scene.random.unit() * 6.0),
            };
            collider = collider.at(place);
            if part < 3 && scene.bodies > i as u32 / BODY_SHARE as u32 {
                let place = [start[0] + part as f32 * 34.0, start[1]];
                collider = collider.at(place).owned_by((i / BODY_SHARE) as u32 + 1);
            }
            collider.fixed = i % 10 == 9;
            scene.ids.push(world.insert(collider).expect("a place within the limits"));
        }
        let mut updated = world.clone();
        updated.update();
        scene.pairs = updated.touching().to_vec();
        (world, scene)
    }

    /// Returns a world in a state.
    ///
    /// # Panics
    /// Never: the places are within the limits.
    #[must_use]
    pub fn world(&self, never: &World, dirt: Dirt) -> World {
        let mut world = never.clone();
        if dirt == Dirt::Never {
            return world;
        }
        world.update();
        // A second update, as in a game that runs.
        world.update();
        let mut scene = self.clone();
        let mut near = |world: &World, id: ColliderId| {
            let [x, y] = world.get(id).expect("a collider").position;
            let mut aside = || scene.random.unit() * 16.0 - 8.0;
            [x + aside(), y + aside()]
        };
        let fits = "a place within the limits";
        match dirt {
            Dirt::Clean | Dirt::Never => {}
            Dirt::Near | Dirt::Few => {
                for &id in self.ids.iter().step_by(if dirt == Dirt::Near { 2 } else { 100 }) {
                    let at = near(&world, id);
                    world.move_to(id, at).expect(fits);
                }
            }
            Dirt::Far => {
                for &id in self.ids.iter().step_by(2) {
                    world.move_to(id, scene.place()).expect(fits);
                }
            }
            Dirt::Bulk => {
                let place = |&id: &ColliderId| {
                    let angle = world.get(id).expect("a collider").angle;
                    Placement { position: near(&world, id), angle }
                };
                let places: Vec<Placement> = self.ids.iter().map(place).collect();
                world.set_placements(&self.ids, &places).expect(fits);
            }
            Dirt::Bodies => {
                for owner in 1..=self.bodies {
                    world.move_body(owner, [3.0, -2.0], Filter::SOLID).expect(fits);
                }
            }
            Dirt::Reload => {
                let old = self.versions[0].id();
                world.atlases_mut().replace(old, self.versions[1].clone()).expect("the same names");
            }
            Dirt::Restored => {
                let snapshot = world.snapshot();
                world.restore(&snapshot).expect("its own snapshot");
            }
        }
        world
    }

    /// Returns whether the first `count` answers to a call equal those of the same world after an update.
    #[must_use]
    pub fn agrees(&self, call: &Call, world: &World, count: u32) -> bool {
        let sides = || (world.clone(), self.clone());
        let [(mut changed, mut scene), (mut updated, mut same)] = [sides(), sides()];
        updated.update();
        (0..count)
            .all(|_| (call.run)(&mut changed, &mut scene) == (call.run)(&mut updated, &mut same))
    }

    fn any(&mut self) -> ColliderId {
        self.ids[self.random.below(self.ids.len() as u32) as usize]
    }

    fn pair(&mut self) -> Pair {
        match self.pairs.len() {
            0 => Pair { a: self.ids[0], b: self.ids[self.ids.len() - 1] },
            count => self.pairs[self.random.below(count as u32) as usize],
        }
    }

    fn owner(&mut self) -> u32 {
        1 + self.random.below(self.bodies.max(1))
    }

    fn place(&mut self) -> [f32; 2] {
        [0; 2].map(|_| self.random.unit() * self.side)
    }

    fn pixel(&mut self) -> [i32; 2] {
        self.place().map(|at| at as i32)
    }

    /// Returns a motion of up to `limit` pixels per axis.
    fn motion(&mut self, limit: f32) -> [f32; 2] {
        [0; 2].map(|_| (self.random.unit() * 2.0 - 1.0) * limit)
    }

    fn circle(&mut self) -> Zone {
        Zone::circle(self.place(), 40.0).expect("a place within the limits")
    }

    /// Returns a line of 300 px.
    fn line(&mut self) -> Line {
        let ([x, y], right) = (self.place(), self.random.below(2) == 0);
        let to = if right { [x + 240.0, y + 180.0] } else { [x - 180.0, y + 240.0] };
        Line::new([x, y], to).expect("a place within the limits")
    }

    fn slant(&mut self) -> Affine {
        let turn = f64::from(self.random.unit()) - 0.5;
        Affine { b: turn, c: -turn, ..Affine::IDENTITY }
    }
}

/// Combines numbers to a digest.
fn mix(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let step =
        |sum: u64, number: u64| (sum.rotate_left(7) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    numbers.into_iter().fold(1, step)
}

fn mix_ids(ids: impl IntoIterator<Item = ColliderId>) -> u64 {
    mix(ids.into_iter().map(|id| id.index().into()))
}

fn mix_place(place: [f32; 2]) -> u64 {
    mix(place.map(|at| at.to_bits().into()))
}

const fn near(name: &'static str, run: Run) -> Call {
    Call { name, scope: Scope::Near, run }
}

const fn updated(name: &'static str, run: Run) -> Call {
    Call { name, scope: Scope::Updated, run }
}

const fn whole(name: &'static str, run: Run) -> Call {
    Call { name, scope: Scope::World, run }
}

/// Result of a call that is never refused here.
const FITS: &str = "a call within the limits";

/// Every call of a world that has a cost.
pub static CALLS: &[Call] = &[
    near("insert", |world, scene| {
        let collider = Collider::new(SpriteId::new(0)).at(scene.place());
        world.insert(collider).expect(FITS).index().into()
    }),
    near("remove", |world, scene| world.remove(scene.any()).is_some().into()),
    near("remove, insert", |world, scene| {
        let Some(collider) = world.remove(scene.any()) else { return 0 };
        world.insert(collider).expect(FITS).index().into()
    }),
    near("set, with another look", |world, scene| {
        let id = scene.any();
        let Some(collider) = world.get(id) else { return 0 };
        let collider = Collider { layers: scene.random.bits() as u32 | 1, ..collider };
        world.set(id, collider.at(scene.place())).is_ok().into()
    }),
    near("move_to, 2 px", |world, scene| {
        let (id, [dx, dy]) = (scene.any(), scene.motion(2.0));
        let Some(Collider { position: [x, y], .. }) = world.get(id) else { return 0 };
        world.move_to(id, [x + dx, y + dy]).is_ok().into()
    }),
    near("move_to, anywhere", |world, scene| {
        world.move_to(scene.any(), scene.place()).is_ok().into()
    }),
    near("place", |world, scene| {
        let (id, at) = (scene.any(), scene.place());
        world.place(id, at, scene.random.unit(), 1.0).is_ok().into()
    }),
    near("set_placements of 4", |world, scene| {
        let ids = [0; 4].map(|_| scene.any());
        let place = |_| Placement { position: scene.place(), angle: 0.5.into() };
        world.set_placements(&ids, &ids.map(place)).is_ok().into()
    }),
    near("get", |world, scene| {
        mix_place(world.get(scene.any()).map_or([0.0; 2], |collider| collider.position))
    }),
    near("rect", |world, scene| world.rect(scene.any()).map_or(0, |rect| rect.area())),
    near("posed", |world, scene| {
        world.posed(scene.any()).map_or(0, |posed| posed.mask.width().into())
    }),
    near("len", |world, _| world.len() as u64),
    near("sprite", |world, _| world.sprite(SpriteId::new(1)).map_or(0, |s| s.angles().into())),
    near("pose_stats", |world, _| world.pose_stats().draws),
    near("draw_ahead of 4", |world, scene| {
        let all = [0; 4].map(|_| world.get(scene.any()));
        let colliders: Vec<Collider> = all.into_iter().flatten().collect();
        world.atlases_mut().draw_ahead(&colliders, |_| true).map_or(0, |drawn| drawn as u64)
    }),
    near("set_pose_budget", |world, _| world.atlases_mut().set_pose_budget(None).is_ok().into()),
    near("insert_mask, remove_mask", |world, scene| {
        let mask = world.masks_mut().insert(scene.disc.clone(), Pivot::Center).expect(FITS);
        world.masks_mut().remove(mask).is_ok().into()
    }),
    near("mask", |world, scene| {
        let mask = scene.random.below(scene.masks.len() as u32);
        world.mask(scene.masks[mask as usize]).map_or(0, |mask| mask.width().into())
    }),
    near("edit_mask", |world, scene| {
        let mask = scene.random.below(scene.masks.len() as u32);
        world
            .masks_mut()
            .edit(scene.masks[mask as usize], |mask| mask.set(11, 11, false))
            .is_some()
            .into()
    }),
    near("insert_transformed", |world, scene| {
        let transform = scene.slant();
        world.masks_mut().insert_drawn(Arc::clone(&scene.raster), transform).is_ok().into()
    }),
    near("transform_mask", |world, scene| {
        let mask = scene.drawn[scene.random.below(scene.drawn.len() as u32) as usize];
        world.masks_mut().transform(mask, scene.slant()).is_ok().into()
    }),
    near("redraw_mask", |world, scene| {
        let mask = scene.drawn[scene.random.below(scene.drawn.len() as u32) as usize];
        world.masks_mut().redraw(mask, Arc::clone(&scene.raster)).is_ok().into()
    }),
    near("query, circle of 40 px", |world, scene| {
        mix_ids(world.query(&scene.circle(), Filter::ALL).expect(FITS))
    }),
    near("query_mask", |world, scene| {
        let at = scene.pixel();
        mix_ids(world.probe(&scene.disc, at).touching(Filter::ALL))
    }),
    near("ray, 300 px", |world, scene| {
        let hit = world.ray(&scene.line(), Filter::ALL).expect(FITS);
        mix_ids(hit.map(|(id, _)| id))
    }),
    near("ray_all, 300 px", |world, scene| {
        let hits = world.ray_all(&scene.line(), Filter::ALL).expect(FITS);
        mix_ids(hits.into_iter().map(|(id, _)| id))
    }),
    near("graze, 8 px", |world, scene| {
        let grazes = world.graze(scene.any(), 8.0, Filter::ALL).expect(FITS);
        mix_ids(grazes.into_iter().map(|(id, _)| id))
    }),
    near("nearest, within 200 px", |world, scene| {
        let found = world.nearest(scene.place(), 200.0, Filter::ALL).expect(FITS);
        found.map_or(0, |(id, distance)| mix([id.index().into(), distance.to_bits()]))
    }),
    near("nearest_to, within 200 px", |world, scene| {
        let found = world.nearest_to(scene.any(), 200.0, Filter::ALL).ok().flatten();
        found.map_or(0, |(id, distance)| mix([id.index().into(), distance.to_bits()]))
    }),
    near("pick, 4 px", |world, scene| {
        let picked = world.pick(scene.place(), 4.0, Filter::ALL, |id| id.index());
        mix_ids(picked.expect(FITS))
    }),
    near("nearest_free_offset, 60 px", |world, scene| {
        let at = scene.pixel();
        let found = world.probe(&scene.disc, at).push_out(60, Filter::ALL);
        found.map_or(0, |by| mix([by.x as u64, by.y as u64]))
    }),
    near("cast, 50 px", |world, scene| {
        let hit = world.cast(scene.any(), scene.motion(50.0), Filter::SOLID).ok().flatten();
        hit.map_or(0, |hit| mix([hit.collider.index().into(), hit.impact.step.into()]))
    }),
    near("cast_all, 50 px", |world, scene| {
        let hits = world.cast_all(scene.any(), scene.motion(50.0), Filter::ALL).unwrap_or_default();
        mix_ids(hits.into_iter().map(|hit| hit.collider))
    }),
    near("cast_mask, 50 px", |world, scene| {
        let (at, by) = (scene.pixel(), scene.motion(50.0).map(|by| by as i32));
        mix_ids(world.probe(&scene.disc, at).cast(by, Filter::ALL).map(|(id, _)| id))
    }),
    near("cast_mask_all, 50 px", |world, scene| {
        let (at, by) = (scene.pixel(), scene.motion(50.0).map(|by| by as i32));
        let hits = world.probe(&scene.disc, at).cast_all(by, Filter::ALL);
        mix_ids(hits.into_iter().map(|(id, _)| id))
    }),
    near("move_until_contact, 8 px", |world, scene| {
        let hit =
            world.move_until_contact(scene.any(), scene.motion(8.0), Filter::SOLID).ok().flatten();
        hit.map_or(0, |hit| mix_place(hit.position))
    }),
    near("move_and_slide, 8 px", |world, scene| {
        let moved = world.move_and_slide(scene.any(), scene.motion(8.0));
        moved.map_or(0, |moved| mix_place(moved.position))
    }),
    near("move_all of 4, 8 px", |world, scene| {
        let (ids, motions) = ([0; 4].map(|_| scene.any()), [0; 4].map(|_| scene.motion(8.0)));
        let (rules, mut ends) = (MoveRules::default(), Vec::new());
        let each = |_, moved: MoveResult| ends.push(mix_place(moved.position));
        let moved = world.move_all(&ids, &motions, rules, Filter::SOLID, each);
        if moved.is_ok() { mix(ends) } else { mix([]) }
    }),
    near("push_out, 60 px", |world, scene| {
        let by = world.push_out(scene.any(), 60.0, Filter::SOLID).expect(FITS);
        by.map_or(0, mix_place)
    }),
    near("cast_body, 20 px", |world, scene| {
        let hit =
            world.bodies().cast(scene.owner(), scene.motion(20.0), Filter::SOLID).ok().flatten();
        hit.map_or(0, |hit| hit.part.index().into())
    }),
    near("move_body, 8 px", |world, scene| {
        let hit = world.move_body(scene.owner(), scene.motion(8.0), Filter::SOLID).ok().flatten();
        hit.map_or(0, |hit| hit.part.index().into())
    }),
    near("translate_body, 8 px", |world, scene| {
        world
            .move_body(scene.owner(), scene.motion(8.0), Filter { layers: 0, ..Filter::SOLID })
            .is_ok()
            .into()
    }),
    near("contact", |world, scene| world.contact(scene.pair()).map_or(0, |contact| contact.area)),
    near("contact_at, box", |world, scene| {
        let contact = world.pair(scene.pair()).and_then(|pair| pair.contact_at(Accuracy::Box));
        contact.and_then(|at| at.contact).map_or(0, |contact| contact.area)
    }),
    near("overlap", |world, scene| {
        world
            .pair(scene.pair())
            .and_then(|pair| pair.overlap())
            .map_or(0, |overlap| overlap.contact().area)
    }),
    near("overlapping_planes", |world, scene| {
        world.pair(scene.pair()).map(|pair| pair.planes()).unwrap_or_default().len() as u64
    }),
    near("explain", |world, scene| {
        world
            .pair(scene.pair())
            .and_then(|pair| pair.explain())
            .map_or(0, |explained| explained.touches.into())
    }),
    near("distance", |world, scene| {
        let Pair { a, b } = scene.pair();
        world.pair([a, b]).and_then(|pair| pair.distance()).map_or(0, f64::to_bits)
    }),
    near("touching_with", |world, scene| mix_ids(world.touching_with(scene.any()))),
    near("touching_between, 8 and 8", |world, scene| {
        let [group, others] = [[0; 8]; 2].map(|of| of.map(|_| scene.any()));
        mix_ids(world.touching_between(&group, &others).into_iter().map(|pair| pair.b))
    }),
    near("parts_of", |world, scene| mix_ids(world.bodies().parts(scene.owner()))),
    updated("touching", |world, _| world.touching().len() as u64),
    updated("began, ended", |world, _| (world.began().len() + world.ended().len()) as u64),
    whole("update", |world, _| {
        world.update();
        world.touching().len() as u64
    }),
    whole("update_with", |world, _| {
        world.update_with(|_| true);
        world.touching().len() as u64
    }),
    whole("set_accuracy, update", |world, _| {
        world.set_accuracy(Accuracy::Box);
        world.update();
        world.touching().len() as u64
    }),
    whole("stayed", |world, _| world.stayed().count() as u64),
    whole("touching_bodies", |world, _| world.bodies().touching().len() as u64),
    whole("began_bodies, ended_bodies", |world, _| {
        (world.bodies().began().len() + world.bodies().ended().len()) as u64
    }),
    whole("iter", |world, _| mix_ids(world.iter().map(|(id, _)| id))),
    whole("snapshot", |world, _| world.snapshot().len() as u64),
    whole("state_hash", |world, _| world.state_hash()),
    whole("validate", |world, _| world.validate().map_or_else(|e| panic!("{e}"), |()| 1)),
    whole("snapshot, restore", |world, _| {
        let snapshot = world.snapshot();
        world.restore(&snapshot).expect("its own snapshot");
        snapshot.len() as u64
    }),
    whole("snapshot, from_snapshot", |world, _| {
        let atlases: Vec<Atlas> = world.atlases().cloned().collect();
        let again = World::from_snapshot(atlases, &world.snapshot());
        again.expect("its own snapshot").len() as u64
    }),
    whole("add_atlas", |world, scene| {
        world.atlases_mut().add(scene.versions[1].clone().labelled(7)).is_ok().into()
    }),
    whole("add_atlas, drop_atlas", |world, scene| {
        let id =
            world.atlases_mut().add(scene.versions[1].clone().labelled(7)).expect("a new label");
        world.atlases_mut().drop(id, InUse::Remove).is_ok().into()
    }),
    whole("replace_atlas", |world, scene| {
        let old = world.atlas().id();
        let new = scene.versions.iter().find(|version| version.id() != old).cloned();
        world.atlases_mut().replace(old, new.expect("two versions")).is_ok().into()
    }),
    whole("clone", |world, _| world.clone().len() as u64),
];
