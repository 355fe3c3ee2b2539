//! Updates: threads, timings and the veto.

use crate::atlas;
use hitmask::{
    Accuracy, Atlas, BoxTree, Collider, ColliderId, Filter, Pair, Placement, Rect, World, Zone,
};
use hitmask_scenes::world_of;

#[test]
fn a_small_world_does_not_start_the_global_thread_pool() {
    // A child process, because other tests of this process use the global pool.
    const NAME: &str = "updates::a_small_world_does_not_start_the_global_thread_pool";
    const CHILD: &str = "HITMASK_TEST_SMALL_WORLD";
    if std::env::var_os(CHILD).is_none() {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", NAME]).env(CHILD, "1").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    // Baked before: a bake uses the pool.
    let atlas = Atlas::from_bytes(include_bytes!("../golden/v2-large.hitmask")).unwrap();
    let sprite = Collider::new(atlas.sprites().next().unwrap().id());
    for count in [1, 1000] {
        let mut world = World::new(atlas.clone());
        // Far apart: very many pairs would be worth a second thread.
        let places = (0..count).map(|i| [1000.0 * i as f32, 0.0]);
        let ids: Vec<ColliderId> =
            places.clone().map(|at| world.insert(sprite.at(at)).unwrap()).collect();
        let placements: Vec<Placement> =
            places.map(|position| Placement { position, angle: 0.5.into() }).collect();
        for _ in 0..2 {
            world.update();
            world.update_timed();
            world.update_with(|_| true);
            world.set_placements(&ids, &placements).unwrap();
        }
        let _ = (
            world
                .query(
                    &Zone::rect(Rect::new(0, 0, 9, 9)),
                    Filter { accuracy: Accuracy::Box, ..Filter::ALL },
                )
                .unwrap(),
            world.touching_with(ids[0]),
        );
        world.cast(ids[0], [9.0, 9.0], Filter::SOLID).unwrap();
        world.restore(&world.snapshot()).unwrap();
        world.update();
        let mut tree = BoxTree::new();
        tree.pack(&vec![Rect::new(0, 0, 4, 4); count]);
    }
    let _ = atlas.batch();
    // Fails if the global pool was started.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().unwrap();
}

#[test]
fn a_veto_removes_a_pair_from_touching_and_from_events() {
    let (mut world, hull) = world_of(atlas(), "hull");
    let ids: Vec<ColliderId> =
        (0..3).map(|i| world.insert(hull.on_layers(1 << i, !0)).unwrap()).collect();
    world.update();
    assert_eq!(world.touching().len(), 3);
    let mut asked = Vec::new();
    world.update_with(|touch| {
        let pair = &touch.pair();
        let [a, b] = &touch.colliders();
        asked.push((a.layers, b.layers));
        *pair != Pair { a: ids[0], b: ids[2] }
    });
    assert_eq!(asked, [(1, 2), (1, 4), (2, 4)]);
    assert_eq!(world.ended(), [Pair { a: ids[0], b: ids[2] }]);
    world.update();
    assert_eq!(world.began(), [Pair { a: ids[0], b: ids[2] }]);
}

fn panic_of(call: impl FnOnce()) -> Option<String> {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).err()?;
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
}

#[test]
fn a_world_that_was_never_updated_says_so_in_debug_builds() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite_id("hull").unwrap());
    let mut world = World::new(atlas.clone());
    let assert_all = |world: &World, is_refused: bool, case: &str| {
        let message = panic_of(|| assert_eq!(world.touching(), []));
        assert_eq!(message.is_some(), is_refused && cfg!(debug_assertions), "{case}");
        let text = "World::touching was called before World::update";
        assert!(message.is_none_or(|message| message.starts_with(text)), "{case}");
        // A tick may start with the events of the last update, and none is no event.
        assert_eq!((world.began(), world.ended(), world.stayed().count()), (&[][..], &[][..], 0));
    };
    assert_all(&world, false, "an empty world");
    let ids = [0.0, 900.0].map(|x| world.insert(hull.at([x, 0.0])).unwrap());
    assert_all(&world, true, "two colliders");
    assert_all(&world.clone(), true, "a clone");
    let saved = world.snapshot();
    assert_all(&World::from_snapshot([atlas.clone()], &saved).unwrap(), true, "a snapshot");
    // Calls for the current placements need no update.
    assert_eq!(world.touching_with(ids[0]), []);
    assert_eq!(world.touching_between(&ids, &ids), []);
    let updates: [fn(&mut World); 3] = [
        World::update,
        |world| {
            let _ = world.update_timed();
        },
        |world| world.update_with(|_| true),
    ];
    for update in updates {
        let mut world = world.clone();
        update(&mut world);
        assert_all(&world, false, "an updated world");
        world.insert(hull).unwrap();
        assert_all(&world, false, "a collider since the update");
        assert_all(&world.clone(), false, "a clone of an updated world");
        let mut restored = World::from_snapshot([atlas.clone()], &world.snapshot()).unwrap();
        assert_all(&restored, false, "a snapshot of an updated world");
        restored.restore(&saved).unwrap();
        assert_all(&restored, true, "a world from before its first update");
    }
    for id in ids {
        world.remove(id);
    }
    assert_all(&world, false, "all colliders removed");
}
