//! The broad phase of queries in the middle of a tick. It visits each collider near a region once,
//! whatever has changed since the last update.

use crate::geom::{PixelPath, Point, Rect};
use crate::query::PathPart;
use crate::scene::{Collider, ColliderId, MaskId, Placement};
use crate::world::World;
use crate::{Angle, Atlas, AtlasBuilder, Mask, Pivot, SpriteId};
use hitmask_scenes::Random;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Half the side of the square that the colliders lie in, in pixels.
const SIDE: i32 = 600;

fn atlas(first: &str) -> Atlas {
    let bake = AtlasBuilder::new().angles(4).compact(true);
    let bake = bake.mask("small", first.parse().unwrap()).mask("none", "".parse().unwrap());
    Atlas::from_vec(bake.mask("large", Mask::full(90, 40)).to_bytes().unwrap()).unwrap()
}

struct Play {
    world: World,
    mask: MaskId,
    random: Random,
    saved: Vec<u8>,
}

impl Play {
    fn new(seed: u64) -> Self {
        let mut world = World::new(atlas("####\n####\n"));
        let mask = world.masks_mut().insert(Mask::full(9, 7), Pivot::Center).unwrap();
        let saved = world.snapshot();
        Self { world, mask, random: Random::new(seed), saved }
    }

    fn number(&mut self, below: i32) -> i32 {
        self.random.below(below as u32) as i32
    }

    fn position(&mut self) -> [f32; 2] {
        [0, 1].map(|_| (self.number(2 * SIDE) - SIDE) as f32)
    }

    fn collider(&mut self) -> Collider {
        let sprite = [0, 0, 0, 0, 0, 1, 2][self.number(7) as usize];
        let position = self.position();
        let collider = match self.number(8) {
            0 => Collider::from_mask(self.mask),
            _ => Collider::new(SpriteId::new(sprite)).turned(Angle::turn(sprite as u16 * 9000)),
        };
        let fixed = self.number(3) == 0;
        Collider { fixed, owner: self.number(40) as u32, ..collider.at(position) }
    }

    fn any(&mut self) -> Option<ColliderId> {
        let ids: Vec<ColliderId> = self.world.iter().map(|(id, _)| id).collect();
        (!ids.is_empty()).then(|| ids[self.number(ids.len() as i32) as usize])
    }

    /// Places some colliders in one call, each by at most `far` pixels away.
    fn place(&mut self, count: usize, far: i32) {
        let ids: Vec<ColliderId> = self.world.iter().map(|(id, _)| id).collect();
        let first = self.number(ids.len().max(1) as i32) as usize;
        let some: Vec<ColliderId> = ids.iter().cycle().skip(first).take(count).copied().collect();
        let some = if ids.is_empty() { Vec::new() } else { some };
        let mut placements = Vec::new();
        for &id in &some {
            let Collider { position: [x, y], angle, .. } = self.world.get(id).unwrap();
            let by = [0, 1].map(|_| (self.number(2 * far + 1) - far) as f32);
            placements.push(Placement { position: [x + by[0], y + by[1]], angle });
        }
        self.world.set_placements(&some, &placements).unwrap();
    }

    fn change(&mut self) {
        let (kind, far) = (self.number(100), [1, 3, 8, 40, 2 * SIDE][self.number(5) as usize]);
        let by = [0, 1].map(|_| (self.number(2 * far + 1) - far) as f32);
        let other = self.collider();
        let Some(id) = self.any() else {
            self.world.insert(other).unwrap();
            return;
        };
        let now = self.world.get(id).unwrap();
        match kind {
            0..16 => _ = self.world.insert(other).unwrap(),
            16..26 => _ = self.world.remove(id).unwrap(),
            26..36 => self.world.set(id, other).unwrap(),
            36..40 => self.place(3, far),
            40 => self.place(300, far),
            41 => self.place(3000, far),
            42..46 if now.owner != 0 => {
                _ = self.world.move_body(now.owner, by, Filter::SOLID).unwrap()
            }
            46..48 => {
                let (x, solid) = (self.number(9), self.number(2) == 0);
                self.world
                    .masks_mut()
                    .edit(self.mask, |mask| (0..7).for_each(|y| mask.set(x, y, solid)));
            }
            48 => self.world = self.world.clone(),
            49 => self.saved = self.world.snapshot(),
            50 if self.number(6) == 0 => self.world.restore(&self.saved).unwrap(),
            51 if self.number(3) == 0 => {
                let old = self.world.atlas().id();
                self.world.atlases_mut().replace(old, atlas("#####\n#####\n#####\n")).unwrap();
                self.world.atlases_mut().replace(self.world.atlas().id(), atlas("###\n")).unwrap();
                self.saved = self.world.snapshot();
            }
            52 => {
                let panics = |_: &crate::PairRef<'_>| panic!("on purpose");
                _ = catch_unwind(AssertUnwindSafe(|| self.world.update_with(panics)));
            }
            53 => self.world.update(),
            54..60 => self.world.set(id, Collider { fixed: !now.fixed, ..now }).unwrap(),
            _ => {
                let [x, y] = now.position;
                self.world.set(id, now.at([x + by[0], y + by[1]])).unwrap();
            }
        }
    }

    fn check(&mut self) {
        let scene = &self.world.scene;
        let boxes: Vec<Rect> = (0..scene.slots.len()).map(|slot| scene.slots.rect(slot)).collect();
        let Point { x, y } = Point::from(self.position().map(|p| p as i32));
        let (width, height) = (1 + self.number(200), 1 + self.number(200));
        let rect = Rect::new(x, y, x + width, y + height);
        let overlapped = |region: Rect| -> Vec<u32> {
            let near = (0..).zip(&boxes).filter(|(_, rect)| rect.intersection(region).is_some());
            near.map(|(slot, _)| slot).collect()
        };
        let search = self.world.search();
        let visited = |mut found: Vec<u32>| {
            found.sort_unstable();
            assert!(found.windows(2).all(|two| two[0] < two[1]), "visited twice: {found:?}");
            found
        };
        let mut found = Vec::new();
        let _: ControlFlow<()> = search.visit_near(rect, |slot| {
            found.push(slot);
            ControlFlow::Continue(())
        });
        assert_eq!(visited(found), overlapped(rect));
        let motion = [0, 1].map(|_| self.number(2 * SIDE) - SIDE);
        let path = PixelPath::new(motion);
        let small = Rect::new(x, y, x + 1 + width / 20, y + 1 + height / 20);
        let mut found = Vec::new();
        let search = self.world.search();
        let _: ControlFlow<()> = search.visit_near(&PathPart::whole(small, path), |slot| {
            found.push(slot);
            ControlFlow::Continue(())
        });
        let found = visited(found);
        for step in 0..=path.steps() {
            for slot in overlapped(small.translated(path.at(step))) {
                assert!(found.binary_search(&slot).is_ok(), "slot {slot} at step {step}");
            }
        }
    }
}

#[test]
fn a_search_visits_each_collider_near_a_region_once_after_any_changes() {
    for seed in 0..hitmask_scenes::cases(12, 200).into() {
        let mut play = Play::new(seed);
        // Some plays ask after each change, others after hundreds.
        let between = 1 << (seed % 9);
        for _ in 0..300 {
            let insert = play.collider();
            play.world.insert(insert).unwrap();
        }
        for round in 0..(1500 / between).max(12) {
            for _ in 0..between {
                play.change();
            }
            play.check();
            if round % 16 == 0 {
                assert_eq!(play.world.validate(), Ok(()), "seed {seed}, round {round}");
            }
        }
    }
}
