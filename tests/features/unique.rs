//! Capabilities that precomputed masks make possible.

use crate::{mask, solid, world};
use hitmask::{
    Accuracy, Affine, Atlas, AtlasBuilder, Collider, DecidedBy, Filter, Flip, Graze, Line, Mask,
    Pair, Pivot, PixelPath, Point, PosedRef, Raster, Rect, Sampling, Settings, World, Zone,
};

#[test]
fn n1_a_coarse_level_reports_every_pair_of_a_finer_level() {
    // Large enough to have coarse levels.
    let mut ring = solid(480, 480);
    ring.fill_rect(Rect::new(48, 48, 432, 432), false);
    let mut found = Vec::new();
    for accuracy in [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact] {
        let (mut world, ids) =
            world(&[("ring", &ring, [0.0, 0.0]), ("dot", &solid(280, 160), [0.0, 0.0])]);
        world.set_accuracy(accuracy);
        let mut touching = Vec::new();
        for x in -400..400 {
            world.set(ids[1], world.get(ids[1]).unwrap().at([x as f32, 24.0])).unwrap();
            world.update();
            touching.push(!world.touching().is_empty());
        }
        found.push(touching);
    }
    let count = |level: usize| found[level].iter().filter(|&&t| t).count();
    assert!(count(0) > count(1) && count(1) > count(2) && count(2) > 0);
    for ((boxes, coarse), pixels) in found[0].iter().zip(&found[1]).zip(&found[2]) {
        assert!(boxes >= coarse && coarse >= pixels, "a finer touch is a coarser touch");
    }
}

#[test]
fn n2_angle_steps_follow_a_maximum_error_and_a_maximum_size() {
    let bake = || AtlasBuilder::new().mask("small", solid(8, 8)).mask("wide", solid(60, 20));
    let (_, report) = bake().max_error(1.0).build().unwrap();
    let [small, wide] = &report.each[..] else { panic!("{report:?}") };
    assert!(small.angles < wide.angles, "a larger sprite needs more steps");
    assert!(report.each.iter().all(|baked| baked.error <= 1.0), "{report:?}");
    // A size limit takes precedence over the error limit, and the report has the error achieved.
    let limit = report.bytes as u64 * 2 / 3;
    let (_, fitted) = bake().max_error(1.0).max_bytes(limit).build().unwrap();
    assert!(fitted.bytes as u64 <= limit && fitted.each[1].angles < wide.angles, "{fitted:?}");
    assert!(fitted.each[1].error > 1.0);
    assert!(bake().max_bytes(1000).to_bytes().is_err(), "1,000 bytes are too few");
    // The atlas measures the error of its poses. With 64 angles it is less than 1/3 of that with 8.
    let measured = |angles| {
        let atlas = Atlas::from_vec(bake().angles(angles).to_bytes().unwrap()).unwrap();
        atlas.sprite(atlas.sprite_id("wide").unwrap()).unwrap().fidelity().unwrap()
    };
    let (few, many) = (measured(8), measured(64));
    assert!(many.share() < few.share() / 3.0 && many.distance < few.distance, "{few:?} {many:?}");
}

#[test]
fn n3_push_out_is_the_shortest_translation_and_has_a_normal() {
    let (mut world, ids) =
        world(&[("a", &solid(10, 10), [0.0, 0.0]), ("b", &solid(40, 10), [3.0, 7.0])]);
    let overlap =
        world.pair(Pair { a: ids[0], b: ids[1] }).and_then(|pair| pair.overlap()).unwrap();
    assert_eq!((overlap.push_out(), overlap.depth()), (Point::new(0, -3), 3.0));
    assert_eq!((overlap.normal().x, overlap.normal().y), (0.0, -1.0));
    assert_eq!(overlap.push_along([1, 0]), Some(Point::new(28, 0)));
    assert_eq!(world.push_out(ids[0], 20, Filter::SOLID), Some(Point::new(0, -3)));
    world.set(ids[0], world.get(ids[0]).unwrap().at([0.0, -3.0])).unwrap();
    assert_eq!(
        world
            .pair(Pair { a: ids[0], b: ids[1] })
            .and_then(|pair| pair.overlap())
            .map(|overlap| overlap.depth()),
        None
    );
}

#[test]
fn n4_casts_are_pixel_exact_without_tunnelling() {
    let (world, ids) =
        world(&[("bullet", &solid(2, 2), [0.0, 0.0]), ("plate", &solid(1, 30), [5000.0, 0.0])]);
    let hit = world.cast(ids[0], [100_000.0, 0.0], Filter::SOLID).unwrap().unwrap();
    assert_eq!((hit.collider, hit.impact.free_offset), (ids[1], Point::new(4999, 0)));
    // A rotating bar reaches the ceiling only in its upright pose, which is pose 1 of 3.
    let (flat, upright) = (solid(20, 2), solid(2, 20));
    let pose = |mask: &'static Mask, x, y| PosedRef {
        mask: mask.as_ref(),
        origin: Point::new(x, y),
        pivot2: [0; 2],
    };
    let (flat, upright): (&'static Mask, &'static Mask) =
        (Box::leak(Box::new(flat)), Box::leak(Box::new(upright)));
    let poses = [pose(flat, -10, -1), pose(upright, -1, -10), pose(flat, -10, -1)];
    let ceiling = solid(100, 3);
    let impact = PosedRef::cast_turning(&poses, &ceiling, [0, -9], [60, 0]).unwrap();
    assert_eq!((impact.pose, PixelPath::new([60, 0]).at(impact.step)), (1, impact.contact_offset));
}

#[test]
fn n5_a_world_reports_hits_and_grazes_in_one_pass() {
    let dot = solid(1, 1);
    let (mut world, ids) = world(&[
        ("ship", &solid(10, 10), [0.0, 0.0]),
        ("hit", &dot, [4.0, 4.0]),
        ("near", &dot, [7.0, 0.0]),
        ("corner", &dot, [7.0, 7.0]),
        ("far", &dot, [9.0, 0.0]),
    ]);
    // The last pixel of the ship is (4, 4). The distances are 3, sqrt(18) = 4.2 and 5 px.
    let graze = |radius, filter| world.graze(ids[0], radius, filter);
    let (hit, near) = ((ids[1], Graze::Hit), (ids[2], Graze::Graze));
    let (corner, far) = ((ids[3], Graze::Graze), (ids[4], Graze::Graze));
    assert_eq!(graze(0, Filter::ALL), [hit]);
    assert_eq!(graze(4, Filter::ALL), [hit, near]);
    assert_eq!(graze(5, Filter::ALL), [hit, near, corner, far]);
    assert_eq!(graze(u32::MAX, Filter::ALL), [hit, near, corner, far]);
    assert_eq!(graze(9, Filter { except: Some(ids[1]), ..Filter::ALL }), [near, corner, far]);
    assert_eq!(graze(9, Filter { layers: 0b10, ..Filter::ALL }), []);
    assert_eq!(world.graze(ids[4], 5, Filter::ALL), [(ids[0], Graze::Graze), near]);
    world.remove(ids[0]);
    assert_eq!(world.graze(ids[0], 9, Filter::ALL), [], "removed");
}

#[test]
fn n6_one_collider_for_each_plane_reports_the_touched_plane() {
    let (body, weak) = (mask("####\n####"), mask("....\n...#"));
    let bake = AtlasBuilder::new().planes("boss", ["body", "weak"], [vec![body, weak]]).unwrap();
    let atlas = Atlas::from_vec(bake.mask("shot", solid(1, 1)).to_bytes().unwrap()).unwrap();
    let [boss, shot] = ["boss", "shot"].map(|name| atlas.sprite_id(name).unwrap());
    let weak = atlas.sprite(boss).unwrap().plane("weak").unwrap();
    let mut world = World::new(atlas);
    let body = world.insert(Collider::new(boss)).unwrap();
    let weak =
        world.insert(Collider::new(boss).with_plane(weak).on_layers(0b10, u32::MAX)).unwrap();
    let shot = world.insert(Collider::new(shot)).unwrap();
    let mut touching_at = |x: f32| {
        world.set(shot, world.get(shot).unwrap().at([x, 0.0])).unwrap();
        world.touching_with(shot)
    };
    assert_eq!(
        (touching_at(0.0), touching_at(1.0), touching_at(9.0)),
        (vec![body], vec![body, weak], vec![])
    );
    assert!(
        world
            .pair(Pair { a: body, b: shot })
            .map(|pair| pair.planes())
            .unwrap_or_default()
            .is_empty()
    );
}

#[test]
fn n6_one_query_reports_the_overlapping_planes_of_a_pair() {
    let frames = |art: [&str; 2]| vec![art.map(mask).to_vec()];
    let bake = AtlasBuilder::new()
        .angles(16)
        .planes("sword", ["edge", "hilt"], frames(["........\n.....###", "##......\n........"]))
        .unwrap()
        .planes("ogre", ["body", "shield"], frames([".###\n.###", "#...\n#..."]))
        .unwrap();
    let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
    let [sword, ogre] = ["sword", "ogre"].map(|name| atlas.sprite_id(name).unwrap());
    let mut world = World::new(atlas.clone());
    let mut random = hitmask_scenes::Random::new(6);
    let mut found = std::collections::BTreeSet::new();
    let wall = world.masks_mut().insert(solid(3, 30), Pivot::Center).unwrap();
    for _ in 0..300 {
        let [a, b] = [sword, ogre].map(|sprite| {
            let at = [0; 2].map(|_| random.unit() * 9.0);
            let turn = hitmask::Angle::turn(random.below(1 << 16) as u16);
            let flips = [0; 2].map(|_| random.below(2) == 1);
            Collider::new(sprite).at(at).turned(turn).flipped(Flip { x: flips[0], y: flips[1] })
        });
        let [a, b] = [a, b].map(|collider| world.insert(collider).unwrap());
        let pair = Pair { a, b };
        let planes = world.pair(pair).map(|pair| pair.planes()).unwrap_or_default();
        // The reference: a collider for each plane, and a query for each pair of them.
        let mut truth = Vec::new();
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let [a, b] = [(a, i), (b, j)].map(|(id, plane)| {
                let collider = world.get(id).unwrap().with_plane(plane);
                world.insert(collider).unwrap()
            });
            if world.pair(Pair { a, b }).and_then(|pair| pair.overlap()).is_some() {
                truth.push([i, j]);
            }
            world.remove(a);
            world.remove(b);
        }
        assert_eq!(planes, truth);
        found.extend(planes);
        let swapped: Vec<_> =
            world.pair(Pair { a: b, b: a }).map(|pair| pair.planes()).unwrap_or_default();
        let mut expected: Vec<_> = truth.iter().map(|&[i, j]| [j, i]).collect();
        expected.sort_unstable();
        assert_eq!(swapped, expected);
        world.remove(a);
        assert!(
            world.pair(pair).map(|pair| pair.planes()).unwrap_or_default().is_empty(),
            "removed"
        );
        world.remove(b);
    }
    assert_eq!(found.len(), 4, "all pairs of planes occur: {found:?}");
    // A run-time mask has one plane.
    let a = world.insert(Collider::new(ogre)).unwrap();
    let b = world.insert(Collider::from_mask(wall)).unwrap();
    assert_eq!(world.pair(Pair { a, b }).map(|pair| pair.planes()).unwrap_or_default(), [[0, 0]]);
}

#[test]
fn n7_the_union_of_frames_catches_a_skipped_frame() {
    let frames = [[6, 0], [4, 2], [0, 6]];
    let blade = solid(2, 2);
    let (motion_frame, at) = Mask::union(frames.map(|at| (&blade, at))).unwrap();
    // The fly at (5, 3) touches only the middle frame, and the union of all frames.
    let fly = solid(1, 1);
    assert!(motion_frame.touches(&fly, Point::new(5, 3) - at));
    assert!(
        ![frames[0], frames[2]]
            .iter()
            .any(|at| blade.touches(&fly, Point::new(5, 3) - Point::from(*at)))
    );
}

#[test]
fn n7_a_baked_motion_frame_is_the_union_of_all_frames_at_every_pose() {
    let frames = ["#..\n#..", ".#.\n..#", "..#\n.##\n..."].map(mask);
    let eyes = ["...\n..#", "#..\n...", "...\n...\n.#."].map(mask);
    let both: Vec<Vec<Mask>> = frames.into_iter().zip(eyes).map(|(a, b)| vec![a, b]).collect();
    for compact in [false, true] {
        let bake = AtlasBuilder::new().planes("slash", ["edge", "eye"], both.clone()).unwrap();
        // A pivot on a corner of texels is valid for frames of any size.
        let pivot = Pivot::HalfTexels(2, 4);
        let with_union = Settings { motion_frame: true, ..Settings::default() };
        let bake = bake.settings(with_union).angles(16).scales([1.0, 2.5]).pivot(pivot);
        let bake = bake.compact(compact);
        let atlas = Atlas::from_vec(bake.to_bytes().unwrap()).unwrap();
        let id = atlas.sprite_id("slash").unwrap();
        let sprite = atlas.sprite(id).unwrap();
        assert_eq!(sprite.frame_count(), 4);
        let mut world = World::new(atlas.clone());
        for (plane, step, scale) in
            (0..2).flat_map(|p| (0..16).flat_map(move |k| [1.0, 2.5].map(|s| (p, k, s))))
        {
            let collider = |frame: u32| {
                Collider::new(id)
                    .with_plane(plane)
                    .with_frame(frame)
                    .turned(hitmask::Angle::turn(step << 12))
                    .scaled(scale)
                    .flipped(Flip { x: step % 3 == 0, y: step % 5 == 0 })
            };
            let ids = [0, 1, 2, 3].map(|frame| world.insert(collider(frame)).unwrap());
            let [a, b, c, motion_frame] = ids.map(|id| world.posed(id).unwrap());
            let parts = [a, b, c].map(|posed| (posed.mask, posed.origin));
            let (truth, at) = Mask::union(parts).unwrap();
            assert_eq!(
                (motion_frame.mask, motion_frame.origin),
                (truth.as_ref(), at),
                "{plane} {step} {scale}"
            );
        }
    }
    // Centre pivots of frames with even and odd sides do not share a lattice.
    let odd = AtlasBuilder::new()
        .frames("slash", [solid(2, 2), solid(2, 2), solid(3, 3)])
        .settings(Settings { motion_frame: true, ..Settings::default() });
    let error = odd.to_bytes().unwrap_err();
    assert_eq!(
        (&error.fault, error.frame),
        (&hitmask::BuildFault::MotionFrame, Some(2)),
        "{error}"
    );
}

#[test]
fn n8_damage_rotates_with_its_sprite() {
    let (mut world, ids) = world(&[("shot", &solid(1, 1), [0.0, 0.0])]);
    let raster = |hull: &Mask| Raster::new(hull, Pivot::Center, Sampling::Nearest).unwrap();
    let mut hull = solid(20, 6);
    let mask = world.masks_mut().insert_drawn(raster(&hull), Affine::scale([1.0, 1.0])).unwrap();
    let ship = world.insert(Collider::from_mask(mask).at([100.0, 100.0])).unwrap();
    let is_hit = |world: &mut World, [x, y]: [f32; 2]| {
        world.set(ids[0], world.get(ids[0]).unwrap().at([x, y])).unwrap();
        world.update();
        world.touching() == [Pair { a: ids[0], b: ship }]
    };
    let (nose, stern) = ([109.0, 100.0], [90.0, 100.0]);
    assert!(is_hit(&mut world, nose) && is_hit(&mut world, stern));
    // The right end of the hull is shot off.
    hull.fill_rect(Rect::new(14, 0, 20, 6), false);
    world.masks_mut().redraw(mask, raster(&hull)).unwrap();
    assert!(!is_hit(&mut world, nose) && is_hit(&mut world, stern));
    // After a quarter turn, the missing end is below.
    world.masks_mut().transform(mask, Affine::rotation(std::f32::consts::FRAC_PI_2)).unwrap();
    assert!(!is_hit(&mut world, [100.0, 109.0]) && is_hit(&mut world, [100.0, 90.0]));
}

#[test]
fn n8_a_run_time_mask_is_carved() {
    let (mut world, ids) = world(&[("shell", &solid(6, 6), [0.0, -50.0])]);
    let id = world.masks_mut().insert(solid(200, 60), Pivot::HalfTexels(200, 0)).unwrap();
    let ground = world.insert(Collider::from_mask(id).fixed()).unwrap();
    world.update();
    let fall = |world: &mut World| world.move_and_slide(ids[0], [0.0, 100.0]).unwrap().position[1];
    assert_eq!(fall(&mut world), -3.0);
    let (hole, _) = Mask::from_zone(&hitmask::Zone::circle([9.0, 9.0], 9.0).unwrap()).unwrap();
    world.masks_mut().edit(id, |mask| mask.erase(&hole, [91, -9]));
    let depth_in_hole = fall(&mut world);
    assert!(depth_in_hole > 0.0 && depth_in_hole < 9.0, "{depth_in_hole}");
    assert!(world.contact(Pair { a: ids[0], b: ground }).is_none());
    let line = Line::new([0.5, -20.0], [0.5, 40.0]).unwrap();
    let filter = Filter { except: Some(ids[0]), ..Filter::ALL };
    assert_eq!(world.ray(&line, filter).unwrap().unwrap().1.point, Point::new(0, 9));
}

#[test]
fn n8_one_of_two_identical_colliders_is_carved() {
    let (mut world, ids) = world(&[("crate", &solid(20, 20), [0.0, 0.0])]);
    let twin = world.insert(world.get(ids[0]).unwrap().at([100.0, 0.0])).unwrap();
    // The posed mask of the collider becomes its own run-time mask, at the same position.
    let posed = world.posed(ids[0]).unwrap();
    let (own, pivot) = (posed.mask.to_mask(), posed.origin);
    let own = world.masks_mut().insert(own, Pivot::HalfTexels(-2 * pivot.x, -2 * pivot.y)).unwrap();
    let rect = world.rect(ids[0]);
    let shape = hitmask::ColliderShape::Mask(own);
    world.set(ids[0], Collider { shape, ..world.get(ids[0]).unwrap() }).unwrap();
    assert_eq!(world.rect(ids[0]), rect);
    world.masks_mut().edit(own, |mask| mask.erase(&solid(20, 10), [0, 0]));
    let query = |world: &World, at| world.query(&Zone::point(at).unwrap(), Filter::ALL).unwrap();
    assert_eq!((query(&world, [0.0, -5.0]), query(&world, [0.0, 5.0])), (vec![], vec![ids[0]]));
    assert_eq!(query(&world, [100.0, -5.0]), [twin], "the twin is unchanged");
}

#[test]
fn n9_a_compact_atlas_opens_to_the_full_atlas() {
    // Large enough to have coarse levels.
    let mut ring = solid(480, 480);
    ring.fill_rect(Rect::new(48, 48, 432, 432), false);
    let bake =
        || AtlasBuilder::new().mask("ring", ring.clone()).mask("bar", solid(40, 7)).angles(64);
    let full = bake().to_bytes().unwrap();
    let compact = bake().compact(true).to_bytes().unwrap();
    assert!(compact.len() * 20 < full.len(), "{} of {}", compact.len(), full.len());
    assert_eq!(Atlas::from_vec(compact).unwrap().drawn().unwrap().as_bytes(), &full[..]);
}

#[test]
fn n10_explain_names_the_deciding_level_row_and_pose() {
    let (mut world, ids) = world(&[
        ("a", &mask("#..\n.#.\n..#"), [0.75, 0.5]),
        ("b", &mask("..#\n...\n#.."), [0.75, 0.5]),
    ]);
    let pair = Pair { a: ids[0], b: ids[1] };
    let explanation = world.pair(pair).and_then(|pair| pair.explain()).unwrap();
    assert_eq!(
        (explanation.touches, explanation.decision, explanation.row),
        (false, DecidedBy::Pixels, None)
    );
    assert_eq!(explanation.sides[0].position_error, [0.75, 1.0]);
    world.set(ids[1], world.get(ids[1]).unwrap().at([0.0, 1.5]).turned(1.5)).unwrap();
    let explanation = world.pair(pair).and_then(|pair| pair.explain()).unwrap();
    assert_eq!(
        (explanation.touches, explanation.sides[1].pose.step),
        (!world.touching_with(ids[0]).is_empty(), 4)
    );
    assert!((explanation.sides[1].angle_error - (std::f32::consts::FRAC_PI_2 - 1.5)).abs() < 1e-6);
    world.set(ids[1], world.get(ids[1]).unwrap().at([50.0, 0.0])).unwrap();
    assert_eq!(
        world.pair(pair).and_then(|pair| pair.explain()).unwrap().decision,
        DecidedBy::Boxes
    );
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(0, 0)).unwrap();
    let explanation = world.pair(pair).and_then(|pair| pair.explain()).unwrap();
    assert_eq!(explanation.decision, DecidedBy::Layers);
    assert!(
        explanation
            .to_string()
            .starts_with("they do not touch, by their layers\n  a (collider 0): step 0")
    );
    let scene = explanation.to_scene().unwrap();
    assert!(
        scene.contains("\"sprite\":\"a\",\"x\":0.75,\"y\":0.5,") && scene.contains("\"layers\":0")
    );
    world.remove(ids[0]);
    assert_eq!(world.pair(pair).and_then(|pair| pair.explain()), None);
}
