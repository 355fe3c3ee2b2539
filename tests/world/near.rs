//! Box queries, whatever changed since the last update.

use crate::atlas;
use hitmask::{Angle, ColliderId, Filter, Placement, Zone};
use hitmask_scenes::world_of;

#[test]
fn repeatedly_changed_colliders_are_found_each_time() {
    let (mut world, hull) = world_of(atlas(), "hull");
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
    use hitmask::{AtlasBuilder, Collider, ColliderBox, Mask, World};
    use hitmask_scenes::open;
    let dot: Mask = "##\n##\n".parse().unwrap();
    let bake = AtlasBuilder::new().mask("dot", dot).mask("empty", "".parse().unwrap());
    let atlas = open(&bake);
    let [dot, empty] = ["dot", "empty"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let a = world.insert(Collider::new(dot).at([4.0, 4.0])).unwrap();
    world.insert(Collider::new(empty).at([4.0, 4.0])).unwrap();
    let b = world.insert(Collider::new(dot).at([9.0, 4.0])).unwrap();
    use rstar::RTreeObject;
    let tree = world.to_rtree();
    assert_eq!(tree.size(), 2);
    let edge = world.rect(a).unwrap();
    // Boxes that share an edge do not overlap; closed envelopes must preserve that.
    let beside = hitmask::Rect::new(edge.x1, edge.y0, edge.x1 + 3, edge.y1);
    let near = |rect| {
        let found = tree.locate_in_envelope_intersecting(ColliderBox { id: a, rect }.envelope());
        found.map(|found| found.id).collect::<Vec<_>>()
    };
    assert_eq!((near(edge), near(beside)), (vec![a], vec![]));
    assert_eq!(near(world.rect(b).unwrap()), [b]);
}
