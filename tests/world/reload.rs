//! Replaced atlases: colliders keep their ids and places, and ids of earlier versions keep working
//! by name.

use hitmask::{
    Atlas, AtlasBuilder, CallError, Collider, InUse, Mask, Pair, ReloadReport, SpriteId, World,
};
use hitmask_scenes::open;

/// Returns a bake of solid masks of these names and sizes.
fn bake(masks: &[(&str, [u32; 2])]) -> AtlasBuilder {
    let add = |bake: AtlasBuilder, &(name, [w, h]): &(&str, [u32; 2])| {
        bake.mask(name, Mask::solid(w, h).unwrap())
    };
    masks.iter().fold(AtlasBuilder::new(), add)
}

fn solid(masks: &[(&str, [u32; 2])]) -> Atlas {
    open(&bake(masks))
}

fn of(atlas: &Atlas, name: &str) -> Collider {
    Collider::new(atlas.sprite_id(name).unwrap())
}

#[test]
fn ids_of_every_earlier_version_keep_working_by_name() {
    let first = solid(&[("b", [2, 2]), ("c", [3, 3])]);
    let second = solid(&[("a", [1, 1]), ("c", [4, 4])]);
    let third = solid(&[("a", [1, 1]), ("b", [5, 5]), ("c", [6, 6])]);
    let mut world = World::new(first.clone());
    let width = |world: &mut World, collider: Collider| {
        let id = world.insert(collider)?;
        let width = world.rect(id).unwrap().width();
        world.remove(id);
        Ok::<u32, CallError>(width)
    };
    world.atlases_mut().replace(first.id(), second.clone()).unwrap();
    assert_eq!(width(&mut world, of(&first, "c")), Ok(4));
    let b = first.sprite_id("b").unwrap();
    let vanished = CallError::Vanished { sprite: b, plane: 0 };
    assert_eq!(width(&mut world, of(&first, "b")), Err(vanished.clone()));
    assert!(vanished.to_string().contains(&first.id().to_string()), "{vanished}");
    assert!(vanished.help().contains("names"));
    // The id of an earlier version names its newest one.
    world.atlases_mut().replace(first.id(), third.clone()).unwrap();
    for (atlas, name, expected) in [
        (&first, "b", 5),
        (&first, "c", 6),
        (&second, "a", 1),
        (&second, "c", 6),
        (&third, "a", 1),
        (&third, "b", 5),
    ] {
        assert_eq!(width(&mut world, of(atlas, name)), Ok(expected), "{name}");
        let sprite = world.sprite(atlas.sprite_id(name).unwrap()).unwrap();
        assert_eq!((sprite.name(), sprite.id()), (name, third.sprite_id(name).unwrap()));
    }
    let beyond = SpriteId::of_atlas(first.id(), 2);
    let unknown = CallError::UnknownSprite { sprite: beyond, sprites: 2 };
    assert_eq!(width(&mut world, Collider::new(beyond)), Err(unknown));
    // An earlier version comes back.
    world.atlases_mut().replace(third.id(), first.clone()).unwrap();
    assert_eq!(width(&mut world, of(&third, "b")), Ok(2));
    assert_eq!(width(&mut world, of(&first, "b")), Ok(2));
    // Dropped with all its versions.
    let other = solid(&[("other", [1, 1])]);
    world.atlases_mut().add(other.clone()).unwrap();
    world.atlases_mut().drop(second.id(), InUse::Refuse).unwrap();
    for (atlas, name) in [(&first, "b"), (&second, "a"), (&third, "c")] {
        let sprite = atlas.sprite_id(name).unwrap();
        let refused = width(&mut world, Collider::new(sprite));
        assert_eq!(refused, Err(CallError::OtherAtlas { sprite }));
    }
    world.atlases_mut().add(second).unwrap();
}

#[test]
fn planes_are_matched_by_name() {
    let ogre = |planes: &[(&str, u32)]| {
        let bar = |&(_, width): &(&str, u32)| {
            let mut mask = Mask::new(9, 9).unwrap();
            mask.draw(&Mask::solid(width, 9).unwrap(), [0, 0]);
            mask
        };
        let masks = planes.iter().map(bar);
        let names: Vec<&str> = planes.iter().map(|&(name, _)| name).collect();
        open(&AtlasBuilder::new().planes("ogre", names, [masks.collect::<Vec<_>>()]).unwrap())
    };
    let first = ogre(&[("body", 9), ("eye", 3)]);
    let second = ogre(&[("arm", 5), ("body", 8), ("eye", 2)]);
    let third = ogre(&[("arm", 5), ("body", 8)]);
    let mut world = World::new(first.clone());
    let eye = of(&first, "ogre").with_plane(1);
    let id = world.insert(eye).unwrap();
    world.atlases_mut().replace(first.id(), second.clone()).unwrap();
    let shown = |world: &World| (world.get(id).unwrap().plane, world.rect(id).unwrap().width());
    assert_eq!(shown(&world), (2, 2));
    // The plane of an earlier id belongs to that version too.
    world.set(id, eye.at([1.0, 0.0])).unwrap();
    assert_eq!(shown(&world), (2, 2));
    let no_plane = CallError::UnknownPlane { plane: 2, planes: 2 };
    assert_eq!(world.set(id, eye.with_plane(2)), Err(no_plane));
    let report = world.atlases_mut().replace(second.id(), third.clone()).unwrap();
    assert_eq!(report.changed[0].lost_planes, ["eye"]);
    assert_eq!((report.outdated, shown(&world)), (vec![id], (2, 2)));
    let vanished = CallError::Vanished { sprite: eye.shape.sprite().unwrap(), plane: 1 };
    assert_eq!(world.set(id, eye), Err(vanished));
}

#[test]
fn a_collider_without_a_new_sprite_or_frame_keeps_its_earlier_pixels() {
    let atlas = |walk: &[u32], has_hat: bool| {
        let frames = walk.iter().map(|&width| Mask::solid(width, 4).unwrap());
        let bake = AtlasBuilder::new().frames("walk", frames.collect::<Vec<_>>());
        let bake = if has_hat { bake.mask("hat", Mask::solid(7, 3).unwrap()) } else { bake };
        open(&bake)
    };
    let [first, second, third] =
        [atlas(&[4, 5, 6], true), atlas(&[8, 9], false), atlas(&[2, 2, 3], true)];
    let mut world = World::new(first.clone());
    let [walk, hat] = ["walk", "hat"].map(|name| of(&first, name));
    let ids = [walk, walk.with_frame(2), hat].map(|collider| world.insert(collider).unwrap());
    world.update();
    let report = world.atlases_mut().replace(first.id(), second.clone()).unwrap();
    let ReloadReport { vanished, added, changed, outdated, .. } = &report;
    assert_eq!(
        (&vanished[..], added.len(), &outdated[..]),
        (&["hat".to_owned()][..], 0, &ids[1..])
    );
    assert_eq!((changed[0].frames, &changed[0].resized[..]), ([3, 2], &[0, 1][..]));
    let widths = |world: &World| ids.map(|id| world.rect(id).unwrap().width());
    assert_eq!(widths(&world), [8, 6, 7]);
    assert_eq!(world.atlases().map(Atlas::id).collect::<Vec<_>>(), [second.id(), first.id()]);
    let shown = |id| world.sprite(world.get(id).unwrap().shape.sprite().unwrap()).unwrap();
    assert_eq!(
        ids.map(|id| (shown(id).name(), shown(id).frame_count())),
        [("walk", 2), ("walk", 2), ("hat", 1)]
    );
    // They move and meet, and a snapshot of them needs both versions.
    world.update();
    assert_eq!(world.touching().len(), 3);
    world.move_to(ids[2], [100.0, 0.0]).unwrap();
    world.move_to(ids[1], [103.0, 0.0]).unwrap();
    world.update();
    assert_eq!(world.touching(), [Pair { a: ids[1], b: ids[2] }]);
    let saved = world.snapshot();
    let copy = World::from_snapshot([second.clone(), first.clone()], &saved).unwrap();
    assert_eq!((copy.snapshot(), widths(&copy)), (saved, widths(&world)));
    // A frame that the new version has is shown from there.
    let lost = world.set(ids[0], walk.with_frame(2));
    assert_eq!(lost, Err(CallError::UnknownFrame { frame: 2, frames: 2 }));
    world.set(ids[1], walk.with_frame(1)).unwrap();
    assert_eq!(widths(&world), [8, 9, 7]);
    // A later version takes them over, and the earlier one is gone.
    let report = world.atlases_mut().replace(second.id(), third.clone()).unwrap();
    assert_eq!((report.outdated, report.added), (vec![], vec!["hat".to_owned()]));
    assert_eq!(widths(&world), [2, 2, 7]);
    assert_eq!(world.atlases().map(Atlas::id).collect::<Vec<_>>(), [third.id()]);
    // An atlas is dropped together with earlier versions that are shown.
    let report = world.atlases_mut().replace(third.id(), second.clone()).unwrap();
    assert_eq!(report.outdated, [ids[2]]);
    world.atlases_mut().add(solid(&[("other", [1, 1])])).unwrap();
    assert_eq!(world.atlases_mut().drop(first.id(), InUse::Remove), Ok(ids.to_vec()));
    assert_eq!((world.len(), world.atlases().len()), (0, 1));
}

#[test]
fn a_budget_of_poses_stays_and_refuses_an_atlas_whose_poses_exceed_it() {
    let tile = |side| {
        open(&AtlasBuilder::new().mask("tile", Mask::solid(side, side).unwrap()).compact(true))
    };
    let (small, large, other) = (tile(8), tile(200), tile(9));
    let mut world = World::new(small.clone());
    let id = world.insert(of(&small, "tile")).unwrap();
    world.atlases_mut().set_pose_budget(Some(4096)).unwrap();
    let state = world.snapshot();
    let refused = world.atlases_mut().replace(small.id(), large).unwrap_err();
    let is_over = |cause: &CallError| matches!(cause, CallError::PoseBudget { budget: 4096, .. });
    assert!(is_over(&refused), "{refused}");
    assert!(refused.help().contains("set_pose_budget"));
    assert_eq!((world.snapshot(), world.pose_stats().budget), (state, Some(4096)));
    world.atlases_mut().replace(small.id(), other).unwrap();
    assert_eq!((world.rect(id).unwrap().width(), world.pose_stats().budget), (9, Some(4096)));
    assert_eq!(world.validate(), Ok(()));
    // Kept over an atlas with all its poses, which needs none.
    let stored = tile(7).drawn().unwrap();
    let shown = world.atlases().next().unwrap().id();
    world.atlases_mut().replace(shown, stored.clone()).unwrap();
    assert_eq!((world.pose_stats().bytes, world.pose_stats().budget), (0, Some(4096)));
    let refused = world.atlases_mut().replace(stored.id(), tile(200)).unwrap_err();
    assert!(is_over(&refused), "{refused}");
}

#[test]
fn an_earlier_version_is_gone_with_the_last_collider_that_shows_it() {
    // Poses of a compact atlas are drawn on demand, those of any other are stored.
    for compact in [false, true] {
        let make = |masks: &[(&str, [u32; 2])]| open(&bake(masks).compact(compact));
        let first = make(&[("ship", [6, 4]), ("rock", [5, 5]), ("mine", [2, 2])]);
        let second = make(&[("ship", [8, 4]), ("mine", [2, 3])]);
        let third = make(&[("ship", [9, 4])]);
        let level = make(&[("door", [7, 7]), ("rock", [1, 1])]);
        let mut world = World::new(first.clone());
        let ship = world.insert(of(&first, "ship")).unwrap();
        let rocks = [0.0, 3.0].map(|x| world.insert(of(&first, "rock").at([x, 0.0])).unwrap());
        let mine = world.insert(of(&first, "mine")).unwrap();
        world.atlases_mut().replace(first.id(), second.clone()).unwrap();
        world.atlases_mut().replace(second.id(), third.clone()).unwrap();
        let versions = |world: &World| world.atlases().map(Atlas::id).collect::<Vec<_>>();
        assert_eq!(versions(&world), [third.id(), second.id(), first.id()]);
        let before = world.snapshot();
        // A copy that was saved before has a version less after it loses the same colliders.
        let all = [third.clone(), second.clone(), first.clone()];
        let mut copy = World::from_snapshot(all, &before).unwrap();
        for world in [&mut world, &mut copy] {
            world.set(mine, of(&third, "ship").at([90.0, 0.0])).unwrap();
            assert_eq!(versions(world), [third.id(), first.id()]);
            assert!(world.remove(rocks[0]).is_some());
            world.move_to(rocks[1], [4.0, 0.0]).unwrap();
            assert_eq!(versions(world), [third.id(), first.id()], "a rock is left");
            assert!(world.sprite(first.sprite_id("rock").unwrap()).is_some());
            assert!(world.remove(rocks[1]).is_some());
            assert_eq!(versions(world), [third.id()]);
            assert!(world.sprite(first.sprite_id("rock").unwrap()).is_none());
            world.update();
            assert_eq!(world.validate(), Ok(()));
        }
        assert_eq!(world.state_hash(), copy.state_hash());
        // The snapshot of before brings its versions back, and the one of now takes them away.
        let now = world.snapshot();
        copy.restore(&before).unwrap();
        assert_eq!(versions(&copy), [third.id(), second.id(), first.id()]);
        assert_eq!((copy.snapshot() == before, copy.validate()), (true, Ok(())));
        copy.update();
        copy.restore(&now).unwrap();
        assert_eq!((versions(&copy), copy.snapshot() == now), (vec![third.id()], true));
        // A world that never had the earlier versions restores what is left.
        let restored = World::from_snapshot([third.clone()], &world.snapshot()).unwrap();
        assert_eq!(restored.state_hash(), world.state_hash());
        // Names of earlier versions still work, and numbers of an added atlas are its own.
        world.set(ship, of(&first, "ship").at([0.5, 2.0])).unwrap();
        let door = {
            world.atlases_mut().add(level.clone()).unwrap();
            world.insert(of(&level, "door").at([3.0, 0.0])).unwrap()
        };
        world.update();
        assert_eq!(world.validate(), Ok(()));
        let mut fresh = World::new(third.clone());
        fresh.atlases_mut().add(level).unwrap();
        let ids = [ship, door].map(|id| fresh.insert(world.get(id).unwrap()).unwrap());
        fresh.update();
        assert_eq!(world.touching(), [Pair::from([ship, door])]);
        assert_eq!(world.contact([ship, door]), fresh.contact(ids));
        assert!(world.contact([ship, door]).is_some());
    }
}

#[test]
fn an_atlas_replaced_by_itself_leaves_the_order_of_earlier_versions() {
    let [first, level] = [
        solid(&[("ship", [4, 4]), ("rock", [4, 4])]),
        solid(&[("door", [5, 5]), ("wall", [5, 5])]),
    ];
    let [second, open_level] = [solid(&[("ship", [6, 6])]), solid(&[("door", [7, 7])])];
    let mut world = World::new(first.clone());
    world.atlases_mut().add(level.clone()).unwrap();
    world.insert(of(&first, "rock")).unwrap();
    world.insert(of(&level, "wall")).unwrap();
    world.atlases_mut().replace(first.id(), second.clone()).unwrap();
    world.atlases_mut().replace(level.id(), open_level.clone()).unwrap();
    let (hash, versions) = (world.state_hash(), world.atlases().count());
    assert_eq!(versions, 4);
    for same in [second, open_level] {
        world.atlases_mut().replace(same.id(), same.clone()).unwrap();
        assert_eq!((world.state_hash(), world.atlases().count()), (hash, versions));
    }
}
