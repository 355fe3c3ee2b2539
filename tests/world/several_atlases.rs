//! Several atlases in one world: the same answers as one atlas with the sprites of all.

use crate::with_rules;
use hitmask::{
    Accuracy, Angle, Atlas, AtlasBuilder, AtlasChangeError, AtlasId, BulkPlaceError, Collider,
    ColliderId, Filter, Flip, InUse, Mask, Pair, PlaceError, Placement, Rect, SnapshotError,
    SpriteId, UpdateTimings, World, Zone,
};
use hitmask_scenes::{Random, all};

/// Returns a bake of the scenes' sprites whose index leaves `rest` when divided by 3, and of a disc
/// that has levels.
fn bake(rest: &[usize]) -> AtlasBuilder {
    let picked = all();
    let picked = picked.iter().filter(|picture| picture.width < 200).enumerate();
    let mut bake = AtlasBuilder::new().angles(16);
    for (_, picture) in picked.filter(|(i, _)| rest.contains(&(i % 3))) {
        bake = bake.mask(picture.name, picture.mask());
    }
    for disc in rest {
        bake = bake.mask(format!("disc{disc}"), Mask::disc(121 + *disc as u32).unwrap());
    }
    bake
}

fn open(bake: &AtlasBuilder) -> Atlas {
    Atlas::from_vec(bake.to_bytes().unwrap()).unwrap()
}

fn solid(name: &str, width: u32) -> Atlas {
    open(&AtlasBuilder::new().mask(name, Mask::solid(width, 4).unwrap()))
}

/// Returns every name with its id in the merged atlas and in one of the parts.
fn ids(merged: &Atlas, parts: &[Atlas]) -> Vec<[SpriteId; 2]> {
    let in_parts = |name: &str| parts.iter().find_map(|part| part.sprite_id(name)).unwrap();
    merged.sprites().map(|sprite| [sprite.id(), in_parts(sprite.name())]).collect()
}

/// Returns a collider of a random sprite, as the merged world and the world of parts take it.
fn random_colliders(random: &mut Random, ids: &[[SpriteId; 2]]) -> [Collider; 2] {
    let sprites = ids[random.below(ids.len() as u32) as usize];
    let angle = match random.below(3) {
        0 => Angle::turn(random.bits() as u16),
        _ => Angle::radians(random.within(-900, 900) as f32 / 100.0),
    };
    let at = [random.within(-1600, 1600) as f32 / 8.0, random.within(-1600, 1600) as f32 / 8.0];
    let collider = Collider::new(sprites[0])
        .at(at)
        .turned(angle)
        .flipped(Flip { x: random.below(3) == 0, y: random.below(3) == 0 });
    let collider = if random.below(2) == 0 { with_rules(random, collider) } else { collider };
    let accuracy = if random.below(5) == 0 { Accuracy::Coarse } else { collider.accuracy };
    let collider = Collider { accuracy, ..collider };
    sprites.map(|sprite| Collider { shape: Collider::new(sprite).shape, ..collider })
}

/// Returns the answers of a world that do not contain sprite ids.
fn answers(world: &mut World, random: &mut Random) -> Vec<String> {
    world.update();
    assert_eq!(world.validate(), Ok(()));
    let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
    let mut answers = vec![format!("{:?}", [world.touching(), world.began(), world.ended()])];
    for pair in world.touching() {
        answers.push(format!(
            "{:?} {:?}",
            world.contact(pair),
            world.push_out(pair.a, 9, Filter::SOLID)
        ));
    }
    for _ in 0..20 {
        let at = [random.within(-200, 200), random.within(-200, 200)];
        let id = ids[random.below(ids.len() as u32) as usize];
        let other = ids[random.below(ids.len() as u32) as usize];
        let position = at.map(|v| v as f32);
        let rect = Rect::new(at[0], at[1], at[0] + 30, at[1] + 20);
        let motion = [position[1], position[0]];
        let pair = Pair { a: id.min(other), b: id.max(other) };
        answers.push(format!(
            "{:?}",
            Zone::point(position).and_then(|zone| world.query(&zone, Filter::ALL))
        ));
        answers.push(format!("{:?}", world.query(&Zone::rect(rect), Filter::ALL).unwrap()));
        answers.push(format!("{:?}", world.nearest(position, 90.0, Filter::ALL)));
        answers.push(format!("{:?}", world.cast(id, motion, Filter::SOLID)));
        answers.push(format!(
            "{:?} {:?}",
            world.contact(pair),
            world.pair(pair).map(|pair| pair.planes()).unwrap_or_default()
        ));
        let explained = world.pair(pair).and_then(|pair| pair.explain());
        answers.push(format!("{:?}", explained.map(|e| (e.touches, e.decision, e.pixels))));
        answers.push(format!("{:?}", world.posed(id).map(|posed| posed.mask.to_mask())));
    }
    answers
}

fn assert_same_answers(seed: u64, mut random: Random, merged: &Atlas, parts: &[Atlas]) {
    let ids = ids(merged, parts);
    let [mut one, mut several] = [World::new(merged.clone()), World::new(parts[0].clone())];
    let mut added = 1;
    let mut live: Vec<ColliderId> = Vec::new();
    for round in 0..8 {
        // Some atlases are added while the world has colliders.
        while added < parts.len() && (seed.is_multiple_of(2) || round == 2 * added) {
            several.atlases_mut().add(parts[added].clone()).unwrap();
            added += 1;
        }
        let present =
            |ids: &&[SpriteId; 2]| parts[..added].iter().any(|part| part.sprite(ids[1]).is_some());
        let ids: Vec<[SpriteId; 2]> = ids.iter().filter(present).copied().collect();
        for _ in 0..40 {
            let [a, b] = random_colliders(&mut random, &ids);
            let at = (live.len() > 1).then(|| random.below(live.len() as u32) as usize);
            match (random.below(10), at) {
                (0..3, Some(at)) => {
                    one.set(live[at], a).unwrap();
                    several.set(live[at], b).unwrap();
                }
                (3, Some(at)) => {
                    let id = live.swap_remove(at);
                    assert!(one.remove(id).is_some() && several.remove(id).is_some());
                }
                _ => {
                    live.push(one.insert(a).unwrap());
                    assert_eq!(several.insert(b).unwrap(), live[live.len() - 1]);
                }
            }
        }
        let places: Vec<Placement> = live
            .iter()
            .map(|_| {
                let mut coordinate = || random.within(-1600, 1600) as f32 / 8.0;
                let position = [coordinate(), coordinate()];
                Placement { position, angle: Angle::turn(random.bits() as u16) }
            })
            .collect();
        if round % 3 == 1 {
            for world in [&mut one, &mut several] {
                world.set_placements(&live, &places).unwrap();
            }
        }
        let same = random.clone();
        let [first, second] =
            [&mut one, &mut several].map(|world| answers(world, &mut same.clone()));
        random.bits();
        assert_eq!(first, second, "seed {seed}, round {round}");
        let saved = several.snapshot();
        let list: Vec<Atlas> = several.atlases().cloned().collect();
        let copy = World::from_snapshot(list, &saved).unwrap();
        assert_eq!(copy.state_hash(), several.state_hash());
        if round == 6 {
            several.restore(&saved).unwrap();
        }
    }
}

#[test]
fn a_world_of_parts_gives_the_answers_of_a_world_of_the_merged_atlas() {
    let merged = open(&bake(&[0, 1, 2]));
    for seed in 0..2 {
        // Undrawn atlases beside drawn ones.
        let parts =
            [0, 1, 2].map(|rest| open(&bake(&[rest]).compact((seed + rest as u64) % 2 == 1)));
        assert_same_answers(seed, Random::new(seed), &merged, &parts);
    }
}

#[test]
fn item13_atlases_are_added_and_dropped_while_the_world_runs() {
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
    let in_use = AtlasChangeError::InUse { atlas: forest, colliders: 1 };
    assert_eq!(world.atlases_mut().drop(forest, InUse::Refuse), Err(in_use));
    assert_eq!(world.atlases_mut().drop(forest, InUse::Remove), Ok(vec![tree_id]));
    assert_eq!(world.get(tree_id), None);
    world.update();
    assert_eq!(world.touching(), [Pair { a: hero, b: stone }]);
    assert_eq!(world.ended(), [Pair { a: hero, b: tree_id }]);
    assert_eq!(
        world.insert(tree),
        Err(PlaceError::OtherAtlas { sprite: tree.shape.sprite().unwrap() })
    );
    world.remove(stone);
    world.atlases_mut().drop(cave, InUse::Refuse).unwrap();
    assert_eq!(world.atlases().map(Atlas::id).collect::<Vec<_>>(), [heroes.id()]);
    let mut same = World::new(heroes);
    same.insert(world.get(hero).unwrap()).unwrap();
    assert_eq!(before, same.state_hash());
}

#[test]
fn item13_an_added_atlas_leaves_the_poses_and_pairs_of_the_others() {
    let parts = [0, 1, 2].map(|rest| open(&bake(&[rest]).compact(rest != 1)));
    let merged = open(&bake(&[0, 1, 2]));
    let (mut world, mut random) = (World::new(parts[0].clone()), Random::new(4));
    let mut one = World::new(merged.clone());
    for added in 1..=3 {
        let ids: Vec<[SpriteId; 2]> = ids(&merged, &parts)
            .into_iter()
            .filter(|[_, id]| parts[..added].iter().any(|part| part.sprite(*id).is_some()))
            .collect();
        for _ in 0..60 {
            let [a, b] = random_colliders(&mut random, &ids);
            assert_eq!(one.insert(a).unwrap(), world.insert(b).unwrap());
        }
        let same = random.clone();
        let [first, second] = [&mut one, &mut world].map(|world| answers(world, &mut same.clone()));
        assert_eq!(first, second, "{added} atlases");
        let Some(next) = parts.get(added) else { break };
        // A pose that no collider shows stays too.
        let removed = world.iter().map(|(id, _)| id).next().unwrap();
        for world in [&mut one, &mut world] {
            world.remove(removed).unwrap();
            world.update();
        }
        let (stats, pairs) = (world.pose_stats(), world.touching().to_vec());
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
    error: AtlasChangeError,
    call: impl FnOnce(&mut World) -> Result<T, AtlasChangeError>,
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
    let resolution = AtlasChangeError::Resolution { atlas: 2.0, world: 1.0 };
    assert_refused(&mut world, resolution.clone(), |w| w.atlases_mut().add(fine.clone()));
    assert_refused(&mut world, resolution, |w| w.atlases_mut().replace(a.id(), fine.clone()));
    assert_refused(&mut world, AtlasChangeError::SameId(a.id()), |w| {
        w.atlases_mut().add(a.clone())
    });
    let unknown = AtlasChangeError::Unknown(b.id());
    assert_refused(&mut world, unknown.clone(), |w| w.atlases_mut().drop(b.id(), InUse::Refuse));
    assert_refused(&mut world, unknown.clone(), |w| w.atlases_mut().drop(b.id(), InUse::Remove));
    assert_refused(&mut world, unknown.clone(), |w| w.atlases_mut().replace(b.id(), b.clone()));
    let in_use = AtlasChangeError::InUse { atlas: a.id(), colliders: 1 };
    assert_refused(&mut world, in_use, |w| w.atlases_mut().drop(a.id(), InUse::Refuse));
    let only = AtlasChangeError::OnlyAtlas(a.id());
    assert_refused(&mut world, only.clone(), |w| w.atlases_mut().drop(a.id(), InUse::Remove));
    assert!(world.get(shown).is_some());
    world.atlases_mut().add(b.clone()).unwrap();
    assert_refused(&mut world, AtlasChangeError::SameId(b.id()), |w| {
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
        (stranger, PlaceError::OtherAtlas { sprite: stranger }),
        (plain, PlaceError::OtherAtlas { sprite: plain }),
        (beyond, PlaceError::UnknownSprite { sprite: beyond, sprites: 1 }),
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
    assert!(matches!(refused, Err(BulkPlaceError { index: 0, .. })));
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
    let another = |expected, got: &Atlas| SnapshotError::OtherAtlas { expected, got: got.id() };
    assert_eq!(from(&[&a, &other]), Err(another(expected[1], &other)));
    assert_eq!(from(&[&b, &a]), Err(another(expected[0], &b)));
    assert_eq!(from(&[&a]), Err(SnapshotError::AtlasCount { expected: 2, got: 1 }));
    assert_eq!(from(&[&a, &b, &other]), Err(SnapshotError::AtlasCount { expected: 2, got: 3 }));
    assert_eq!(from(&[]), Err(SnapshotError::AtlasCount { expected: 2, got: 0 }));
    let mut single = World::new(a.clone());
    let refused = single.restore(&saved);
    assert_eq!(refused, Err(SnapshotError::AtlasCount { expected: 2, got: 1 }));
    let single = single.snapshot();
    let refused = world.restore(&single);
    assert_eq!(refused, Err(SnapshotError::AtlasCount { expected: 1, got: 2 }));
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
