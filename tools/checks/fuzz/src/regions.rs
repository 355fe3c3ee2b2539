//! Target `regions`: edits of a plane with many small regions and of one world, in any order. Both agree on
//! colliders, pairs, events and answers after each tick.

use crate::art;
use hitmask::{Accuracy, Collider, ColliderId, Filter, Flip, Line, Rect, World, Zone};
use hitmask_regions::{Answer, Options, Plane, PlaneId, PlanePair, Question, Shape};
use hitmask_scenes::naive::Source;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Side of the square that most colliders are in, in pixels: some boxes wide, so that most have ghosts.
const SIDE: u32 = 90;
const MOST: usize = 24;

static TEMPLATE: LazyLock<World> = LazyLock::new(|| World::new(art::atlas()));

/// The plane and the world, with the ids of each collider in both.
struct Both {
    plane: Plane<u64>,
    world: World,
    ids: Vec<(PlaneId, ColliderId)>,
    /// Each collider that ever was, because events name those that are gone.
    names: HashMap<ColliderId, PlaneId>,
}

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    let mut source = Source::Bytes(data);
    let mut options = Options::new(Rect::new(0, 0, SIDE as i32, SIDE as i32));
    options.regions = 1 + source.below(12) as u16;
    options.halo = source.below(30);
    options.rebalance = source.below(4);
    let plane = Plane::alone(TEMPLATE.clone(), options).expect("options of a plane");
    let mut both = Both { plane, world: TEMPLATE.clone(), ids: Vec::new(), names: HashMap::new() };
    for _ in 0..120 {
        if source.is_spent() {
            break;
        }
        both.step(&mut source);
    }
    both.tick();
}

impl Both {
    fn step(&mut self, source: &mut Source<'_>) {
        let picked =
            (!self.ids.is_empty()).then(|| self.ids[source.below(self.ids.len() as u32) as usize]);
        match (source.below(16), picked) {
            (0..3, _) | (_, None) if self.ids.len() < MOST => {
                let collider = collider(source);
                let id = self.plane.insert(collider, 0).expect("a sprite of the atlas");
                let local = self.world.insert(collider).expect("a sprite of the atlas");
                self.ids.push((id, local));
                self.names.insert(local, id);
            }
            (3..6, Some((id, local))) => self.set(id, local, collider(source)),
            (6..9, Some((id, local))) => {
                let before = self.world.get(local).expect("a collider of the world");
                self.set(id, local, before.at(position(source)));
            }
            (9, Some((id, local))) => {
                self.plane.remove(id).expect("a collider of the plane");
                self.world.remove(local);
                self.ids.retain(|other| other.0 != id);
            }
            (10, _) => {
                let motion = [source.below(9) as f32 - 4.0, source.below(9) as f32 - 4.0];
                let moved = |[x, y]: [f32; 2]| [x + motion[0], y + motion[1]];
                self.plane
                    .drive(|_, place, _| place.position = moved(place.position))
                    .expect("places nearby");
                for &(_, local) in &self.ids {
                    let before = self.world.get(local).expect("a collider of the world");
                    self.world.move_to(local, moved(before.position)).expect("places nearby");
                }
            }
            (11..13, _) => self.ask(source),
            _ => self.tick(),
        }
    }

    fn set(&mut self, id: PlaneId, local: ColliderId, collider: Collider) {
        self.plane.set(id, collider).expect("a sprite of the atlas");
        self.world.set(local, collider).expect("a sprite of the atlas");
    }

    fn tick(&mut self) {
        self.plane.tick().expect("one process");
        self.world.update();
        for &(id, local) in &self.ids {
            assert_eq!(self.plane.get(id), self.world.get(local), "collider {id}");
        }
        let named = |pairs: &[hitmask::Pair]| {
            let mut named: Vec<PlanePair> = pairs
                .iter()
                .map(|pair| [self.names[&pair.a], self.names[&pair.b]].into())
                .collect();
            named.sort_unstable();
            named
        };
        let sorted = |mut pairs: Vec<PlanePair>| {
            pairs.sort_unstable();
            pairs
        };
        assert_eq!(
            sorted(self.plane.touching().collect()),
            named(self.world.touching()),
            "touching pairs"
        );
        assert_eq!(
            sorted(self.plane.began().to_vec()),
            named(self.world.began()),
            "pairs that began"
        );
        assert_eq!(
            sorted(self.plane.ended().to_vec()),
            named(self.world.ended()),
            "pairs that ended"
        );
    }

    fn ask(&mut self, source: &mut Source<'_>) {
        let (from, to) = (position(source), position(source));
        let size = source.below(SIDE);
        let shape = match source.below(4) {
            0 => {
                let [x, y] = from.map(|value| value as i32);
                Shape::Rect(Rect::new(x, y, x + size as i32, y + 1 + source.below(20) as i32))
            }
            1 => Shape::Circle(from, size as f32),
            2 => Shape::Ray(from, to),
            _ => Shape::Nearest(from, size as f32),
        };
        let question = Question { sensors: source.below(2) == 0, ..Question::new(shape) };
        let answer = self.plane.ask(&[question]).expect("a question on the plane").remove(0);
        let filter = Filter { sensors: question.sensors, ..Filter::ALL };
        let zone = |zone: &Zone| {
            let found = self.world.query(zone, filter).expect("a zone on the plane");
            let mut found: Vec<PlaneId> = found.iter().map(|local| self.names[local]).collect();
            found.sort_unstable();
            found
        };
        match (shape, answer) {
            (Shape::Rect(rect), Answer::Colliders(found)) => {
                assert_eq!(found, zone(&Zone::rect(rect)))
            }
            (Shape::Circle(center, radius), Answer::Colliders(found)) => {
                assert_eq!(
                    found,
                    zone(&Zone::circle(center, radius).expect("a circle on the plane"))
                );
            }
            (Shape::Ray(from, to), Answer::Ray(found)) => {
                let line = Line::new(from, to).expect("a line on the plane");
                let first = self.world.ray(&line, filter).expect("a line on the plane");
                // Of several colliders with the pixel, the plane names the lowest id.
                let expected = first.map(|(_, hit)| {
                    let pixel =
                        Rect::new(hit.point.x, hit.point.y, hit.point.x + 1, hit.point.y + 1);
                    (zone(&Zone::rect(pixel))[0], hit.step, hit.point)
                });
                assert_eq!(found.map(|(id, hit)| (id, hit.step, hit.point)), expected);
            }
            (Shape::Nearest(at, within), Answer::Nearest(found)) => {
                let nearest =
                    self.world.nearest(at, within, filter).expect("a circle on the plane");
                assert_eq!(found.map(|found| found.1), nearest.map(|nearest| nearest.1));
            }
            (shape, answer) => panic!("{shape:?} has the answer {answer:?}"),
        }
    }
}

fn position(source: &mut Source<'_>) -> [f32; 2] {
    [0; 2].map(|_| {
        let whole = source.below(SIDE + 40) as f32 - 20.0;
        whole + source.below(4) as f32 / 4.0
    })
}

fn collider(source: &mut Source<'_>) -> Collider {
    let sprites: Vec<_> = TEMPLATE.atlas().sprites().map(|sprite| sprite.id()).collect();
    let rules = source.below(256);
    let is = |bit: u32| rules >> bit & 1 == 1;
    Collider {
        fixed: is(0) && is(1),
        sensor: is(2) && is(3),
        enabled: !(is(4) && is(5)),
        accuracy: if is(6) && is(7) { Accuracy::Box } else { Accuracy::Exact },
        layers: 1 + source.below(3),
        collides_with: 1 + source.below(3),
        owner: source.below(8).saturating_sub(5),
        ..Collider::new(sprites[source.below(sprites.len() as u32) as usize])
    }
    .at(position(source))
    .turned(source.below(64) as f32 / 10.0)
    .flipped(Flip { x: source.below(2) == 0, y: false })
}
