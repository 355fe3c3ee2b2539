//! Queries against each collider's pixels, tested one by one, and motions against steps of one
//! pixel.

mod accuracies;
mod casts;
mod casts_all;
mod compounds;
mod far;
mod filtered;
mod free;
mod limits;
mod lines;
mod moves;
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
mod zones;

use hitmask::{
    Accuracy, Atlas, AtlasBuilder, Collider, ColliderId, Filter, Mask, Pivot, Point, PosedRef,
    World,
};
use hitmask_scenes::{Random, all, scene};

const SIDE: f32 = 700.0;

fn atlas() -> Atlas {
    let bake = all().into_iter().fold(AtlasBuilder::new().angles(16), |bake, picture| {
        bake.mask(picture.name, picture.mask())
    });
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
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

fn filters() -> [Filter; 4] {
    [
        Filter::ALL,
        Filter::SOLID,
        Filter { layers: 0b101, ..Filter::ALL },
        Filter { layers: 0, ..Filter::ALL },
    ]
}

fn shown(world: &World, filter: Filter) -> Vec<(ColliderId, PosedRef<'_>)> {
    let wanted = |id: &ColliderId| {
        let collider = world.get(*id).unwrap();
        collider.layers & filter.layers != 0
            && (filter.sensors || !collider.sensor)
            && filter.except != Some(*id)
    };
    world.iter().map(|(id, _)| id).filter(wanted).map(|id| (id, world.posed(id).unwrap())).collect()
}

fn has(posed: &PosedRef<'_>, p: Point) -> bool {
    posed.mask.get(p.x - posed.origin.x, p.y - posed.origin.y)
}

/// Returns what a collider is in moves: its pixels, or its tight box, filled.
fn in_moves(world: &World, id: ColliderId) -> (Mask, Point) {
    let (collider, posed) = (world.get(id).unwrap(), world.posed(id).unwrap());
    let accuracy = collider.move_accuracy.unwrap_or(collider.accuracy.min(world.accuracy()));
    match world.rect(id) {
        Some(rect) if accuracy == Accuracy::Box => {
            let mask = Mask::solid(rect.width(), rect.height()).unwrap();
            (mask, Point::new(rect.x0, rect.y0))
        }
        _ => (posed.mask.to_mask(), posed.origin),
    }
}

/// Tests whether the mover, moved by `by`, overlaps a collider that blocks it.
fn blocked(world: &World, id: ColliderId, by: Point) -> bool {
    let me = world.get(id).unwrap();
    let (mine, at) = in_moves(world, id);
    shown(world, Filter { except: Some(id), ..Filter::SOLID }).iter().any(|(other, _)| {
        let met = world.get(*other).unwrap();
        let meets = me.layers & met.collides_with != 0 && met.layers & me.collides_with != 0;
        // Boxes first: most obstacles are far away.
        let near = || match (world.rect(id), world.rect(*other)) {
            (Some(a), Some(b)) => a.translated(by).intersection(b).is_some(),
            _ => false,
        };
        let apart = me.owner == 0 || me.owner != met.owner;
        meets && apart && near() && {
            let (theirs, there) = in_moves(world, *other);
            mine.touches(&theirs, there - at - by)
        }
    })
}

/// Creates a scene of sprites and run-time masks with sensors, layers, owners, flips, fixed and
/// disabled colliders, some of it changed after the update.
fn mixed_crowd(seed: u64) -> World {
    let mut world = crowd(seed);
    let mut random = Random::new(seed ^ 0xabc);
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    let masks: Vec<_> = (0..6)
        .map(|i| {
            let mut mask = Mask::new(7 + 9 * i, 30 - 4 * i).unwrap();
            mask.fill();
            mask.erase(&Mask::disc(6).unwrap(), [i as i32, 3]);
            world.masks_mut().insert(mask, Pivot::HalfTexels(3, 5)).unwrap()
        })
        .collect();
    for (i, &id) in ids.iter().enumerate() {
        let mut collider = world.get(id).unwrap();
        if random.below(4) == 0 {
            let mask = Collider::from_mask(masks[random.below(6) as usize]);
            collider = Collider { shape: mask.shape, ..collider };
            collider =
                Collider { angle: mask.angle, scale: mask.scale, flip: mask.flip, ..collider };
        }
        collider.enabled = random.below(9) != 0;
        world.set(id, collider.owned_by(random.below(8))).unwrap();
        if i == ids.len() / 2 {
            world.update();
        }
    }
    world
}
