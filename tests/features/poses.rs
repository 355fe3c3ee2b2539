//! Capabilities of classic systems: positions, pivots, rotations, scales, parents and frames.

use crate::{mask, solid, world};
use hitmask::{
    Affine, Angle, Atlas, AtlasBuilder, CallError, Collider, Pair, Pivot, Placement, Point, Pose,
    PoseFit, PoseSet, Raster, Rect, Sampling, World,
};

#[test]
fn sk2_tg2_w7_w10_parent_transforms_nest_to_any_depth() {
    let parents = [[20.0, 50.0], [400.0, -20.0], [-1309.0, 20.0]];
    let chain = parents.into_iter().fold(Affine::IDENTITY, |t, at| t * Affine::translation(at));
    assert_eq!(chain.apply([10.0, -280.0]), [-879.0, -230.0]);
    // A collider at the transformed centre has its box at the transformed corner.
    let shape = solid(30, 300);
    let (mut world, ids) = world(&[("shape", &shape, [0.0, 0.0])]);
    let middle = chain.apply([10.0 + 15.0, -280.0 + 150.0]);
    world.set(ids[0], world.get(ids[0]).unwrap().at(middle)).unwrap();
    assert_eq!(world.rect(ids[0]), Some(Rect::new(-879, -230, -849, 70)));
    // Each level has its own pivot, rotation and scale.
    let nested = Affine::placed([100.0, 0.0], [5.0, 5.0], std::f32::consts::FRAC_PI_2, 2.0)
        * Affine::placed([5.0, 5.0], [0.0, 0.0], std::f32::consts::PI, 0.5);
    let parts = nested.similarity(0.001).unwrap();
    assert!(
        (parts.scale - 1.0).abs() < 1e-6
            && (parts.angle + std::f32::consts::FRAC_PI_2).abs() < 1e-5
    );
    assert_eq!(parts.position, [100.0, 0.0]);
    let back = nested.inverse().unwrap().apply(nested.apply([7.0, -3.0]));
    assert!((back[0] - 7.0).abs() < 1e-4 && (back[1] + 3.0).abs() < 1e-4);
}

#[test]
fn sk12_mc7_w6_a_pivot_may_be_a_corner_the_centre_or_outside() {
    let shape = solid(8, 6);
    for (pivot, rect) in [
        (Pivot::HalfTexels(0, 0), Rect::new(0, 0, 8, 6)),
        (Pivot::Center, Rect::new(-4, -3, 4, 3)),
        (Pivot::HalfTexels(16, 12), Rect::new(-8, -6, 0, 0)),
        (Pivot::HalfTexels(1, 1), Rect::new(0, 0, 8, 6)),
        (Pivot::HalfTexels(-20, 40), Rect::new(10, -20, 18, -14)),
    ] {
        let bytes =
            AtlasBuilder::new().pivot(pivot).mask("shape", shape.clone()).to_bytes().unwrap();
        let atlas = Atlas::from_vec(bytes).unwrap();
        let sprite = atlas.sprite_id("shape").unwrap();
        let mut world = World::new(atlas);
        let id = world.insert(Collider::new(sprite)).unwrap();
        assert_eq!(world.rect(id), Some(rect), "{pivot:?}");
    }
}

#[test]
fn sk13_tg3_mc9_w8_tw4_tw5_rotated_and_scaled_objects_of_any_size() {
    let bar = solid(40, 4);
    let bytes = AtlasBuilder::new()
        .angles(16)
        .scales([1.0, 3.0])
        .mask("bar", bar.clone())
        .to_bytes()
        .unwrap();
    let atlas = Atlas::from_vec(bytes).unwrap();
    let sprite = atlas.sprite_id("bar").unwrap();
    let mut world = World::new(atlas);
    let a = world.insert(Collider::new(sprite)).unwrap();
    // At 18 px, only an upright bar of 40 px reaches the other. At 55 px, only one of 120 px does.
    let b = world.insert(Collider::new(sprite).at([0.0, 18.0])).unwrap();
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
    let is_baked = |t| matches!(raster.fit(&poses, t, 0.001).unwrap(), PoseFit::Baked { .. });
    assert!(is_baked(Affine::rotation(0.3)) && !is_baked(Affine::scale([1.0, 2.0])));
    // A transform with a baked pose draws the same mask as that pose.
    for (t, step) in [(Affine::IDENTITY, 0), (Affine::rotation(std::f32::consts::FRAC_PI_2), 4)] {
        let pose = raster.pose(&poses, Pose { step, scale: 0 }).unwrap();
        let drawn = raster.transformed(Affine::translation([70.0, -9.0]) * t).unwrap();
        assert_eq!(drawn.mask, pose.mask);
        assert_eq!(drawn.origin, pose.origin + Point::new(70, -9));
    }
}

#[test]
fn tg5_every_call_rounds_sub_pixel_positions_alike() {
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

#[test]
fn w9_a_3d_rotation_is_tested_by_its_projection() {
    // A rotation by 60 degrees about the vertical axis halves the width.
    let (c, s) = (0.5, 0.866_025_4);
    let matrix = [c, 0.0, -s, 0.0, 0.0, 1.0, 0.0, 0.0, s, 0.0, c, 0.0, 100.0, 50.0, -7.0, 1.0];
    let flat = Affine::from_projected(matrix).unwrap();
    let card = Raster::new(&solid(40, 20), Pivot::Center, Sampling::Nearest).unwrap();
    let shown = card.transformed(flat).unwrap();
    assert_eq!(shown.as_ref().rect(), Rect::new(90, 40, 110, 60));
    assert!(
        shown.mask.touches(&solid(4, 4), [19, 0]) && !shown.mask.touches(&solid(4, 4), [20, 0])
    );
    // A perspective projection is not affine, and a card seen edge-on has no pixels.
    let perspective = {
        let mut m = matrix;
        m[3] = 0.01;
        m
    };
    let refused = CallError::Perspective { x: 0.01, y: 0.0 };
    assert_eq!(Affine::from_projected(perspective), Err(refused));
    let edge = Affine::scale([0.0, 1.0]);
    assert_eq!(card.transformed(edge).unwrap().mask.count(), 0);
    assert_eq!(card.transformed(Affine::scale([f32::NAN, 1.0])), Err(CallError::Transform));
}

#[test]
fn fx4_fx6_only_the_current_frame_collides() {
    let frames = [mask("#..."), mask("...#")];
    let atlas =
        Atlas::from_vec(AtlasBuilder::new().frames("walk", frames).to_bytes().unwrap()).unwrap();
    let walk = atlas.sprite_id("walk").unwrap();
    let mut world = World::new(atlas);
    let id = world.insert(Collider::new(walk)).unwrap();
    let first = world.rect(id).unwrap();
    world.set(id, world.get(id).unwrap().with_frame(1)).unwrap();
    assert_eq!(world.rect(id), Some(first.translated([3, 0])));
    let none = world.set(id, world.get(id).unwrap().with_frame(2));
    assert!(matches!(none, Err(CallError::UnknownFrame { frame: 2, .. })));
}
