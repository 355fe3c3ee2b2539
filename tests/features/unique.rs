//! Capabilities that precomputed masks make possible.

use crate::{mask, solid, world};
use hitmask::{
    AtlasBuilder, Collider, DecidedBy, Filter, Flip, Mask, Pair, Pivot, Settings, World, Zone,
};
use hitmask_scenes::{explain, open, overlap, rebuilt};

#[test]
fn angle_steps_follow_a_maximum_error_and_a_maximum_size() {
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
        let atlas = open(&bake().angles(angles));
        atlas.sprite(atlas.sprite_id("wide").unwrap()).unwrap().fidelity().unwrap()
    };
    let (few, many) = (measured(8), measured(64));
    assert!(many.share() < few.share() / 3.0 && many.distance < few.distance, "{few:?} {many:?}");
}

#[test]
fn one_query_reports_the_overlapping_planes_of_a_pair() {
    let frames = |art: [&str; 2]| vec![art.map(mask).to_vec()];
    let bake = AtlasBuilder::new()
        .angles(16)
        .planes("sword", ["edge", "hilt"], frames(["........\n.....###", "##......\n........"]))
        .unwrap()
        .planes("ogre", ["body", "shield"], frames([".###\n.###", "#...\n#..."]))
        .unwrap();
    let atlas = open(&bake);
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
            if overlap(&world, Pair { a, b }).is_some() {
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
fn a_baked_motion_frame_is_the_union_of_all_frames_at_every_pose() {
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
        let atlas = open(&bake);
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
fn one_of_two_identical_colliders_is_carved() {
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
fn explain_names_the_deciding_level_row_and_pose() {
    let (mut world, ids) = world(&[
        ("a", &mask("#..\n.#.\n..#"), [0.75, 0.5]),
        ("b", &mask("..#\n...\n#.."), [0.75, 0.5]),
    ]);
    let pair = Pair { a: ids[0], b: ids[1] };
    let explanation = explain(&world, pair).unwrap();
    assert_eq!(
        (explanation.touches, explanation.decision, explanation.row),
        (false, DecidedBy::Pixels, None)
    );
    assert_eq!(explanation.sides[0].position_error, [0.75, 1.0]);
    world.set(ids[1], world.get(ids[1]).unwrap().at([0.0, 1.5]).turned(1.5)).unwrap();
    let explanation = explain(&world, pair).unwrap();
    assert_eq!(
        (explanation.touches, explanation.sides[1].pose.step),
        (!world.touching_with(ids[0]).is_empty(), 4)
    );
    assert!((explanation.sides[1].angle_error - (std::f32::consts::FRAC_PI_2 - 1.5)).abs() < 1e-6);
    world.set(ids[1], world.get(ids[1]).unwrap().at([50.0, 0.0])).unwrap();
    assert_eq!(explain(&world, pair).unwrap().decision, DecidedBy::Boxes);
    world.set(ids[1], world.get(ids[1]).unwrap().on_layers(0, 0)).unwrap();
    let explanation = explain(&world, pair).unwrap();
    assert_eq!(explanation.decision, DecidedBy::Layers);
    assert!(
        explanation
            .to_string()
            .starts_with("they do not touch, by their layers\n  a (collider 0): step 0")
    );
    // A snapshot replays the pair.
    assert_eq!(explain(&rebuilt(&world), pair), Some(explanation));
    world.remove(ids[0]);
    assert_eq!(explain(&world, pair), None);
}
