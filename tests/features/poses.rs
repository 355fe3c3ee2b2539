//! Capabilities of classic systems: positions, pivots, rotations, scales, parents and frames.

use crate::{solid, world};
use hitmask::{
    Affine, Angle, AtlasBuilder, Pair, Pivot, Placement, Point, Pose, PoseSet, Raster, Rect,
    Sampling, World,
};
use hitmask_scenes::{open, world_of};

#[test]
fn a_pivot_may_be_a_corner_the_centre_or_outside() {
    let shape = solid(8, 6);
    for (pivot, rect) in [
        (Pivot::HalfTexels(0, 0), Rect::new(0, 0, 8, 6)),
        (Pivot::Center, Rect::new(-4, -3, 4, 3)),
        (Pivot::HalfTexels(16, 12), Rect::new(-8, -6, 0, 0)),
        (Pivot::HalfTexels(1, 1), Rect::new(0, 0, 8, 6)),
        (Pivot::HalfTexels(-20, 40), Rect::new(10, -20, 18, -14)),
    ] {
        let (mut world, sprite) =
            world_of(open(&AtlasBuilder::new().pivot(pivot).mask("shape", shape.clone())), "shape");
        let id = world.insert(sprite).unwrap();
        assert_eq!(world.rect(id), Some(rect), "{pivot:?}");
    }
}

#[test]
fn rotated_and_scaled_objects_of_any_size() {
    let bar = solid(40, 4);
    let (mut world, sprite) = world_of(
        open(&AtlasBuilder::new().angles(16).scales([1.0, 3.0]).mask("bar", bar.clone())),
        "bar",
    );
    let a = world.insert(sprite).unwrap();
    // At 18 px, only an upright bar of 40 px reaches the other. At 55 px, only one of 120 px does.
    let b = world.insert(sprite.at([0.0, 18.0])).unwrap();
    let touch = |world: &World| world.contact(Pair { a, b }).is_some();
    assert!(!touch(&world));
    world.set(b, world.get(b).unwrap().turned(std::f32::consts::FRAC_PI_2)).unwrap();
    assert!(touch(&world), "upright");
    world.set(b, world.get(b).unwrap().at([0.0, 55.0]).scaled(3.0)).unwrap();
    assert!(touch(&world), "upright at scale 3");
    // A transform without a baked pose is drawn on demand: here 0.5 wide and 2,000 high.
    let raster = Raster::new(&bar, Pivot::Center, Sampling::Nearest).unwrap();
    let drawn = raster.transformed(Affine::scale([0.5, 2000.0])).unwrap();
    assert_eq!((drawn.mask.width(), drawn.mask.height()), (20, 8000));
    let poses = PoseSet::new(16, [1.0]).unwrap();
    let is_pose = |t: Affine| t.similarity(0.001).is_some();
    assert!(is_pose(Affine::rotation(0.3)) && !is_pose(Affine::scale([1.0, 2.0])));
    // A transform with a baked pose draws the same mask as that pose.
    for (t, step) in [(Affine::IDENTITY, 0), (Affine::rotation(std::f32::consts::FRAC_PI_2), 4)] {
        let pose = raster.pose(&poses, Pose { step, scale: 0 }).unwrap();
        let drawn = raster.transformed(Affine::translation([70.0, -9.0]) * t).unwrap();
        assert_eq!(drawn.mask, pose.mask);
        assert_eq!(drawn.origin, pose.origin + Point::new(70, -9));
    }
}

#[test]
fn every_call_rounds_sub_pixel_positions_alike() {
    let (mut world, ids) = world(&[("dot", &solid(2, 2), [0.0, 0.0])]);
    // A 2 px mask around each position, and the first pixel of its box: floor(p + 1/2) - 1.
    let rule = [(0.0, -1), (0.499_999_97, -1), (0.5, 0), (-0.5, -1), (-0.500_000_06, -2)];
    // Every combination of the values on both axes.
    let phases = rule.map(|x| rule.map(|y| ([x.0, y.0], [x.1, y.1])));
    let phases = phases.as_flattened();
    let dot = world.get(ids[0]).unwrap();
    let corner = |world: &World, id| world.rect(id).map(|r| [r.x0, r.y0]);
    for &(at, expected) in phases {
        let id = world.insert(dot.at(at)).unwrap();
        assert_eq!(corner(&world, id), Some(expected), "inserted at {at:?}");
        world.set(ids[0], dot.at(at)).unwrap();
        assert_eq!(corner(&world, ids[0]), Some(expected), "set to {at:?}");
    }
    // Bulk calls: 1,000 ids in order, and 30 ids in descending order.
    let mut crowd = World::new(world.atlas().clone());
    let mut ids: Vec<_> = (0..1000).map(|_| crowd.insert(dot).unwrap()).collect();
    for is_short in [false, true] {
        if is_short {
            ids.truncate(30);
            ids.reverse();
        }
        let expected = || ids.iter().zip(phases.iter().cycle());
        let assert_corners = |world: &World, call| {
            for (&id, (at, corner_px)) in expected() {
                assert_eq!(corner(world, id), Some(*corner_px), "{call} to {at:?}");
            }
        };
        let angle = Angle::turn(0);
        let placements: Vec<_> =
            expected().map(|(_, &(position, _))| Placement { position, angle }).collect();
        let (mut placed, mut set) = (crowd.clone(), crowd.clone());
        placed.set_placements(&ids, &placements).unwrap();
        assert_corners(&placed, "placed");
        expected().for_each(|(&id, (at, _))| set.move_to(id, *at).unwrap());
        assert_corners(&set, "moved");
    }
}
