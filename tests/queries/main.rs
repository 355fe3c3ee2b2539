//! Queries and motions in scenes made for one question each. Random ones are asked in `tests/world/plays.rs`.

mod casts;
mod casts_all;
mod far;
mod limits;
mod lines;
mod nearest;
mod one_way;
mod passed;
mod picks;
mod refused;
mod rooms;
mod terrain;
mod touched;
mod units;
mod vetoes;
mod walks;

use hitmask::{Atlas, Collider, ColliderId, Point, World};
use hitmask_scenes::naive::Naive;
use hitmask_scenes::{Random, bake_of, open, scene};

const SIDE: f32 = 700.0;

fn atlas() -> Atlas {
    open(&bake_of(..).angles(16))
}

/// Creates a scene with sensors, layers and fixed colliders, some of it changed after the update.
fn crowd(seed: u64) -> World {
    let atlas = atlas();
    let sprites: Vec<_> = atlas.sprites().map(|sprite| sprite.id()).collect();
    let mut world = World::new(atlas);
    let mut random = Random::new(seed);
    let mut ids = Vec::new();
    for placed in scene(seed, 120, sprites.len(), SIDE) {
        let collider = Collider::new(sprites[placed.sprite])
            .at(placed.at)
            .turned(placed.angle)
            .flipped(placed.flip)
            .on_layers(1 << random.below(3), [u32::MAX, 0b110][random.below(2) as usize]);
        let sensor = random.below(5) == 0;
        let fixed = random.below(4) == 0;
        ids.push(world.insert(Collider { sensor, fixed, ..collider }).unwrap());
    }
    world.update();
    for &id in ids.iter().step_by(7) {
        let [x, y] = [random.unit() * SIDE, random.unit() * SIDE];
        world.set(id, world.get(id).unwrap().at([x, y])).unwrap();
    }
    for &id in ids.iter().step_by(31) {
        world.remove(id);
    }
    world
}

/// Tests whether the mover, moved by `by`, overlaps a collider that blocks it.
fn blocked(world: &World, id: ColliderId, by: Point) -> bool {
    Naive::of(world).is_blocked(id, by)
}
