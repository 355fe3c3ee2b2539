//! Messages and observable events of touches.

use crate::support::*;
use bevy::prelude::*;
use bevy_hitmask::{CollisionEnd, CollisionStart, PixelCollider, PixelQuery};

#[derive(Resource, Default)]
struct Seen(Vec<(&'static str, Entity, Entity)>);

fn observe(app: &mut App, entity: Entity) {
    app.init_resource::<Seen>();
    app.world_mut()
        .entity_mut(entity)
        .observe(|hit: On<CollisionStart>, mut seen: ResMut<Seen>| {
            seen.0.push(("start", hit.entity, hit.other));
        })
        .observe(|hit: On<CollisionEnd>, mut seen: ResMut<Seen>| {
            seen.0.push(("end", hit.entity, hit.other));
        });
}

fn seen(app: &mut App) -> Vec<(&'static str, Entity, Entity)> {
    std::mem::take(&mut app.world_mut().resource_mut::<Seen>().0)
}

#[test]
fn both_entities_of_a_touch_get_a_message_and_an_event() {
    let (mut app, [a, b]) = squares([0.0, 5.0]);
    observe(&mut app, a);
    observe(&mut app, b);
    assert_eq!(tick(&mut app), (both(a, b), vec![]));
    assert_eq!(seen(&mut app), [("start", a, b), ("start", b, a)]);
    assert_eq!(tick(&mut app), (vec![], vec![]));
    assert_eq!(seen(&mut app), []);
    move_to(&mut app, b, 50.0, 0.0);
    assert_eq!(tick(&mut app), (vec![], both(a, b)));
    assert_eq!(seen(&mut app), [("end", a, b), ("end", b, a)]);
}

#[test]
fn an_observer_may_despawn_both_entities_and_spawn_others() {
    let (mut app, [a, b]) = squares([0.0, 5.0]);
    app.init_resource::<Seen>();
    app.add_observer(|hit: On<CollisionStart>, mut commands: Commands, mut seen: ResMut<Seen>| {
        seen.0.push(("start", hit.entity, hit.other));
        if seen.0.len() == 1 {
            commands.entity(hit.entity).despawn();
            commands.entity(hit.other).despawn();
            let square = PixelCollider::named("square");
            commands.spawn((square.clone(), Transform::from_xyz(100.0, 0.0, 0.0)));
            commands.spawn((square, Transform::from_xyz(105.0, 0.0, 0.0)));
        }
    });
    app.add_observer(|hit: On<CollisionEnd>, mut seen: ResMut<Seen>| {
        seen.0.push(("end", hit.entity, hit.other));
    });
    assert_eq!(tick(&mut app), (both(a, b), vec![]));
    assert_eq!(seen(&mut app), [("start", a, b), ("start", b, a)]);
    let (started, ended) = tick(&mut app);
    assert_eq!((started.len(), ended), (2, both(a, b)));
    let seen = seen(&mut app);
    assert_eq!(seen[..2], [("end", a, b), ("end", b, a)], "global observers see gone entities");
    assert_eq!(seen.len(), 4);
}

#[test]
fn an_observer_asks_for_the_contact() {
    #[derive(Resource, Default)]
    struct Contacts(Vec<bevy_hitmask::EntityContact>);
    let mut app = app();
    app.init_resource::<Contacts>();
    app.add_observer(
        |hit: On<CollisionStart>, pixels: PixelQuery, mut contacts: ResMut<Contacts>| {
            contacts.0.extend(pixels.contact(hit.entity, hit.other));
        },
    );
    spawn(&mut app, "square", 0.0, 0.0);
    spawn(&mut app, "square", 8.0, 4.0);
    tick(&mut app);
    let contacts = &app.world().resource::<Contacts>().0;
    // The squares cover -5..5 and 3..13 by -5..5 and -1..9.
    assert_eq!(contacts.len(), 2);
    assert_eq!((contacts[0].area, contacts[0].rect), (12, Rect::new(3.0, -1.0, 5.0, 5.0)));
    assert_eq!(contacts[0].point, Vec2::new(3.5, 4.5));
    assert!(contacts[0].normal.x < 0.0 && contacts[1].normal.x > 0.0);
}

/// Every touch that starts ends, whatever becomes of the entities, and both are raised once.
#[test]
fn starts_and_ends_alternate_in_a_random_game() {
    use std::collections::HashSet;
    let mut app = app();
    let mut next = random(1);
    let mut entities: Vec<Entity> = Vec::new();
    let mut touching: HashSet<[Entity; 2]> = HashSet::new();
    let (mut starts, mut ends) = (0, 0);
    for _ in 0..400 {
        for _ in 0..next(6) {
            let (x, y) = (next(80) as f32, next(80) as f32);
            match next(8) {
                0..=2 => {
                    let name = ["square", "letter", "odd"][next(3) as usize];
                    entities.push(spawn(&mut app, name, x, y));
                }
                3 if !entities.is_empty() => {
                    let gone = entities.swap_remove(next(entities.len() as u64) as usize);
                    app.world_mut().despawn(gone);
                }
                4 if !entities.is_empty() => {
                    let changed = entities[next(entities.len() as u64) as usize];
                    app.world_mut().entity_mut(changed).remove::<PixelCollider>();
                    if next(2) == 0 {
                        let square = PixelCollider::named("square");
                        app.world_mut().entity_mut(changed).insert(square);
                    }
                }
                _ if !entities.is_empty() => {
                    let moved = entities[next(entities.len() as u64) as usize];
                    move_to(&mut app, moved, x, y);
                }
                _ => {}
            }
        }
        let (started, ended) = tick(&mut app);
        for pair in ended {
            assert!(touching.remove(&pair), "{pair:?} ended but did not start");
            ends += 1;
        }
        for pair in started {
            assert!(touching.insert(pair), "{pair:?} started twice");
            starts += 1;
        }
        let pixels = app.world().resource::<bevy_hitmask::PixelWorld>();
        let world = pixels.world().unwrap();
        let entity = |id| pixels.entity(id).unwrap();
        let now: HashSet<[Entity; 2]> = world
            .touching()
            .iter()
            .map(|pair| [entity(pair.a), entity(pair.b)])
            .flat_map(|[a, b]| [[a, b], [b, a]])
            .collect();
        assert_eq!(touching, now);
    }
    assert!(starts > 100 && ends > 50, "{starts} {ends}");
}
