//! The boxes of a world as an index of the crate `rstar`.

use hitmask::{AtlasBuilder, Collider, ColliderBox, Mask, World};
use hitmask_scenes::open;
use rstar::RTreeObject;

#[test]
fn the_index_holds_the_box_of_every_collider_that_has_a_pixel() {
    let dot: Mask = "##\n##\n".parse().unwrap();
    let bake = AtlasBuilder::new().mask("dot", dot).mask("empty", "".parse().unwrap());
    let atlas = open(&bake);
    let [dot, empty] = ["dot", "empty"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas);
    let a = world.insert(Collider::new(dot).at([4.0, 4.0])).unwrap();
    world.insert(Collider::new(empty).at([4.0, 4.0])).unwrap();
    let b = world.insert(Collider::new(dot).at([9.0, 4.0])).unwrap();
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
