//! What users of other collision plugins complain of, one test each.

use crate::support::*;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_hitmask::hitmask::{AtlasBuilder, Mask};
use bevy_hitmask::{
    ColliderDisabled, ColliderFrame, ColliderOwner, ColliderPlane, CollisionLayers, CollisionStart,
    FixedCollider, HitmaskPlugin, HitmaskSystems, PixelCollider, PixelWorld, Touching,
};

#[test]
fn a_hit_is_reported_in_the_tick_of_its_motion_and_not_one_frame_late() {
    for (plugin, schedule) in
        [(HitmaskPlugin::default(), "fixed"), (HitmaskPlugin::new(PostUpdate), "post update")]
    {
        let mut app = app_with(plugin.with_atlas(atlas()));
        let a = spawn(&mut app, "square", 0.0, 0.0);
        let b = spawn(&mut app, "square", 50.0, 0.0);
        assert_eq!(tick(&mut app), (vec![], vec![]));
        // Moved by a system of the game in the tick itself.
        let shift = move |mut transforms: Query<&mut Transform>| {
            transforms.get_mut(b).unwrap().translation.x -= 41.0;
        };
        app.add_systems(FixedUpdate, shift);
        assert_eq!(tick(&mut app), (both(a, b), vec![]), "{schedule}");
        assert_eq!(tick(&mut app), (vec![], both(a, b)), "{schedule}");
    }
}

#[test]
fn a_collider_spawned_far_from_the_origin_never_touches_what_is_there() {
    let (mut app, [_]) = squares([0.0]);
    tick(&mut app);
    let root = app.world_mut().spawn(Transform::from_xyz(300.0, 0.0, 0.0)).id();
    app.world_mut().spawn((PixelCollider::named("square"), ChildOf(root)));
    assert_eq!(tick(&mut app), (vec![], vec![]));
}

#[test]
fn a_collider_follows_its_moved_parent() {
    let mut app = app();
    let parent = app.world_mut().spawn(Transform::from_xyz(100.0, 0.0, 0.0)).id();
    let gun =
        (PixelCollider::named("square"), Transform::from_xyz(20.0, 0.0, 0.0), ChildOf(parent));
    let gun = app.world_mut().spawn(gun).id();
    let target = spawn(&mut app, "square", 0.0, 30.0);
    tick(&mut app);
    assert!(!touch(&app, gun, target));
    let mut transform = app.world_mut().get_mut::<Transform>(parent).unwrap();
    transform.translation = Vec3::new(0.0, 10.0, 0.0);
    transform.rotation = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    assert_eq!(tick(&mut app).0, both(gun, target));
}

#[test]
fn a_collider_of_an_unevenly_scaled_parent_is_stretched() {
    let mut app = app();
    let parent = app.world_mut().spawn(Transform::from_scale(Vec3::new(3.0, 1.0, 1.0))).id();
    let child = app.world_mut().spawn((PixelCollider::named("square"), ChildOf(parent))).id();
    tick(&mut app);
    let found = pixels(&app, child);
    assert_eq!(found.len(), 30 * 10);
    assert_eq!((found[0], found[299]), (IVec2::new(-15, -5), IVec2::new(14, 4)));
    let beside = spawn(&mut app, "square", 19.0, 0.0);
    assert_eq!(tick(&mut app).0, both(child, beside));
    // Moved, redrawn, and back to a baked pose.
    move_to(&mut app, parent, 0.0, 200.0);
    assert_eq!(tick(&mut app).1, both(child, beside));
    assert_eq!(pixels(&app, child)[0], IVec2::new(-15, 195));
    app.world_mut().get_mut::<Transform>(parent).unwrap().scale = Vec3::new(0.5, 2.0, 1.0);
    tick(&mut app);
    assert_eq!(pixels(&app, child).len(), 5 * 20);
    app.world_mut().get_mut::<Transform>(parent).unwrap().scale = Vec3::ONE;
    tick(&mut app);
    assert_eq!(pixels(&app, child).len(), 10 * 10);
    let world = hitmask_world(&app);
    assert!(world.iter().all(|(_, collider)| collider.shape.sprite().is_some()));
}

#[test]
fn owners_that_come_and_go_are_forgotten() {
    let mut app = app();
    let mut largest = 0;
    for _ in 0..100 {
        let [a, b] = [0.0, 1.0].map(|x| spawn(&mut app, "square", x, 0.0));
        // Both are parts of one body, and a third one touches it.
        for part in [a, b] {
            app.world_mut().entity_mut(part).insert(ColliderOwner(a));
        }
        let c = spawn(&mut app, "square", 2.0, 0.0);
        app.world_mut().entity_mut(c).insert(ColliderOwner(c));
        tick(&mut app);
        assert!(!touch(&app, a, b) && touch(&app, a, c) && touch(&app, b, c));
        // A part changes its owner, and has none.
        app.world_mut().entity_mut(b).insert(ColliderOwner(c));
        tick(&mut app);
        assert!(touch(&app, a, b) && touch(&app, a, c) && !touch(&app, b, c));
        app.world_mut().entity_mut(b).remove::<ColliderOwner>();
        tick(&mut app);
        assert!(touch(&app, a, b) && touch(&app, a, c) && touch(&app, b, c));
        let world = hitmask_world(&app);
        largest = world.iter().map(|(_, collider)| collider.owner).fold(largest, u32::max);
        [a, b, c].into_iter().for_each(|entity| _ = app.world_mut().despawn(entity));
        tick(&mut app);
    }
    assert_eq!(largest, 2, "numbers of owners are used again");
}

#[test]
fn entities_that_are_older_than_the_plugin_collide() {
    let mut app = App::new();
    let a = app.world_mut().spawn(PixelCollider::named("square")).id();
    let b = app.world_mut().spawn(PixelCollider::named("square")).id();
    app.add_plugins((DefaultPlugins, HitmaskPlugin::new(PostUpdate).with_atlas(atlas())));
    on_this_thread(&mut app);
    app.update();
    assert!(touch(&app, a, b));
}

#[test]
fn a_touch_ends_when_an_entity_is_despawned_and_its_index_reused() {
    let (mut app, [a, b]) = squares([0.0, 5.0]);
    let watcher = app.world_mut().spawn(Touching::default()).id();
    app.world_mut().entity_mut(a).insert(Touching::default());
    assert_eq!(tick(&mut app).0, both(a, b));
    app.world_mut().despawn(b);
    // The new entity and its collider take the places of the old ones.
    let c = spawn(&mut app, "square", -5.0, 0.0);
    assert_eq!(tick(&mut app), (both(a, c), both(a, b)));
    let touching = app.world().get::<Touching>(a).unwrap();
    assert_eq!(touching.iter().collect::<Vec<_>>(), [c]);
    // The collider alone is removed, and comes back in the same tick.
    app.world_mut().entity_mut(c).remove::<PixelCollider>();
    app.world_mut().entity_mut(c).insert(PixelCollider::named("square"));
    assert_eq!(tick(&mut app), (both(a, c), both(a, c)));
    app.world_mut().entity_mut(c).remove::<PixelCollider>();
    assert_eq!(tick(&mut app), (vec![], both(a, c)));
    assert!(app.world().get::<Touching>(a).unwrap().is_empty());
    // Both at once.
    app.world_mut().entity_mut(c).insert(PixelCollider::named("square"));
    assert_eq!(tick(&mut app).0, both(a, c));
    app.world_mut().despawn(a);
    app.world_mut().despawn(c);
    assert_eq!(tick(&mut app).1, both(a, c));
    assert_eq!(tick(&mut app), (vec![], vec![]));
    app.world_mut().despawn(watcher);
}

#[test]
fn markers_that_are_added_or_removed_late_count_from_the_next_tick() {
    let (mut app, [a, b]) = squares([0.0, 5.0]);
    assert_eq!(tick(&mut app).0, both(a, b));
    let mut step = |change: &dyn Fn(&mut EntityWorldMut<'_>), touches: bool| {
        change(&mut app.world_mut().entity_mut(b));
        tick(&mut app);
        assert_eq!(touch(&app, a, b), touches);
    };
    step(&|b| _ = b.insert(CollisionLayers::new(2, 2)), false);
    step(&|b| b.get_mut::<CollisionLayers>().unwrap().collides_with = 3, true);
    step(&|b| b.get_mut::<CollisionLayers>().unwrap().layers = 3, true);
    step(&|b| _ = b.insert(CollisionLayers::new(2, 2)), false);
    step(&|b| _ = b.remove::<CollisionLayers>(), true);
    step(&|b| _ = b.insert(ColliderDisabled), false);
    step(&|b| _ = b.remove::<ColliderDisabled>(), true);
    step(&|b| _ = b.insert(Disabled), false);
    step(&|b| _ = b.remove::<Disabled>(), true);
    step(&|b| _ = b.insert(PixelCollider::named("walk")), true);
    step(&|b| _ = b.insert(PixelCollider::named("knight")), true);
    step(&|b| _ = b.insert(ColliderPlane::named("shield")), false);
    step(&|b| _ = b.insert(ColliderPlane::Index(0)), true);
    step(&|b| _ = b.insert(ColliderPlane::Index(1)), false);
    step(&|b| _ = b.remove::<ColliderPlane>(), true);
    step(&|b| _ = b.insert(ColliderOwner(a)), true);
    app.world_mut().entity_mut(a).insert(ColliderOwner(a));
    tick(&mut app);
    assert!(!touch(&app, a, b), "parts of one body do not touch each other");
    app.world_mut().entity_mut(b).remove::<ColliderOwner>().insert(FixedCollider);
    tick(&mut app);
    assert!(touch(&app, a, b));
    app.world_mut().entity_mut(a).insert(FixedCollider);
    tick(&mut app);
    assert!(!touch(&app, a, b), "fixed colliders do not touch each other");
}

#[test]
fn the_component_touching_that_is_added_late_holds_the_present_touches() {
    let (mut app, [a, b, c]) = squares([0.0, 5.0, 50.0]);
    (0..3).for_each(|_| _ = tick(&mut app));
    app.world_mut().entity_mut(a).insert(Touching::default());
    tick(&mut app);
    let of = |app: &App| app.world().get::<Touching>(a).unwrap().iter().collect::<Vec<_>>();
    assert_eq!(of(&app), [b]);
    move_to(&mut app, c, -5.0, 0.0);
    move_to(&mut app, b, 90.0, 0.0);
    tick(&mut app);
    assert_eq!(of(&app), [c]);
}

#[test]
fn a_clone_of_an_entity_is_a_collider_of_its_own() {
    let (mut app, [a]) = squares([0.0]);
    tick(&mut app);
    let b = app.world_mut().entity_mut(a).clone_and_spawn();
    assert_eq!(tick(&mut app).0, both(a, b));
    app.world_mut().despawn(b);
    assert_eq!(tick(&mut app).1, both(a, b));
    assert_eq!(hitmask_world(&app).len(), 1);
}

#[test]
fn the_z_of_a_transform_is_left_alone_and_does_not_count() {
    let (mut app, [a, b]) = squares([0.0, 5.0]);
    app.world_mut().get_mut::<Transform>(b).unwrap().translation.z = 900.0;
    assert_eq!(tick(&mut app).0, both(a, b));
    assert_eq!(app.world().get::<Transform>(b).unwrap().translation.z, 900.0);
}

#[test]
fn positions_that_are_interpolated_between_ticks_do_not_count() {
    let (mut app, [a, b]) = squares([0.0, 50.0]);
    // As crates that ease transforms do: another value after the ticks, the real one before them.
    let ease = move |mut transforms: Query<&mut Transform>| {
        transforms.get_mut(b).unwrap().translation.x = 5.0;
    };
    let restore = move |mut transforms: Query<&mut Transform>| {
        transforms.get_mut(b).unwrap().translation.x = 50.0;
    };
    app.add_systems(Update, ease).add_systems(FixedFirst, restore);
    (0..4).for_each(|_| assert_eq!(tick(&mut app), (vec![], vec![])));
    assert!(!touch(&app, a, b));
}

#[test]
fn changes_are_seen_however_seldom_the_schedule_runs() {
    let (mut app, [a, b]) = squares([0.0, 5.0]);
    app.world_mut().entity_mut(b).insert(ColliderDisabled);
    tick(&mut app);
    assert!(!touch(&app, a, b));
    app.world_mut().entity_mut(b).remove::<ColliderDisabled>();
    app.world_mut().entity_mut(b).insert(ColliderFrame(0));
    // Frames without a tick.
    let no_time = std::time::Duration::ZERO;
    app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(no_time));
    (0..5).for_each(|_| assert_eq!(tick(&mut app), (vec![], vec![])));
    one_tick_each(&mut app);
    assert_eq!(tick(&mut app).0, both(a, b));
}

#[test]
fn a_reload_keeps_entities_and_shows_the_new_pixels() {
    let (mut app, [a, b]) = squares([0.0, 15.0]);
    let stretched = spawn(&mut app, "square", 0.0, 100.0);
    app.world_mut().get_mut::<Transform>(stretched).unwrap().scale.x = 2.0;
    assert_eq!(tick(&mut app), (vec![], vec![]));
    assert_eq!(pixels(&app, stretched).len(), 20 * 10);
    let old = atlas().id();
    let wide = open(AtlasBuilder::new().mask("square", Mask::solid(20, 10).unwrap()));
    let report = app.world_mut().resource_mut::<PixelWorld>().replace_atlas(old, wide).unwrap();
    assert!(report.changed.iter().any(|change| change.sprite == "square"));
    assert_eq!(tick(&mut app).0, both(a, b));
    assert_eq!(pixels(&app, stretched).len(), 40 * 10, "drawn masks are drawn again");
    // Back again.
    let new = hitmask_world(&app).atlas().id();
    app.world_mut().resource_mut::<PixelWorld>().replace_atlas(new, atlas()).unwrap();
    assert_eq!(tick(&mut app).1, both(a, b));
}

#[test]
fn two_worlds_in_one_process_do_not_meet() {
    let (mut client, mut server) = (app(), app());
    let a = spawn(&mut client, "square", 0.0, 0.0);
    let b = spawn(&mut server, "square", 5.0, 0.0);
    assert_eq!(tick(&mut client), (vec![], vec![]));
    assert_eq!(tick(&mut server), (vec![], vec![]));
    let c = spawn(&mut server, "square", 0.0, 0.0);
    assert_eq!(tick(&mut client), (vec![], vec![]));
    assert_eq!(tick(&mut server).0, both(b, c));
    assert!(client.world().resource::<PixelWorld>().id(a).is_some());
}

#[test]
fn the_sets_are_in_order_after_the_transforms_of_the_schedule() {
    let (mut app, [_, b]) = squares([0.0, 50.0]);
    tick(&mut app);
    // Between the sets: the world knows the new place before the update, and the touch after it.
    let shift = move |mut transforms: Query<&mut Transform>| {
        transforms.get_mut(b).unwrap().translation.x = 5.0;
    };
    let is_placed = move |pixels: Res<PixelWorld>| {
        let world = pixels.world().unwrap();
        let placed = world.get(pixels.id(b).unwrap()).unwrap();
        assert_eq!((placed.position, world.touching().len()), ([5.0, 0.0], 0));
    };
    let is_updated = |pixels: Res<PixelWorld>, hits: Res<Messages<CollisionStart>>| {
        assert_eq!((pixels.world().unwrap().touching().len(), hits.len()), (1, 0));
    };
    let is_raised = |hits: Res<Messages<CollisionStart>>| assert_eq!(hits.len(), 2);
    let (sync, update, events) =
        (HitmaskSystems::Sync, HitmaskSystems::Update, HitmaskSystems::Events);
    app.add_systems(FixedUpdate, shift);
    app.add_systems(FixedPostUpdate, is_placed.after(sync).before(update));
    app.add_systems(FixedPostUpdate, is_updated.after(update).before(events));
    app.add_systems(FixedPostUpdate, is_raised.after(events));
    assert_eq!(tick(&mut app).0.len(), 2);
}
