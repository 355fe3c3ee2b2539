//! Rollback: saves and loads in place, the hash of a state, and what differs first between two.

use crate::atlas;
use hitmask::{
    Accuracy, Affine, Angle, Atlas, AtlasBuilder, Collider, ColliderId, Flip, Mask, MaskId,
    MinOverlap, Pivot, Raster, Sampling, SpriteId, World,
};
use std::sync::Arc;

/// A world of three colliders, two of which touch, and of two masks, one of them drawn.
fn world() -> (World, [ColliderId; 3], [MaskId; 2]) {
    let mut world = World::new(atlas());
    let picture = Mask::disc(9).unwrap();
    let raster = Arc::new(Raster::new(&picture, Pivot::Center, Sampling::Nearest).unwrap());
    let ground = world.masks_mut().insert(picture, Pivot::Center).unwrap();
    let drawn = world.masks_mut().insert_drawn(raster, Affine::rotation(0.4)).unwrap();
    let ship = Collider::new(SpriteId::new(0));
    let places = [ship, ship.at([3.0, 1.0]), Collider::from_mask(ground).at([900.0, 0.0])];
    let ids = places.map(|collider| world.insert(collider).unwrap());
    world.update();
    (world, ids, [ground, drawn])
}

#[test]
fn the_first_difference_names_the_part_and_both_values() {
    type Edit = fn(&mut World, [ColliderId; 3], [MaskId; 2]);
    let edits: &[(&str, Edit)] = &[
        ("collider 1: position.x 3.0 / 3.5", |w, c, _| w.move_to(c[1], [3.5, 1.0]).unwrap()),
        ("collider 1: position.y 1.0 / -8.0", |w, c, _| w.move_to(c[1], [3.0, -8.0]).unwrap()),
        ("collider 1: user_data 0 / 7", |w, c, _| {
            set(w, c[1], |it| Collider { user_data: 7, ..it });
        }),
        ("collider 0: angle Turn(0) / Turn(5)", |w, c, _| {
            set(w, c[0], |it| it.turned(Angle::turn(5)))
        }),
        ("collider 0: owner 0 / 4", |w, c, _| set(w, c[0], |it| Collider { owner: 4, ..it })),
        ("collider 0: fixed false / true", |w, c, _| set(w, c[0], Collider::fixed)),
        ("collider 0: sensor false / true", |w, c, _| {
            set(w, c[0], |it| Collider { sensor: true, ..it });
        }),
        ("collider 0: enabled true / false", |w, c, _| {
            set(w, c[0], |it| Collider { enabled: false, ..it });
        }),
        ("collider 0: flip ", |w, c, _| set(w, c[0], |it| it.flipped(Flip::X))),
        ("collider 0: layers 1 / 2", |w, c, _| set(w, c[0], |it| Collider { layers: 2, ..it })),
        ("collider 0: collides_with 4294967295 / 2", |w, c, _| {
            set(w, c[0], |it| Collider { collides_with: 2, ..it });
        }),
        ("collider 0: accuracy Exact / Box", |w, c, _| {
            set(w, c[0], |it| Collider { accuracy: Accuracy::Box, ..it });
        }),
        ("collider 0: move_accuracy None / Some(Box)", |w, c, _| {
            set(w, c[0], |it| Collider { move_accuracy: Some(Accuracy::Box), ..it });
        }),
        ("collider 0: min_overlap Pixels(0) / Pixels(3)", |w, c, _| {
            set(w, c[0], |it| Collider { min_overlap: MinOverlap::Pixels(3), ..it });
        }),
        ("collider 0: shape (\"sprite\", 0, 0) / (\"sprite\", 1, 0)", |w, c, _| {
            set(w, c[0], |it| Collider { shape: Collider::new(SpriteId::new(1)).shape, ..it });
        }),
        ("collider 1 only here", |w, c, _| _ = w.remove(c[1])),
        ("collider 3 only there", |w, c, _| _ = w.insert(w.get(c[0]).unwrap()).unwrap()),
        ("collider 1: generation Some(0) / Some(1)", |w, c, _| {
            let removed = w.remove(c[1]).unwrap();
            w.insert(removed).unwrap();
        }),
        ("mask 0, row 12", |w, _, m| {
            w.masks_mut().edit(m[0], |mask| mask.set(9, 12, false)).unwrap()
        }),
        ("mask 1: ", |w, _, m| {
            assert!(w.masks_mut().transform(m[1], Affine::translation([3.0, 0.0])).unwrap());
        }),
        ("mask 1 only here", |w, _, m| _ = w.masks_mut().remove(m[1]).unwrap()),
        ("places of masks 2 / 3", |w, _, _| {
            w.masks_mut().insert(Mask::disc(2).unwrap(), Pivot::Center).unwrap();
        }),
        ("accuracy Exact / Coarse", |w, _, _| w.set_accuracy(Accuracy::Coarse)),
        ("began: pair (0, 1) only here", |w, _, _| w.update()),
        ("touching: pair (0, 1) only here", |w, c, _| {
            w.move_to(c[1], [300.0, 0.0]).unwrap();
            w.update();
            w.move_to(c[1], [3.0, 1.0]).unwrap();
        }),
    ];
    for (expected, edit) in edits {
        let (world, ids, masks) = world();
        let mut other = world.clone();
        assert_eq!(world.first_difference(&other), None);
        edit(&mut other, ids, masks);
        let difference = world.first_difference(&other).unwrap_or_default();
        assert!(difference.starts_with(expected), "{difference}, not {expected}");
        assert_ne!(world.state_hash(), other.state_hash(), "{difference}");
        let restore = |world: &World| World::from_snapshot([atlas()], &world.snapshot()).unwrap();
        let restored = restore(&world).first_difference(&restore(&other)).unwrap_or_default();
        assert_eq!(restored, difference);
    }
}

fn set(world: &mut World, id: ColliderId, edit: impl FnOnce(Collider) -> Collider) {
    let collider = edit(world.get(id).unwrap());
    world.set(id, collider).unwrap();
}

#[test]
fn the_hash_of_a_state_follows_each_edit_of_a_mask() {
    let (mut world, _, [ground, _]) = world();
    let (saved, before) = (world.clone(), world.state_hash());
    world.masks_mut().edit(ground, |mask| mask.set(9, 9, false)).unwrap();
    let carved = world.state_hash();
    assert_ne!(carved, before);
    assert_eq!(saved.state_hash(), before);
    world.masks_mut().edit(ground, |mask| mask.set(9, 9, true)).unwrap();
    assert_eq!(world.state_hash(), before);
    // A copy of the pixels, whose digest is not known yet.
    world.masks_mut().edit(ground, |mask| *mask = mask.clone()).unwrap();
    let restored = World::from_snapshot([atlas()], &world.snapshot()).unwrap();
    assert_eq!((restored.state_hash(), world.state_hash()), (before, before));
}

#[test]
fn a_world_takes_over_another_one_with_its_atlases_and_budget() {
    let open = |name: &str| {
        let bake = AtlasBuilder::new().mask(name, "##".parse().unwrap()).compact(true);
        Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
    };
    let (mut one, mut other) = (World::new(open("a")), World::new(open("b")));
    let sprite = |world: &World, name: &str| {
        let id = world.atlases().find_map(|atlas| atlas.sprite_id(name));
        Collider::new(id.unwrap())
    };
    one.insert(sprite(&one, "a").at([4.0, 4.0])).unwrap();
    other.atlases_mut().add(open("c")).unwrap();
    other.atlases_mut().set_pose_budget(Some(4096)).unwrap();
    let id = other.insert(sprite(&other, "c").turned(0.5)).unwrap();
    other.update();
    one.clone_from(&other);
    assert_eq!(one.first_difference(&other), None);
    assert_eq!(one.validate(), Ok(()));
    assert_eq!(one.pose_stats(), other.pose_stats());
    // Each draws for itself after that.
    let turned = other.get(id).unwrap().turned(1.0);
    one.set(id, turned).unwrap();
    other.set(id, turned).unwrap();
    assert_eq!(one.posed(id), other.posed(id));
    assert_eq!(one.state_hash(), other.state_hash());
}

#[test]
fn a_load_keeps_the_source_masks_that_poses_are_drawn_from_unless_the_atlas_is_another_one() {
    let open = |rows: &str| {
        let bake = AtlasBuilder::new().mask("a", rows.parse().unwrap()).compact(true);
        Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
    };
    let mut worlds = ["####\n#...", "####\n..##"].map(|rows| World::new(open(rows)));
    let shown = Collider::new(SpriteId::new(0));
    let ids = worlds.each_mut().map(|world| world.insert(shown.turned(0.5)).unwrap());
    let prepared = |world: &World| format!("{world:?}").contains("1 prepared masks");
    let saved = worlds.clone();
    assert!(worlds.iter().all(prepared) && !saved.iter().any(prepared));
    worlds[0].clone_from(&saved[0]);
    assert!(prepared(&worlds[0]));
    worlds[0].clone_from(&saved[1]);
    for (world, id) in worlds.iter_mut().zip(ids) {
        world.set(id, shown.turned(1.0)).unwrap();
    }
    assert_eq!(worlds[0].posed(ids[0]), worlds[1].posed(ids[1]));
}

#[test]
fn a_pose_that_was_drawn_after_a_save_is_drawn_again_after_the_load() {
    let rows = "####\n#...\n#...".parse().unwrap();
    let bake = AtlasBuilder::new().mask("a", rows).compact(true);
    let mut world = World::new(Atlas::from_vec(bake.to_bytes().unwrap()).unwrap());
    let shown = |turn| Collider::new(SpriteId::new(0)).turned(Angle::turn(turn));
    let id = world.insert(shown(0)).unwrap();
    let mut drawn_first = world.clone();
    drawn_first.set(id, shown(1 << 14)).unwrap();
    let saved = world.clone();
    world.set(id, shown(1 << 14)).unwrap();
    world.clone_from(&saved);
    // Takes the place of the other one.
    world.set(id, shown(1 << 12)).unwrap();
    world.set(id, shown(1 << 14)).unwrap();
    assert_eq!(world.posed(id), drawn_first.posed(id));
    assert_eq!((world.pose_stats().poses, world.validate()), (3, Ok(())));
}
