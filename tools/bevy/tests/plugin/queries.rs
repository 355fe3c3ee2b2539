//! Queries in entities and with y up, against the pixels of the colliders.

use crate::support::*;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_hitmask::hitmask::{Graze, Mask, Side};
use bevy_hitmask::{CollisionLayers, PixelQuery, QueryFilter, Sensor};

fn ask<T: 'static>(
    app: &mut App,
    question: impl Fn(&PixelQuery<'_>) -> T + Send + Sync + 'static,
) -> T {
    app.world_mut().run_system_once(move |pixels: PixelQuery| question(&pixels)).unwrap()
}

const ALL: QueryFilter = QueryFilter::ALL;

#[test]
fn zones_and_points_find_the_pixels_of_colliders() {
    let mut app = app();
    let letter = spawn(&mut app, "letter", 10.0, 20.0);
    let odd = spawn(&mut app, "odd", -30.5, 6.5);
    tick(&mut app);
    let all: Vec<(Entity, Vec<IVec2>)> =
        [letter, odd].map(|entity| (entity, pixels(&app, entity))).into();
    for x in -45..25 {
        for y in -10..35 {
            let at = IVec2::new(x, y);
            let expected: Vec<Entity> =
                all.iter().filter(|(_, pixels)| pixels.contains(&at)).map(|(e, _)| *e).collect();
            let centre = at.as_vec2() + 0.5;
            let found = ask(&mut app, move |q| {
                let pixel = Rect::from_corners(centre - 0.4, centre + 0.4);
                let corner = at.as_vec2() + Vec2::Y;
                [
                    q.at_point(centre, ALL),
                    q.in_rect(pixel, ALL),
                    q.in_circle(centre, 0.0, ALL),
                    q.on_line(centre, centre, ALL),
                    q.with_mask(&Mask::solid(1, 1).unwrap(), corner, ALL),
                ]
            });
            assert!(found.iter().all(|found| *found == expected), "{at} {found:?} {expected:?}");
        }
    }
    let found = ask(&mut app, |q| q.in_rect(Rect::new(-100.0, 0.0, 100.0, 50.0), ALL));
    assert_eq!(found, [letter, odd]);
}

#[test]
fn a_ray_hits_the_first_pixel_on_its_way_up() {
    let mut app = app();
    let near = spawn(&mut app, "square", 0.0, 20.0);
    let far = spawn(&mut app, "square", 0.0, 60.0);
    tick(&mut app);
    let up = Vec2::new(0.0, 100.0);
    let hit = ask(&mut app, move |q| q.ray(Vec2::new(0.5, 0.0), up, ALL)).unwrap();
    // The square covers 15..25.
    assert_eq!((hit.entity, hit.point), (near, Vec2::new(0.5, 15.5)));
    assert_eq!((hit.distance, hit.normal), (15.5, Vec2::new(0.0, -1.0)));
    let past = ask(&mut app, move |q| q.ray(Vec2::new(0.5, 0.0), up, ALL.except(near))).unwrap();
    assert_eq!(past.entity, far);
    let hits = ask(&mut app, move |q| q.ray_all(Vec2::new(0.5, 0.0), up, ALL));
    assert_eq!(hits.iter().map(|hit| hit.entity).collect::<Vec<_>>(), [near, far]);
    assert!(ask(&mut app, move |q| q.ray(Vec2::new(0.5, 0.0), -up, ALL)).is_none());
    assert!(ask(&mut app, move |q| q.ray(Vec2::NAN, up, ALL)).is_none());
}

#[test]
fn casts_nearest_and_distances_follow_the_entities() {
    let (mut app, [mover]) = squares([0.0]);
    let wall = spawn(&mut app, "square", 0.0, -30.0);
    let sensor = spawn(&mut app, "square", 0.0, -15.0);
    app.world_mut().entity_mut(sensor).insert(Sensor);
    tick(&mut app);
    let hit = ask(&mut app, move |q| q.cast(mover, Vec2::new(0.0, -100.0))).unwrap().unwrap();
    assert_eq!((hit.entity, hit.free, hit.normal), (wall, Vec2::new(0.0, -20.0), Vec2::Y));
    assert!(hit.time > 0.19 && hit.time < 0.21);
    assert!(ask(&mut app, move |q| q.cast(mover, Vec2::new(0.0, 100.0))).unwrap().is_none());
    assert!(ask(&mut app, move |q| q.cast(mover, Vec2::NAN)).is_err());
    let solid = QueryFilter::SOLID.except(mover);
    let nearest = ask(&mut app, move |q| q.nearest(Vec2::new(0.5, -10.5), 100.0, solid)).unwrap();
    assert_eq!(nearest, (wall, 15.0));
    let nearest = ask(&mut app, move |q| q.nearest_to(mover, 100.0, ALL)).unwrap();
    assert_eq!(nearest.0, sensor);
    assert_eq!(ask(&mut app, move |q| q.distance(mover, wall)), Some(21.0));
}

#[test]
fn picks_contacts_and_grazes_answer_in_entities() {
    let (mut app, [low, high]) = squares([0.0, 4.0]);
    tick(&mut app);
    let pick = |x: f32| {
        move |q: &PixelQuery<'_>| {
            q.pick(Vec2::new(x, 0.5), 2.0, ALL, move |entity| if entity == high { 1 } else { 0 })
        }
    };
    assert_eq!(ask(&mut app, pick(2.5)), Some(high));
    assert_eq!(ask(&mut app, pick(-4.5)), Some(low));
    assert_eq!(ask(&mut app, pick(-6.5)), Some(low), "beside it, within the radius");
    assert_eq!(ask(&mut app, pick(-9.5)), None);
    let contact = ask(&mut app, move |q| q.contact(low, high)).unwrap();
    assert_eq!((contact.rect, contact.area), (Rect::new(-1.0, -5.0, 5.0, 5.0), 60));
    assert_eq!((contact.side, contact.normal), (Side::Right, Vec2::NEG_X));
    assert_eq!(ask(&mut app, move |q| q.contact(high, low)).unwrap().side, Side::Left);
    assert_eq!(ask(&mut app, move |q| q.touching(high)), [low]);
    let bullet = spawn(&mut app, "square", 0.0, 12.0);
    app.world_mut().entity_mut(bullet).insert(CollisionLayers::new(4, u32::MAX));
    tick(&mut app);
    assert_eq!(ask(&mut app, move |q| q.touching(bullet)), []);
    let grazed = ask(&mut app, move |q| q.graze(bullet, 4.5, ALL));
    assert_eq!(grazed, [(low, Graze::Graze), (high, Graze::Graze)]);
    let on_layer = ask(&mut app, |q| q.in_circle(Vec2::ZERO, 100.0, ALL.on_layers(4)));
    assert_eq!(on_layer, [bullet]);
}

#[test]
fn queries_of_an_app_without_the_plugin_are_empty() {
    let mut app = App::new();
    app.add_plugins(DefaultPlugins);
    let nothing = app.world_mut().spawn_empty().id();
    assert!(ask(&mut app, |q| q.ray(Vec2::ZERO, Vec2::X, ALL)).is_none());
    assert!(ask(&mut app, move |q| q.touching(nothing)).is_empty());
    assert!(ask(&mut app, move |q| q.contact(nothing, nothing)).is_none());
}
