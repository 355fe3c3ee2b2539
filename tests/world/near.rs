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
