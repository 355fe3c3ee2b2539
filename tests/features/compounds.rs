//! Compounds: all colliders of an owner are one body.

use crate::{solid, world};
use hitmask::{Body, BodyPair, CallError, ColliderId, Filter, Side, World};
use std::collections::BTreeSet;

#[test]
fn a_contact_names_the_bodies_and_the_parts() {
    let block = solid(8, 8);
    let places = [("rock", 3.0), ("arm", 0.0), ("leg", 5.0), ("foe", 6.0), ("eye", 9.0)];
    let placed = places.map(|(name, x)| (name, &block, [x, 0.0]));
    let (mut world, ids) = world(&placed);
    for (&id, owner) in ids.iter().zip([0, 9, 9, 4, 4]) {
        world.set(id, world.get(id).unwrap().owned_by(owner)).unwrap();
    }
    world.update();
    let [rock, arm, leg, foe, eye] = [0, 1, 2, 3, 4].map(|i| ids[i]);
    let (hero, enemy, single) = (Body::Owner(9), Body::Owner(4), Body::Collider(rock));
    let named = |pairs: Vec<BodyPair>| -> Vec<(Body, Body, [ColliderId; 2])> {
        pairs.into_iter().map(|pair| (pair.a, pair.b, pair.parts)).collect()
    };
    // 7 pairs of parts, and 3 pairs of bodies.
    assert_eq!(world.touching().len(), 7);
    let expected =
        [(enemy, hero, [foe, arm]), (enemy, single, [foe, rock]), (hero, single, [arm, rock])];
    assert_eq!(named(world.bodies().touching()), expected);
    assert_eq!(world.bodies().began(), world.bodies().touching());
    // At the update before, each collider was a body of its own.
    let alone =
        |pair: &BodyPair| [pair.a, pair.b].iter().all(|body| matches!(body, Body::Collider(_)));
    assert!(world.bodies().ended().len() > 7 && world.bodies().ended().iter().all(alone));
    world.update();
    assert_eq!((world.bodies().began(), world.bodies().ended()), (vec![], vec![]));
    let contact = world.contact(world.bodies().touching()[2].parts).unwrap();
    assert_eq!(contact.rect.width(), 5);
    let bodies = [rock, arm, leg, foe, eye]
        .map(|id| world.get(id).map(|collider| Body::of(id, collider.owner)).unwrap());
    assert_eq!(bodies, [single, hero, hero, enemy, enemy]);
    assert_eq!(
        (world.bodies().parts(9), world.bodies().parts(4)),
        (vec![arm, leg], vec![foe, eye])
    );
    assert_eq!((world.bodies().parts(0), world.bodies().parts(5)), (vec![], vec![]));
    // A pair of parts ends, and the bodies still touch.
    world.move_to(arm, [-90.0, 0.0]).unwrap();
    world.update();
    assert!(!world.ended().is_empty());
    assert_eq!((world.bodies().began(), world.bodies().ended()), (vec![], vec![]));
    assert_eq!(world.bodies().touching()[2].parts, [leg, rock]);
    // The last pair of parts ends.
    world.remove(leg);
    world.update();
    let ended = [(enemy, hero, [foe, leg]), (hero, single, [leg, rock])];
    assert_eq!(named(world.bodies().ended()), ended, "by the owner of a collider that is gone");
    assert_eq!(named(world.bodies().touching()), [(enemy, single, [foe, rock])]);
}

#[test]
fn a_world_forgets_owners_that_no_event_depends_on() {
    let block = solid(8, 8);
    let (mut world, ids) =
        world(&[("a", &block, [0.0, 0.0]), ("b", &block, [4.0, 0.0]), ("c", &block, [99.0, 0.0])]);
    let saved = world.snapshot();
    // There and back again, and a change of a collider that touches nothing.
    for owner in [3, 4, 0] {
        world.set(ids[0], world.get(ids[0]).unwrap().owned_by(owner)).unwrap();
        world.set(ids[2], world.get(ids[2]).unwrap().owned_by(owner)).unwrap();
    }
    assert_eq!(world.snapshot(), saved);
    let parts: BTreeSet<ColliderId> = world.bodies().parts(3).into_iter().collect();
    assert_eq!(parts, BTreeSet::new());
}

#[test]
fn all_parts_move_together_or_none_does() {
    let block = solid(10, 10);
    let (mut world, ids) = world(&[
        ("head", &block, [0.25, 0.0]),
        ("foot", &block, [0.25, 40.0]),
        ("probe", &block, [12.0, 40.0]),
        ("wall", &block, [50.0, 44.0]),
        ("far", &block, [9e8, 0.0]),
    ]);
    let [head, foot, probe, wall, far] = [0, 1, 2, 3, 4].map(|i| ids[i]);
    for id in [head, foot, probe] {
        world.set(id, world.get(id).unwrap().owned_by(7)).unwrap();
    }
    // A sensor moves along and is not blocked.
    world.set(probe, world.get(probe).unwrap().sensor()).unwrap();
    let places = |world: &World| [head, foot, probe].map(|id| world.get(id).unwrap().position);
    let cast = world.bodies().cast(7, [100.0, 0.0], Filter::SOLID).unwrap().unwrap();
    assert_eq!((cast.part, cast.body), (foot, Body::Collider(wall)));
    assert_eq!((cast.hit.collider, cast.hit.impact.step), (wall, 41));
    assert_eq!(cast.hit.impact.normal.side(), Side::Right);
    assert_eq!(places(&world), [[0.25, 0.0], [0.25, 40.0], [12.0, 40.0]], "nothing has moved");
    assert_eq!(world.move_body(7, [100.0, 0.0], Filter::SOLID), Ok(Some(cast)));
    assert_eq!(places(&world), [[40.0, 0.0], [40.0, 40.0], [51.75, 40.0]]);
    assert_eq!(cast.hit.position, [40.0, 40.0]);
    assert_eq!(
        world.move_body(7, [100.0, -7.0], Filter::SOLID).unwrap().map(|hit| hit.hit.impact.step),
        Some(1)
    );
    assert_eq!(world.move_body(7, [-0.5, -30.0], Filter::SOLID), Ok(None));
    assert_eq!(places(&world), [[39.5, -30.0], [39.5, 10.0], [51.25, 10.0]]);
    world.move_body(7, [0.5, 1.0], Filter { layers: 0, ..Filter::SOLID }).unwrap();
    assert_eq!(places(&world), [[40.0, -29.0], [40.0, 11.0], [51.75, 11.0]]);
    // A hit names the compound that is hit.
    world.set(wall, world.get(wall).unwrap().owned_by(8)).unwrap();
    let hit = world.bodies().cast(7, [20.0, 40.0], Filter::SOLID).unwrap();
    assert_eq!(hit.map(|hit| (hit.part, hit.body)), Some((foot, Body::Owner(8))));
    // Refusals change nothing.
    world.set(far, world.get(far).unwrap().owned_by(7)).unwrap();
    let hash = world.state_hash();
    for motion in [[2e8, 0.0], [f32::NAN, 0.0], [0.0, f32::INFINITY]] {
        let end = |at: f32, by: f32| (at + by).to_string();
        for error in [
            world.clone().move_body(7, motion, Filter::SOLID).unwrap_err(),
            world.clone().bodies().cast(7, motion, Filter::SOLID).unwrap_err(),
            world.move_body(7, motion, Filter { layers: 0, ..Filter::SOLID }).unwrap_err(),
        ] {
            let CallError::Position([x, _]) = error else { panic!("{error}") };
            let xs = [40.0, 40.0, 51.75, 9e8].map(|at| end(at, motion[0]));
            assert!(xs.contains(&x.to_string()), "{error}");
        }
        assert!(world.move_body(7, motion, Filter::SOLID).is_err());
        assert_eq!(world.state_hash(), hash);
    }
    for owner in [0, 6] {
        let error = CallError::UnknownOwner(owner);
        assert_eq!(world.bodies().cast(owner, [1.0, 0.0], Filter::SOLID), Err(error.clone()));
        assert_eq!(world.move_body(owner, [1.0, 0.0], Filter::SOLID), Err(error.clone()));
        assert_eq!(
            world.move_body(owner, [1.0, 0.0], Filter { layers: 0, ..Filter::SOLID }),
            Err(error.clone())
        );
        assert!(error.to_string().contains(&owner.to_string()));
        assert!(!error.help().is_empty());
    }
}
