//! Tests of `World::validate`: each damages a valid world in one way and names the invariant that
//! breaks. No call of a world does such damage, so the tests write to private fields.

use crate::geom::Rect;
use crate::ids::{ColliderId, MaskId};
use crate::save::InvariantViolation;
use crate::scene::changes::DirtySet;
use crate::scene::placed::NO_COLLIDER;
use crate::scene::{Collider, Pair, PlacedMask};
use crate::world::World;
use crate::{Angle, Atlas, AtlasBuilder, Mask, Pivot};
use std::sync::Arc;

/// The slots of [`world`].
const FIRST: u32 = 0;
const SECOND: u32 = 1;
const FIXED: u32 = 2;
const EMPTY: u32 = 3;
const EMPTY_FIXED: u32 = 4;
const FREE: u32 = 5;
const MADE: u32 = 6;
const LAST: u32 = 7;

fn id(slot: u32) -> ColliderId {
    ColliderId::new(slot, 0)
}

fn pair(a: u32, b: u32) -> Pair {
    Pair { a: id(a), b: id(b) }
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
        wide.at([2.0, 0.0]),
        wide.at([100.0, 0.0]).fixed(),
        empty.at([50.0, 50.0]),
        empty.at([60.0, 60.0]).fixed(),
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
    assert_eq!(
        world.updater.pairs.touching,
        [pair(FIRST, SECOND), pair(FIRST, LAST), pair(SECOND, LAST)]
    );
    assert_eq!(world.updater.pairs.began, [pair(FIRST, LAST), pair(SECOND, LAST)]);
    assert_eq!(world.updater.pairs.ended, [pair(FIXED, MADE), pair(FIXED, LAST), pair(MADE, LAST)]);
    assert_eq!(world.validate(), Ok(()));
    world
}

fn after(damage: impl FnOnce(&mut World)) -> Result<(), InvariantViolation> {
    let mut world = world();
    damage(&mut world);
    world.validate()
}

/// A kind of damage with its name.
type Damage = (&'static str, fn(&mut World));

fn assert_each(damages: &[Damage], result: Result<(), InvariantViolation>) {
    for (name, damage) in damages {
        assert_eq!(after(damage), result, "{name}");
    }
}

fn misplaced(slot: u32) -> Result<(), InvariantViolation> {
    Err(InvariantViolation::Placement { slot })
}

fn misindexed(slot: u32) -> Result<(), InvariantViolation> {
    Err(InvariantViolation::Index { slot })
}

/// Moves a collider and its box as a call would, but leaves the dirty set empty.
fn put_silently(world: &mut World, slot: u32, position: [f32; 2]) {
    let moved = world.get(id(slot)).unwrap().at(position);
    world.set(id(slot), moved).unwrap();
    world.scene.changes.dirty = DirtySet::default();
}

#[test]
fn each_slot_is_free_or_taken_and_has_its_state() {
    let damages: [Damage; 12] = [
        ("free twice", |world| world.scene.placed.slots.free.push(FREE)),
        ("no such slot", |world| world.scene.placed.slots.free.push(LAST + 1)),
        ("free and taken", |world| world.scene.placed.slots.free.push(SECOND)),
        ("neither free nor taken", |world| world.scene.placed.slots.free.clear()),
        ("no collider", |world| {
            world.scene.placed.slots.appearances[SECOND as usize] = NO_COLLIDER
        }),
        ("taken and free", |world| world.scene.placed.slots.appearances[FREE as usize] = 0),
        ("generations", |world| world.scene.placed.slots.generations.push(0)),
        ("positions", |world| world.scene.placed.slots.positions.push([0.0; 2])),
        ("angles", |world| world.scene.placed.slots.angles.push(Angle::turn(0))),
        ("scales", |world| world.scene.placed.slots.scales.push(1.0)),
        ("moving", |world| world.scene.placed.slots.moving.push(PlacedMask::default())),
        ("fixed", |world| {
            Arc::make_mut(&mut world.scene.placed.slots.fixed)
                .push((LAST + 1, PlacedMask::default()))
        }),
    ];
    assert_each(&damages, Err(InvariantViolation::Slots));
}

#[test]
fn the_index_of_owners_matches_the_owners() {
    let damages: [Damage; 4] = [
        ("a part is missing", |world| world.scene.placed.slots.parts.clear()),
        ("no such part", |world| _ = world.scene.placed.slots.parts.insert((7, FIRST))),
        ("another owner", |world| world.scene.placed.slots.owners[SECOND as usize] = 8),
        ("no such slot", |world| world.scene.placed.slots.owners.resize(99, 0)),
    ];
    for (name, damage) in damages {
        let damaged = after(|world| {
            let part = world.get(id(SECOND)).unwrap().owned_by(7);
            world.set(id(SECOND), part).unwrap();
            assert_eq!(world.validate(), Ok(()));
            damage(world);
        });
        assert_eq!(damaged, Err(InvariantViolation::Slots), "{name}");
    }
}

#[test]
fn the_index_of_masks_matches_the_colliders_that_show_them() {
    let mask = MaskId::new(0, 0);
    let missing = after(|world| world.scene.placed.slots.shown_masks.clear());
    assert_eq!(missing, Err(InvariantViolation::Slots));
    let extra = after(|world| _ = world.scene.placed.slots.shown_masks.insert((mask, FIRST)));
    assert_eq!(extra, Err(InvariantViolation::Slots));
}

#[test]
fn a_free_slot_has_no_box() {
    const HERE: Rect = Rect::new(0, 0, 2, 2);
    let damages: [Damage; 2] = [
        ("moving", |world| {
            world.scene.placed.slots.moving[FREE as usize] = PlacedMask::from_rect(HERE);
        }),
        ("fixed", |world| {
            world.scene.placed.slots.put_fixed(FREE as usize, PlacedMask::from_rect(HERE));
        }),
    ];
    assert_each(&damages, misplaced(FREE));
}

#[test]
fn a_cached_box_matches_the_state_of_its_collider() {
    let state = |change: fn(&mut World, usize)| {
        [FIRST, SECOND, FIXED, LAST].map(|slot| after(|world| change(world, slot as usize)))
    };
    let all = [FIRST, SECOND, FIXED, LAST].map(misplaced);
    assert_eq!(state(|world, at| world.scene.placed.slots.positions[at][1] += 1.0), all);
    assert_eq!(state(|world, at| world.scene.placed.slots.positions[at][0] = f32::NAN), all);
    assert_eq!(state(|world, at| world.scene.placed.slots.angles[at] = Angle::turn(0x4000)), all);
    assert_eq!(state(|world, at| world.scene.placed.slots.scales[at] = 2.0), all);
    assert_eq!(state(|world, at| world.scene.placed.slots.scales[at] = 0.0), all);
    // A shift below half a pixel snaps to the same pixel.
    assert_eq!(state(|world, at| world.scene.placed.slots.positions[at][1] += 0.25), [Ok(()); 4]);
    // An empty mask has no box, so its position does not matter.
    for slot in [EMPTY, EMPTY_FIXED] {
        assert_eq!(
            after(|world| world.scene.placed.slots.positions[slot as usize] = [7.0; 2]),
            Ok(())
        );
    }
}

#[test]
fn a_box_matches_the_appearance() {
    let look_of = |slot: u32, other: u32| {
        after(|world| {
            world.scene.placed.slots.appearances[slot as usize] =
                world.scene.placed.slots.appearances[other as usize]
        })
    };
    assert_eq!(look_of(FIRST, EMPTY), misplaced(FIRST), "a box without a pixel");
    assert_eq!(look_of(EMPTY, FIRST), misplaced(EMPTY), "pixels without a box");
    assert_eq!(look_of(MADE, FIRST), misplaced(MADE), "another mask");
    let nowhere =
        after(|world| world.scene.placed.slots.moving[LAST as usize] = PlacedMask::default());
    assert_eq!(nowhere, misplaced(LAST));
    let nowhere = after(|world| _ = world.scene.placed.slots.take_fixed(FIXED as usize));
    assert_eq!(nowhere, misplaced(FIXED));
}

#[test]
fn a_runtime_mask_exists_while_a_collider_shows_it() {
    let gone = after(|world| {
        let is_there = |world: &World| world.scene.stock.masks.get(MaskId::new(0, 0)).is_some();
        assert!(is_there(world));
        world.scene.stock.masks.places[0].0 = 1;
        assert!(!is_there(world));
    });
    assert_eq!(gone, misplaced(MADE));
}

#[test]
fn a_collider_is_either_moving_or_fixed() {
    let both = |slot: u32| {
        after(|world| {
            let here = world.scene.placed.slots.placed(slot as usize);
            world.scene.placed.slots.moving[slot as usize] = here;
            Arc::make_mut(&mut world.scene.placed.slots.fixed).push((slot, here));
        })
    };
    assert_eq!(both(SECOND), misplaced(SECOND));
    assert_eq!(both(FIXED), misplaced(FIXED));
    let other = after(|world| {
        let here = world.scene.placed.slots.take_fixed(FIXED as usize).unwrap();
        world.scene.placed.slots.moving[FIXED as usize] = here;
    });
    assert_eq!(other, misplaced(FIXED), "is stored as moving");
    let other = after(|world| {
        let here = world.scene.placed.slots.moving[FIRST as usize];
        world.scene.placed.slots.put_fixed(FIRST as usize, here);
    });
    assert_eq!(other, misplaced(FIRST), "is stored as fixed");
}

#[test]
fn pairs_are_sorted_with_the_lower_slot_first() {
    let lists: [fn(&mut World) -> &mut Vec<Pair>; 3] = [
        |world| &mut world.updater.pairs.touching,
        |world| &mut world.updater.pairs.began,
        |world| &mut world.updater.pairs.ended,
    ];
    for (at, list) in lists.into_iter().enumerate() {
        let broken = Err(InvariantViolation::Order);
        assert_eq!(after(|world| list(world).reverse()), broken, "{at}");
        assert_eq!(after(|world| list(world).swap(0, 1)), broken, "{at}");
        assert_eq!(after(|world| list(world).insert(1, list(&mut self::world())[0])), broken);
        assert_eq!(after(|world| *list(world) = vec![pair(LAST, FIRST)]), broken, "{at}");
        assert_eq!(after(|world| *list(world) = vec![pair(LAST, LAST)]), broken, "{at}");
        // Pairs with the same first slot are ordered by the second; generations do not count.
        let [low, high] = [pair(FIRST, SECOND), pair(FIRST, FIXED)];
        assert_eq!(after(|world| *list(world) = vec![high, low]), broken, "{at}");
        let reused = Pair { a: ColliderId::new(FIRST, 1), b: id(SECOND) };
        assert_eq!(after(|world| *list(world) = vec![low, reused]), broken, "{at}");
    }
}

#[test]
fn began_pairs_touch_and_ended_pairs_do_not() {
    const fn reused(pair: Pair) -> Pair {
        Pair { b: ColliderId::new(pair.b.index(), 1), ..pair }
    }
    let damages: [Damage; 8] = [
        ("began but does not touch", |world| world.updater.pairs.touching.truncate(2)),
        ("began but none touches", |world| world.updater.pairs.touching.clear()),
        ("another pair began", |world| world.updater.pairs.began.push(pair(FIXED, LAST))),
        ("another collider of the slot began", |world| {
            world.updater.pairs.began[0] = reused(world.updater.pairs.began[0]);
        }),
        ("ended but still touches", |world| {
            world.updater.pairs.ended = vec![world.updater.pairs.touching[0]];
        }),
        ("ended, the second", |world| {
            world.updater.pairs.ended = vec![world.updater.pairs.touching[1]];
        }),
        ("ended, the third", |world| {
            world.updater.pairs.ended = vec![world.updater.pairs.touching[2]];
        }),
        ("ended among others", |world| {
            world.updater.pairs.ended.insert(0, world.updater.pairs.touching[0]);
        }),
    ];
    assert_each(&damages, Err(InvariantViolation::Events));
    let valid: [Damage; 2] = [
        ("another collider of the slot still touches", |world| {
            world.updater.pairs.ended = vec![reused(world.updater.pairs.touching[0])];
        }),
        ("none ended", |world| world.updater.pairs.ended.clear()),
    ];
    assert_each(&valid, Ok(()));
}

#[test]
fn the_index_holds_the_box_of_every_unchanged_collider() {
    for slot in [FIRST, SECOND, FIXED, MADE, LAST] {
        for position in [[300.0, 0.0], [0.0, 300.0]] {
            assert_eq!(after(|world| put_silently(world, slot, position)), misindexed(slot));
        }
    }
    let came = |fixed| {
        after(|world| {
            let wide = world.get(id(FIRST)).unwrap();
            world.insert(Collider { fixed, ..wide }).unwrap();
            world.scene.changes.dirty = DirtySet::default();
        })
    };
    assert_eq!([came(false), came(true)], [misindexed(FREE); 2]);
    for slot in [SECOND, FIXED] {
        let went = after(|world| {
            world.remove(id(slot)).unwrap();
            world.scene.changes.dirty = DirtySet::default();
        });
        assert_eq!(went, misindexed(slot));
    }
}

#[test]
fn the_index_may_be_stale_for_changed_colliders() {
    let moved = |world: &mut World, slots: &[u32]| {
        for &slot in slots {
            put_silently(world, slot, [300.0, 0.0]);
        }
    };
    for slot in [FIRST, FIXED, LAST] {
        let noted = after(|world| {
            moved(world, &[slot]);
            world.scene.changes.record_pixels(slot as usize, world.scene.placed.slots.len());
        });
        assert_eq!(noted, Ok(()));
    }
    let inserted = after(|world| {
        let wide = world.get(id(FIRST)).unwrap();
        world.insert(wide).unwrap();
    });
    assert_eq!(inserted, Ok(()));
    // A changed collider does not excuse an unchanged one.
    let other = after(|world| {
        moved(world, &[FIRST, SECOND]);
        world.scene.changes.record_pixels(FIRST as usize, world.scene.placed.slots.len());
    });
    assert_eq!(other, misindexed(SECOND));
    let all = after(|world| {
        moved(world, &[FIRST, SECOND, FIXED, MADE, LAST]);
        world.scene.changes.record_all();
    });
    assert_eq!(all, Ok(()));
}

#[test]
fn each_violation_names_the_fault_and_calls_it_a_defect() {
    let texts = [
        (InvariantViolation::Slots, "a slot is both free and taken, or neither, or lacks"),
        (InvariantViolation::Placement { slot: 7 }, "the pose or box of slot 7 does not match"),
        (InvariantViolation::Order, "a list of pairs is not sorted"),
        (InvariantViolation::Events, "the events do not match the touching pairs"),
        (InvariantViolation::Index { slot: 7 }, "the index holds a wrong box for slot 7"),
    ];
    for (broken, text) in texts {
        assert!(broken.to_string().starts_with(text), "{broken}");
        assert_eq!(broken.help(), "report it: this is a defect of hitmask");
    }
}
