//! Characters that move and slide, and what moves with them.

use crate::support::*;
use bevy::prelude::*;
use bevy_hitmask::hitmask::Side;
use bevy_hitmask::{MoveAndSlide, MoveOutcome, PixelCollider, PixelWorld, Sensor};

fn push(app: &mut App, entity: Entity, x: f32, y: f32) -> MoveOutcome {
    app.world_mut().get_mut::<MoveAndSlide>(entity).unwrap().motion = Vec2::new(x, y);
    tick(app);
    app.world().get::<MoveOutcome>(entity).unwrap().clone()
}

fn at(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<GlobalTransform>(entity).unwrap().translation().truncate()
}

#[test]
fn a_character_falls_onto_the_floor_and_stops_at_the_wall() {
    let mut app = app();
    let hero = spawn(&mut app, "square", 0.0, 40.0);
    app.world_mut().entity_mut(hero).insert(MoveAndSlide::default());
    let floor = spawn(&mut app, "floor", 0.0, 0.0);
    let wall = spawn(&mut app, "wall", 60.0, 0.0);
    let sensor = spawn(&mut app, "square", 30.0, 12.0);
    app.world_mut().entity_mut(sensor).insert(Sensor);
    tick(&mut app);
    // The floor covers -5..5, the hero is 10 high.
    let fallen = push(&mut app, hero, 0.0, -100.0);
    assert_eq!((fallen.translation, at(&app, hero)), (Vec2::new(0.0, -30.0), Vec2::new(0.0, 10.0)));
    assert_eq!(fallen.contacts, [(floor, Side::Below)]);
    assert!(fallen.blocked_on(Side::Below) && !fallen.blocked_on(Side::Right));
    let walked = push(&mut app, hero, 100.0, -1.0);
    // The wall covers 58..62.
    assert_eq!(at(&app, hero), Vec2::new(53.0, 10.0));
    assert!(walked.contacts.contains(&(wall, Side::Right)));
    assert_eq!(walked.passed, [sensor]);
    // The motion is done: nothing moves in the next tick.
    tick(&mut app);
    assert_eq!(at(&app, hero), Vec2::new(53.0, 10.0));
    let transform = app.world().get::<Transform>(hero).unwrap();
    assert_eq!(transform.translation, Vec3::new(53.0, 10.0, 0.0));
}

#[test]
fn a_move_reports_the_touches_of_its_own_tick_and_takes_children_along() {
    let (mut app, [hero]) = squares([0.0]);
    app.world_mut().entity_mut(hero).insert(MoveAndSlide::default());
    let sword = (
        PixelCollider::named("square"),
        Transform::from_xyz(20.0, 0.0, 0.0),
        Sensor,
        ChildOf(hero),
    );
    let sword = app.world_mut().spawn(sword).id();
    let target = spawn(&mut app, "square", 100.0, 0.0);
    tick(&mut app);
    app.world_mut().get_mut::<MoveAndSlide>(hero).unwrap().motion = Vec2::new(75.0, 0.0);
    assert_eq!(tick(&mut app).0, both(sword, target));
    assert!(!touch(&app, hero, target));
    assert_eq!((at(&app, hero), at(&app, sword)), (Vec2::new(75.0, 0.0), Vec2::new(95.0, 0.0)));
    assert_eq!(tick(&mut app), (vec![], vec![]));
}

#[test]
fn a_mover_in_a_turned_parent_moves_along_the_axes_of_the_world() {
    let mut app = app();
    let turned = Transform::from_xyz(7.0, 3.0, 0.0)
        .with_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2))
        .with_scale(Vec3::splat(2.0));
    let parent = app.world_mut().spawn(turned).id();
    let hero = (
        PixelCollider::named("square"),
        Transform::from_scale(Vec3::splat(0.5)),
        MoveAndSlide::default(),
        ChildOf(parent),
    );
    let hero = app.world_mut().spawn(hero).id();
    tick(&mut app);
    push(&mut app, hero, 8.0, 4.0);
    assert!(at(&app, hero).distance(Vec2::new(15.0, 7.0)) < 1e-4);
    let local = app.world().get::<Transform>(hero).unwrap().translation;
    assert!(local.distance(Vec3::new(2.0, -4.0, 0.0)) < 1e-4, "{local}");
}

#[test]
fn moves_with_fractions_do_not_drift_from_the_world() {
    let mut app = app();
    let hero = spawn(&mut app, "odd", 0.0, 0.0);
    app.world_mut().entity_mut(hero).insert(MoveAndSlide::default());
    tick(&mut app);
    for step in 0..200 {
        push(&mut app, hero, 0.37 * (step % 7) as f32 - 1.0, 0.11);
        let pixels = app.world().resource::<PixelWorld>();
        let collider = pixels.world().unwrap().get(pixels.id(hero).unwrap()).unwrap();
        let translation = app.world().get::<Transform>(hero).unwrap().translation;
        // The pivot of an odd sprite is in the middle of a pixel.
        let expected = [translation.x - 0.5, -translation.y - 0.5];
        let off = [0, 1].map(|axis| (collider.position[axis] - expected[axis]).abs());
        assert!(off[0].max(off[1]) < 1e-5, "{off:?}");
    }
}
