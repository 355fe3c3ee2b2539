//! Box queries, whatever changed since the last update.

use crate::{atlas, random_collider, with_rules};
use hitmask::{Accuracy, Angle, Collider, ColliderId, Filter, Placement, Rect, World, Zone};
use hitmask_scenes::Random;

#[test]
fn box_queries_find_colliders_changed_since_the_update() {
    let atlas = atlas();
    for seed in 0..6 {
        let mut random = Random::new(100 + seed);
        let mut world = World::new(atlas.clone());
        for round in 0..12 {
            for _ in 0..30 {
                let collider = random_collider(&mut random, &atlas, 200);
                world.insert(with_rules(&mut random, collider)).unwrap();
            }
            if round % 3 == 1 {
                world.update();
            }
            let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
            for _ in 0..10 {
                let id = ids[random.below(ids.len() as u32) as usize];
                let collider = random_collider(&mut random, &atlas, 200);
                let collider = with_rules(&mut random, collider);
                // It may have been removed earlier in this round.
                if random.below(3) == 0 {
                    let _ = world.remove(id);
                } else {
                    let _ = world.set(id, collider);
                }
            }
            if round % 4 == 3 {
                let ids: Vec<ColliderId> = world.iter().map(|(id, _)| id).collect();
                let places: Vec<Placement> = ids
                    .iter()
                    .map(|&id| world.get(id).unwrap())
                    .map(|c| Placement { position: c.position.map(|p| p + 9.0), angle: c.angle })
                    .collect();
                world.set_placements(&ids, &places).unwrap();
            }
            for _ in 0..20 {
                let (x, y) = (random.within(-200, 200), random.within(-200, 200));
                let rect = Rect::new(x, y, x + random.within(1, 90), y + random.within(1, 90));
                let meets = |id: &ColliderId| {
                    world.get(*id).is_some_and(|collider| collider.enabled)
                        && world.rect(*id).is_some_and(|r| r.intersection(rect).is_some())
                };
                let truth: Vec<ColliderId> = world.iter().map(|(id, _)| id).filter(meets).collect();
                let mut found = vec![ids[0]];
                world
                    .query_into(
                        &Zone::rect(rect),
                        Filter { accuracy: Accuracy::Box, ..Filter::ALL },
                        &mut found,
                    )
                    .unwrap();
                assert_eq!(found, truth);
            }
        }
    }
}

#[test]
fn repeatedly_changed_colliders_are_found_each_time() {
    let atlas = atlas();
    let hull = Collider::new(atlas.sprite_id("hull").unwrap());
    let mut world = World::new(atlas);
    let place = |x: usize, y: usize| [200.0 * x as f32, 200.0 * y as f32];
    let ids: Vec<ColliderId> =
        (0..300).map(|i| world.insert(hull.at(place(i, 0))).unwrap()).collect();
    for round in 1..4 {
        world.update();
        for i in [0, 63, 64, 65, 127, 128, 199, 299] {
            world.set(ids[i], hull.at(place(i, round))).unwrap();
            assert_eq!(
                world.query(&Zone::point(place(i, round)).unwrap(), Filter::ALL).unwrap(),
                [ids[i]]
            );
            assert_eq!(
                world.query(&Zone::point(place(i, round - 1)).unwrap(), Filter::ALL).unwrap(),
                []
            );
        }
        // Few changes keep the index in use.
        let position = place(200, round);
        world
            .set_placements(&[ids[200]], &[Placement { position, angle: Angle::turn(0) }])
            .unwrap();
        assert_eq!(world.query(&Zone::point(position).unwrap(), Filter::ALL).unwrap(), [ids[200]]);
    }
}

#[test]
#[cfg(feature = "rstar")]
fn the_index_holds_the_box_of_every_collider_that_has_a_pixel() {
    use hitmask::{Atlas, AtlasBuilder, ColliderBox, Mask};
    let dot: Mask = "##\n##\n".parse().unwrap();
    let bake = AtlasBuilder::new().mask("dot", dot).mask("empty", "".parse().unwrap());
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let [dot, empty] = ["dot", "empty"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let a = world.insert(Collider::new(dot).at([4.0, 4.0])).unwrap();
    world.insert(Collider::new(empty).at([4.0, 4.0])).unwrap();
    let b = world.insert(Collider::new(dot).at([9.0, 4.0])).unwrap();
    let tree = world.to_rtree();
    assert_eq!(tree.size(), 2);
    let edge = world.rect(a).unwrap();
    // Boxes that share an edge do not overlap; closed envelopes must preserve that.
    let beside = Rect::new(edge.x1, edge.y0, edge.x1 + 3, edge.y1);
    let near = |rect| {
        let found = tree.locate_in_envelope_intersecting(ColliderBox::envelope_of(rect));
        found.map(|found| found.id).collect::<Vec<_>>()
    };
    assert_eq!((near(edge), near(beside)), (vec![a], vec![]));
    assert_eq!(near(world.rect(b).unwrap()), [b]);
}
