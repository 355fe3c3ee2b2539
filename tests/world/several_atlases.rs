//! Several atlases in one world: added, dropped, and refused.

use hitmask::{
    Angle, Atlas, AtlasBuilder, AtlasId, CallError, Collider, FileError, InUse, Mask, Pair,
    Placement, SpriteId, UpdateTimings, World,
};
use hitmask_scenes::open;

fn solid(name: &str, width: u32) -> Atlas {
    open(&AtlasBuilder::new().mask(name, Mask::solid(width, 4).unwrap()))
}

#[test]
fn atlases_are_added_and_dropped_while_the_world_runs() {
    let [heroes, forest, cave] =
        [("hero", 4), ("tree", 6), ("stone", 8)].map(|(name, w)| solid(name, w));
    let [hero, tree, stone] = [(&heroes, "hero"), (&forest, "tree"), (&cave, "stone")]
        .map(|(atlas, name)| Collider::new(atlas.sprite_id(name).unwrap()));
    let mut world = World::new(heroes.clone());
    let hero = world.insert(hero).unwrap();
    let before = world.state_hash();
    let forest = world.atlases_mut().add(forest).unwrap();
    let tree_id = world.insert(tree).unwrap();
    world.update();
    assert_eq!(world.touching(), [Pair { a: hero, b: tree_id }]);
    // The next level.
    let cave = world.atlases_mut().add(cave).unwrap();
    let stone = world.insert(stone.at([2.0, 0.0])).unwrap();
    let in_use = CallError::AtlasInUse { atlas: forest, colliders: 1 };
    assert_eq!(world.atlases_mut().drop(forest, InUse::Refuse), Err(in_use));
    assert_eq!(world.atlases_mut().drop(forest, InUse::Remove), Ok(vec![tree_id]));
    assert_eq!(world.get(tree_id), None);
    world.update();
    assert_eq!(world.touching(), [Pair { a: hero, b: stone }]);
    assert_eq!(world.ended(), [Pair { a: hero, b: tree_id }]);
    assert_eq!(
        world.insert(tree),
        Err(CallError::OtherAtlas { sprite: tree.shape.sprite().unwrap() })
    );
    world.remove(stone);
    world.atlases_mut().drop(cave, InUse::Refuse).unwrap();
    assert_eq!(world.atlases().map(Atlas::id).collect::<Vec<_>>(), [heroes.id()]);
    let mut same = World::new(heroes);
    same.insert(world.get(hero).unwrap()).unwrap();
    assert_eq!(before, same.state_hash());
}

#[test]
fn an_added_atlas_leaves_the_poses_and_pairs_of_the_others() {
    let parts = [("a", 9), ("b", 5), ("c", 7)].map(|(name, width)| {
        let bake = AtlasBuilder::new().angles(8).compact(width != 5);
        open(&bake.mask(name, Mask::solid(width, 4).unwrap()))
    });
    let mut world = World::new(parts[0].clone());
    for added in 1..=3 {
        for i in 0..40 {
            let part = &parts[i % added];
            let sprite = Collider::new(part.sprites().next().unwrap().id());
            world.insert(sprite.at([3.0 * i as f32, 0.0]).turned(i as f32)).unwrap();
        }
        world.update();
        let Some(next) = parts.get(added) else { break };
        // A pose that no collider shows stays too.
        let first = world.iter().map(|(id, _)| id).next().unwrap();
        world.remove(first).unwrap();
        world.update();
        let (stats, pairs) = (world.pose_stats(), world.touching().to_vec());
        assert!(!pairs.is_empty());
        world.atlases_mut().add(next.clone()).unwrap();
        assert_eq!(world.pose_stats(), stats);
        assert_eq!(world.update_timed(), UpdateTimings::default());
        assert_eq!((world.touching(), world.began()), (&pairs[..], &[][..]));
        assert_eq!(world.validate(), Ok(()));
    }
}

/// Asserts that a call is refused with this error, and leaves the world as it was.
fn assert_refused<T: std::fmt::Debug + PartialEq>(
    world: &mut World,
    error: CallError,
    call: impl FnOnce(&mut World) -> Result<T, CallError>,
) {
    let (state, atlases) = (world.snapshot(), world.atlases().map(Atlas::id).collect::<Vec<_>>());
    assert!(!error.help().is_empty() && !error.to_string().is_empty());
    assert_eq!(call(world), Err(error));
    assert_eq!(world.snapshot(), state);
    assert_eq!(world.atlases().map(Atlas::id).collect::<Vec<_>>(), atlases);
    assert_eq!(world.validate(), Ok(()));
}

#[test]
fn an_atlas_that_does_not_fit_the_world_is_refused() {
    let [a, b] = [("a", 3), ("b", 5)].map(|(name, width)| solid(name, width));
    let mut world = World::new(a.clone());
    let shown = world.insert(Collider::new(a.sprite_id("a").unwrap())).unwrap();
    world.update();
    let fine = open(&AtlasBuilder::new().resolution(2.0).mask("c", Mask::solid(2, 2).unwrap()));
    let resolution = CallError::OtherResolution { atlas: 2.0, world: 1.0 };
    assert_refused(&mut world, resolution.clone(), |w| w.atlases_mut().add(fine.clone()));
    assert_refused(&mut world, resolution, |w| w.atlases_mut().replace(a.id(), fine.clone()));
    assert_refused(&mut world, CallError::SameAtlas(a.id()), |w| w.atlases_mut().add(a.clone()));
    let unknown = CallError::UnknownAtlas(b.id());
    assert_refused(&mut world, unknown.clone(), |w| w.atlases_mut().drop(b.id(), InUse::Refuse));
    assert_refused(&mut world, unknown.clone(), |w| w.atlases_mut().drop(b.id(), InUse::Remove));
    assert_refused(&mut world, unknown.clone(), |w| w.atlases_mut().replace(b.id(), b.clone()));
    let in_use = CallError::AtlasInUse { atlas: a.id(), colliders: 1 };
    assert_refused(&mut world, in_use, |w| w.atlases_mut().drop(a.id(), InUse::Refuse));
    let only = CallError::OnlyAtlas(a.id());
    assert_refused(&mut world, only.clone(), |w| w.atlases_mut().drop(a.id(), InUse::Remove));
    assert!(world.get(shown).is_some());
    world.atlases_mut().add(b.clone()).unwrap();
    assert_refused(&mut world, CallError::SameAtlas(b.id()), |w| {
        w.atlases_mut().replace(a.id(), b.clone())
    });
    // A dropped atlas is unknown.
    world.atlases_mut().drop(b.id(), InUse::Refuse).unwrap();
    assert_refused(&mut world, unknown.clone(), |w| w.atlases_mut().drop(b.id(), InUse::Refuse));
    assert_refused(&mut world, unknown, |w| w.atlases_mut().replace(b.id(), b.clone()));
    world.remove(shown);
    assert_refused(&mut world, only, |w| w.atlases_mut().drop(a.id(), InUse::Refuse));
}

#[test]
fn an_id_is_refused_unless_it_names_one_sprite_of_the_world() {
    let [a, b, other] = [("a", 3), ("b", 5), ("c", 7)].map(|(name, width)| solid(name, width));
    let mut world = World::new(a.clone());
    world.atlases_mut().add(b.clone()).unwrap();
    let (stranger, plain) = (other.sprite_id("c").unwrap(), SpriteId::new(0));
    let beyond = SpriteId::of_atlas(a.id(), 1);
    for (sprite, error) in [
        (stranger, CallError::OtherAtlas { sprite: stranger }),
        (plain, CallError::OtherAtlas { sprite: plain }),
        (beyond, CallError::UnknownSprite { sprite: beyond, sprites: 1 }),
    ] {
        let state = world.state_hash();
        assert_eq!(world.insert(Collider::new(sprite)), Err(error.clone()));
        assert_eq!(world.state_hash(), state);
        assert!(world.sprite(sprite).is_none());
        assert!(!error.help().is_empty(), "{error}");
    }
    assert_eq!(world.sprite(b.sprite_id("b").unwrap()).unwrap().name(), "b");
    let id = world.insert(Collider::new(b.sprite_id("b").unwrap())).unwrap();
    let nowhere = Placement { position: [f32::NAN; 2], angle: Angle::turn(0) };
    let refused = world.set_placements(&[id], &[nowhere]);
    assert!(matches!(refused, Err(CallError::Item { index: 0, .. })));
}

#[test]
fn a_snapshot_names_its_atlases_and_is_refused_over_others() {
    let [a, b, other] = [("a", 3), ("b", 5), ("b", 6)].map(|(name, width)| solid(name, width));
    let mut world = World::new(a.clone());
    world.atlases_mut().add(b.clone()).unwrap();
    for atlas in [&a, &b] {
        world.insert(Collider::new(atlas.sprites().next().unwrap().id())).unwrap();
    }
    world.update();
    let saved = world.snapshot();
    let from = |atlases: &[&Atlas]| {
        World::from_snapshot(atlases.iter().map(|&atlas| atlas.clone()), &saved)
            .map(|world| world.state_hash())
    };
    assert_eq!(from(&[&a, &b]), Ok(world.state_hash()));
    let expected = [a.id(), b.id()];
    let another = |expected, got: &Atlas| FileError::OtherAtlas { expected, got: got.id() };
    assert_eq!(from(&[&a, &other]), Err(another(expected[1], &other)));
    assert_eq!(from(&[&b, &a]), Err(another(expected[0], &b)));
    assert_eq!(from(&[&a]), Err(FileError::AtlasCount { expected: 2, got: 1 }));
    assert_eq!(from(&[&a, &b, &other]), Err(FileError::AtlasCount { expected: 2, got: 3 }));
    assert_eq!(from(&[]), Err(FileError::AtlasCount { expected: 2, got: 0 }));
    let mut single = World::new(a.clone());
    let refused = single.restore(&saved);
    assert_eq!(refused, Err(FileError::AtlasCount { expected: 2, got: 1 }));
    let single = single.snapshot();
    let refused = world.restore(&single);
    assert_eq!(refused, Err(FileError::AtlasCount { expected: 1, got: 2 }));
    // Damaged bytes never panic.
    for at in 0..saved.len() - 4 {
        let mut bytes = saved.clone();
        bytes[at] ^= 0x11;
        let end = bytes.len() - 4;
        let crc = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&crc.to_le_bytes());
        if let Ok(world) = World::from_snapshot([a.clone(), b.clone()], &bytes) {
            assert_eq!(world.validate(), Ok(()));
            assert_eq!(world.snapshot(), bytes);
        }
    }
}

#[test]
fn atlases_that_differ_in_pixels_only_fit_into_one_world() {
    let tile = |text: &str| open(&AtlasBuilder::new().mask("tile", text.parse().unwrap()));
    let (day, night) = (tile("##\n.."), tile("..\n##"));
    let [upper, lower] =
        [&day, &night].map(|atlas| Collider::new(atlas.sprite_id("tile").unwrap()));
    let mut world = World::new(day);
    world.atlases_mut().add(night).unwrap();
    let ids = [upper, lower, lower].map(|tile| world.insert(tile).unwrap());
    world.update();
    assert_eq!(world.touching(), [Pair { a: ids[1], b: ids[2] }]);
    assert_eq!(AtlasId::new(3), AtlasId::new(3));
}
