//! Tests of `World::validate`: each damages a valid world in one way and names the invariant that
//! breaks. No call of a world does such damage, so the tests write to private fields.

use crate::geom::Rect;
use crate::ids::{ColliderId, MaskId};
use crate::save::InvariantViolation;
use crate::scene::changes::DirtySet;
use crate::scene::placed::{NO_COLLIDER, Slots};
use crate::scene::{Collider, Pair, PlacedMask};
use crate::world::World;
use crate::{Angle, Atlas, AtlasBuilder, Mask, Pivot};
use InvariantViolation::{Events, Index, Order, Placement, Slots as WrongSlots};
use std::sync::Arc;

/// The slots of [`world`].
const FIRST: u32 = 0;
const SECOND: u32 = 1;
const FIXED: u32 = 2;
const EMPTY: u32 = 3;
const FREE: u32 = 4;
const MADE: u32 = 5;
const LAST: u32 = 6;

fn id(slot: u32) -> ColliderId {
    ColliderId::new(slot, 0)
}

fn pair(a: u32, b: u32) -> Pair {
    Pair { a: id(a), b: id(b) }
}

/// Returns the pair with another collider in its second slot.
fn reused(pair: Pair) -> Pair {
    Pair { b: ColliderId::new(pair.b.index(), 1), ..pair }
}

/// Creates a world with every kind of collider and every kind of pair, just updated.
fn world() -> World {
    let wide: Mask = "####\n####\n".parse().unwrap();
    let bake = AtlasBuilder::new().angles(4).scales([1.0, 2.0]);
    let bake = bake.mask("wide", wide).mask("empty", "".parse().unwrap());
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let [wide, empty] = ["wide", "empty"].map(|name| Collider::new(atlas.sprite_id(name).unwrap()));
    let mut world = World::new(atlas);
    let made = world.masks_mut().insert("##\n##\n".parse().unwrap(), Pivot::Center).unwrap();
    let made = Collider::from_mask(made);
    for collider in [
        wide.at([0.0, 0.0]),
        wide.at([2.0, 0.0]).owned_by(7),
        wide.at([100.0, 0.0]).fixed(),
        empty.at([50.0, 50.0]),
        wide.at([70.0, 70.0]),
        made.at([101.0, 0.0]),
        wide.at([99.0, 0.0]),
    ] {
        world.insert(collider).unwrap();
    }
    world.remove(id(FREE)).unwrap();
    world.update();
    world.set(id(MADE), made.at([200.0, 0.0])).unwrap();
    world.set(id(LAST), wide.at([1.0, 1.0])).unwrap();
    world.update();
    let lists = &world.updater.pairs;
    assert_eq!(lists.touching, [pair(FIRST, SECOND), pair(FIRST, LAST), pair(SECOND, LAST)]);
    assert_eq!(lists.began, [pair(FIRST, LAST), pair(SECOND, LAST)]);
    assert_eq!(lists.ended, [pair(FIXED, MADE), pair(FIXED, LAST), pair(MADE, LAST)]);
    assert_eq!(world.validate(), Ok(()));
    world
}

/// A kind of damage with its name.
type Damage = (&'static str, fn(&mut World));

fn assert_each(damages: &[Damage], expected: Result<(), InvariantViolation>) {
    for (name, damage) in damages {
        let mut world = world();
        damage(&mut world);
        assert_eq!(world.validate(), expected, "{name}");
    }
}

fn slots(world: &mut World) -> &mut Slots {
    &mut world.scene.placed.slots
}

/// Moves a collider and its box as a call would, but leaves the dirty set empty.
fn put_silently(world: &mut World, slot: u32) {
    let moved = world.get(id(slot)).unwrap().at([300.0, 0.0]);
    world.set(id(slot), moved).unwrap();
    world.scene.changes.dirty = DirtySet::default();
}

#[test]
fn each_slot_is_free_or_taken_and_has_its_state() {
    let damages: [Damage; 17] = [
        ("free twice", |world| slots(world).free.push(FREE)),
        ("no such slot", |world| slots(world).free.push(LAST + 1)),
        ("free and taken", |world| slots(world).free.push(SECOND)),
        ("neither free nor taken", |world| slots(world).free.clear()),
        ("no collider", |world| slots(world).appearances[SECOND as usize] = NO_COLLIDER),
        ("generations", |world| slots(world).generations.push(0)),
        ("positions", |world| slots(world).positions.push([0.0; 2])),
        ("angles", |world| slots(world).angles.push(Angle::turn(0))),
        ("scales", |world| slots(world).scales.push(1.0)),
        ("moving", |world| slots(world).moving.push(PlacedMask::default())),
        ("fixed", |world| {
            Arc::make_mut(&mut slots(world).fixed).push((LAST + 1, PlacedMask::default()));
        }),
        ("a part is missing", |world| slots(world).parts.clear()),
        ("no such part", |world| _ = slots(world).parts.insert((7, FIRST))),
        ("another owner", |world| slots(world).owners[SECOND as usize] = 8),
        ("owners", |world| slots(world).owners.resize(99, 0)),
        ("a shown mask is missing", |world| slots(world).shown_masks.clear()),
        ("no such mask", |world| {
            slots(world).shown_masks.insert((MaskId::new(0, 0), FIRST));
        }),
    ];
    assert_each(&damages, Err(WrongSlots));
}

#[test]
fn a_placed_mask_matches_the_state_of_its_slot() {
    let free: [Damage; 2] = [
        ("moving", |world| {
            let here = PlacedMask::from_rect(Rect::new(0, 0, 2, 2));
            slots(world).moving[FREE as usize] = here;
        }),
        ("fixed", |world| {
            let here = PlacedMask::from_rect(Rect::new(0, 0, 2, 2));
            slots(world).put_fixed(FREE as usize, here);
        }),
    ];
    assert_each(&free, Err(Placement { slot: FREE }));
    let first: [Damage; 7] = [
        ("position", |world| slots(world).positions[0][1] += 1.0),
        ("no position", |world| slots(world).positions[0][0] = f32::NAN),
        ("angle", |world| slots(world).angles[0] = Angle::turn(0x4000)),
        ("scale", |world| slots(world).scales[0] = 2.0),
        ("no scale", |world| slots(world).scales[0] = 0.0),
        ("no pixel", |world| {
            slots(world).appearances[0] = slots(world).appearances[EMPTY as usize]
        }),
        ("nowhere", |world| slots(world).moving[0] = PlacedMask::default()),
    ];
    assert_each(&first, Err(Placement { slot: FIRST }));
    let made: [Damage; 2] = [
        ("another mask", |world| {
            slots(world).appearances[MADE as usize] = slots(world).appearances[0];
        }),
        ("no mask", |world| world.scene.stock.masks.places[0].0 = 1),
    ];
    assert_each(&made, Err(Placement { slot: MADE }));
    let fixed: [Damage; 3] = [
        ("nowhere", |world| _ = slots(world).take_fixed(FIXED as usize)),
        ("moving too", |world| {
            let here = slots(world).placed(FIXED as usize);
            slots(world).moving[FIXED as usize] = here;
        }),
        ("moving instead", |world| {
            let here = slots(world).take_fixed(FIXED as usize).unwrap();
            slots(world).moving[FIXED as usize] = here;
        }),
    ];
    assert_each(&fixed, Err(Placement { slot: FIXED }));
    let valid: [Damage; 2] = [
        ("less than half a pixel", |world| slots(world).positions[0][1] += 0.25),
        ("without a pixel", |world| slots(world).positions[EMPTY as usize] = [7.0; 2]),
    ];
    assert_each(&valid, Ok(()));
}

#[test]
fn pairs_are_sorted_with_the_lower_slot_first() {
    let damages: [Damage; 7] = [
        ("touching", |world| world.updater.pairs.touching.reverse()),
        ("began", |world| world.updater.pairs.began.reverse()),
        ("ended", |world| world.updater.pairs.ended.reverse()),
        ("twice", |world| world.updater.pairs.touching.insert(0, pair(FIRST, SECOND))),
        ("greater first", |world| world.updater.pairs.touching = vec![pair(LAST, FIRST)]),
        ("with itself", |world| world.updater.pairs.touching = vec![pair(LAST, LAST)]),
        ("twice by another generation", |world| {
            let pair = pair(FIRST, SECOND);
            world.updater.pairs.touching = vec![pair, reused(pair)];
        }),
    ];
    assert_each(&damages, Err(Order));
}

#[test]
fn began_pairs_touch_and_ended_pairs_do_not() {
    let damages: [Damage; 5] = [
        ("began but does not touch", |world| world.updater.pairs.touching.truncate(2)),
        ("another pair began", |world| world.updater.pairs.began.push(pair(FIXED, LAST))),
        ("another collider of the slot began", |world| {
            world.updater.pairs.began[0] = reused(pair(FIRST, LAST));
        }),
        ("ended but still touches", |world| {
            world.updater.pairs.ended = vec![pair(SECOND, LAST)];
        }),
        ("ended among others", |world| world.updater.pairs.ended.insert(0, pair(FIRST, SECOND))),
    ];
    assert_each(&damages, Err(Events));
    let valid: [Damage; 2] = [
        ("another collider of the slot still touches", |world| {
            world.updater.pairs.ended = vec![reused(pair(FIRST, SECOND))];
        }),
        ("none ended", |world| world.updater.pairs.ended.clear()),
    ];
    assert_each(&valid, Ok(()));
}

#[test]
fn the_index_holds_the_box_of_every_unchanged_collider() {
    assert_each(&[("moved", |world| put_silently(world, MADE))], Err(Index { slot: MADE }));
    let fixed: [Damage; 2] = [
        ("moved", |world| put_silently(world, FIXED)),
        ("removed", |world| {
            world.remove(id(FIXED)).unwrap();
            world.scene.changes.dirty = DirtySet::default();
        }),
    ];
    assert_each(&fixed, Err(Index { slot: FIXED }));
    let inserted: [Damage; 1] = [("inserted", |world| {
        let wide = world.get(id(FIRST)).unwrap();
        world.insert(wide).unwrap();
        world.scene.changes.dirty = DirtySet::default();
    })];
    assert_each(&inserted, Err(Index { slot: FREE }));
    let noted: [Damage; 2] = [
        ("noted", |world| {
            put_silently(world, FIXED);
            let len = slots(world).len();
            world.scene.changes.record_pixels(FIXED as usize, len);
        }),
        ("all noted", |world| {
            put_silently(world, FIRST);
            world.scene.changes.record_all();
        }),
    ];
    assert_each(&noted, Ok(()));
    // A changed collider does not excuse an unchanged one.
    let other: [Damage; 1] = [("another is noted", |world| {
        put_silently(world, FIRST);
        put_silently(world, SECOND);
        let len = slots(world).len();
        world.scene.changes.record_pixels(FIRST as usize, len);
    })];
    assert_each(&other, Err(Index { slot: SECOND }));
}
