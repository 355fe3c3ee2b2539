//! Units of positions in answers and errors, at any resolution.

use hitmask::{AtlasBuilder, CallError, Collider, Filter, Line, Mask, Zone};
use hitmask_scenes::{open, solid, world_of};

#[test]
fn positions_and_distances_are_in_units_of_positions_at_any_resolution() {
    for factor in [0.5, 1.0, 2.0, 4.0] {
        let (mut world, block) = world_of(
            open(&AtlasBuilder::new().resolution(factor).mask("block", solid(4, 4))),
            "block",
        );
        let [one, two] = [[0.0, 0.0], [30.0, 0.0]].map(|at| world.insert(block.at(at)).unwrap());
        // From the last pixel of one block to the first of the other.
        let apart = 26.0 + 1.0 / f64::from(factor);
        assert_eq!(
            world.pair([one, two]).and_then(|pair| pair.distance()),
            Some(apart),
            "{factor}"
        );
        let found = world.nearest_to(one, apart as f32, Filter::ALL);
        assert_eq!(found, Ok(Some((two, apart))), "{factor}");
        assert_eq!(world.nearest_to(one, apart as f32 - 0.125, Filter::ALL), Ok(None), "{factor}");
        // From the corner of a pixel to the centre of the first pixel of the other block.
        let half = 0.5 / f64::from(factor);
        let far = (8.0 + half).hypot(half);
        let found = world.nearest([20.0, 0.0], 10.0, Filter::ALL).unwrap();
        assert!(found.is_some_and(|(id, d)| id == two && (d - far).abs() < 1e-9), "{found:?}");
        let found = world.nearest([20.0, 0.0], far as f32 - 0.0625, Filter::ALL);
        assert_eq!(found, Ok(None), "{factor}");
        let pick = |radius: f32| world.pick([24.0, 0.0], radius, Filter::ALL, |id| id.index());
        assert_eq!([pick(4.0), pick(6.0)], [Ok(None), Ok(Some(two))], "{factor}");
        let hit = world.cast(one, [100.0, 0.0], Filter::SOLID).unwrap().unwrap();
        assert_eq!((hit.collider, hit.position), (two, [26.0, 0.0]), "{factor}");
        let moved = world.move_and_slide(one, [100.0, 0.0]).unwrap();
        assert_eq!(moved.position, [26.0, 0.0], "{factor}");
    }
}

#[test]
fn query_errors_are_in_units_of_positions() {
    let (mut world, dot) = world_of(
        open(&AtlasBuilder::new().resolution(2.0).mask("dot", "#".parse().unwrap())),
        "dot",
    );
    let size =
        |value| CallError::Number { name: "radius or length", value, least: 0.0, most: f32::MAX };
    for (zone, error) in [
        (Line::new([1.5e9, 0.0], [0.0; 2]).map(Zone::line), CallError::Position([1.5e9, 0.0])),
        (Zone::circle([0.0; 2], -1.0), size(-1.0)),
        (Zone::ellipse([0.0; 2], [1.0, -3.0]), size(-3.0)),
    ] {
        assert_eq!(zone.and_then(|zone| world.query(&zone, Filter::ALL)), Err(error));
    }
    let refused = world.insert(dot.at([0.6e9, 0.0])).unwrap_err();
    assert!(refused.help().contains("times the resolution"), "{}", refused.help());
}

#[test]
fn a_radius_of_the_largest_f32_reaches_all_and_the_least_keeps_its_pixel() {
    for factor in [0.5, 1.0, 2.0, 8.0] {
        let (mut world, dot) =
            world_of(open(&AtlasBuilder::new().resolution(factor).mask("dot", solid(4, 4))), "dot");
        let id = world.insert(dot.at([9e7, -9e7])).unwrap();
        let all = Zone::circle([3.0, 5.0], f32::MAX).unwrap();
        assert_eq!(world.query(&all, Filter::ALL), Ok(vec![id]), "{factor}");
        let all = Zone::ellipse([3.0, 5.0], [f32::MAX, 1e9]).unwrap();
        assert_eq!(world.query(&all, Filter::ALL), Ok(vec![id]), "{factor}");
        let picked = world.pick([0.0, 0.0], f32::MAX, Filter::ALL, |_| 0);
        assert_eq!(picked, Ok(Some(id)), "{factor}");
        // One pixel below and to the left of the origin.
        let mask = world.masks_mut().insert(solid(1, 1), hitmask::Pivot::HalfTexels(2, 2));
        let before = world.insert(Collider::from_mask(mask.unwrap())).unwrap();
        let least = -f32::from_bits(1);
        let at = |x, y| world.query(&Zone::point([x, y]).unwrap(), Filter::ALL).unwrap();
        assert_eq!(
            (at(least, least), at(0.0, least), at(-0.0, 0.0)),
            (vec![before], vec![], vec![])
        );
        let line = Line::new([least, least], [least, least]).unwrap();
        assert_eq!(world.query(&Zone::line(line), Filter::ALL), Ok(vec![before]), "{factor}");
    }
}

#[test]
fn zones_and_lines_are_accepted_wherever_a_collider_may_be() {
    for (factor, farthest) in [(0.125, 8e9_f32), (0.25, 4e9), (0.5, 2e9), (1.0, 1e9), (8.0, 1.25e8)]
    {
        let (mut world, dot) = world_of(
            open(&AtlasBuilder::new().resolution(factor).mask("dot", solid(32, 32))),
            "dot",
        );
        for (x, y) in [(1.0, 0.0), (-1.0, 1.0), (0.5, -1.0), (-0.75, -0.25)] {
            let at = [x * farthest, y * farthest];
            let id = world.insert(dot.at(at)).unwrap();
            let case = format!("{at:?} at {factor}");
            let zones = [
                Zone::point(at).unwrap(),
                Zone::circle(at, 20.0).unwrap(),
                Zone::ellipse(at, [20.0, 30.0]).unwrap(),
                Zone::line(Line::new(at, at).unwrap()),
            ];
            for zone in zones {
                assert_eq!(world.query(&zone, Filter::ALL), Ok(vec![id]), "{case}: {zone:?}");
            }
            let whole = Line::new([0.0, 0.0], at).unwrap();
            assert!(world.ray(&whole, Filter::ALL).unwrap().is_some(), "{case}");
            assert_eq!(world.ray_all(&whole, Filter::ALL).unwrap().len(), 1, "{case}");
            let ray = Line::ray([0.0, 0.0], at, farthest.abs() * 1.5).unwrap();
            assert!(world.ray(&ray, Filter::ALL).is_ok(), "{case}");
            assert_eq!(world.nearest(at, 20.0, Filter::ALL).unwrap().unwrap().0, id, "{case}");
            assert_eq!(world.pick(at, 1.0, Filter::ALL, |_| 0), Ok(Some(id)), "{case}");
            world.remove(id);
        }
        // Across the whole plane.
        let ends = [[-farthest, 0.0], [farthest, 0.0]];
        let across = Line::new(ends[0], ends[1]).unwrap();
        assert!(world.ray(&across, Filter::ALL).is_ok(), "{factor}");
        // Beyond the range of mask pixels, in pixels of the world.
        let beyond = [2.5e9 / factor, 0.0];
        let refused = Err(CallError::Position(beyond));
        let zones = [Zone::point(beyond), Zone::circle(beyond, 1.0)];
        for zone in zones {
            let answer = zone.and_then(|zone| world.query(&zone, Filter::ALL));
            assert_eq!(answer, refused, "{factor}");
        }
        assert_eq!(world.nearest(beyond, 1.0, Filter::ALL), Err(CallError::Position(beyond)));
        assert_eq!(world.pick(beyond, 1.0, Filter::ALL, |_| 0), Err(CallError::Position(beyond)));
        let long = [[-1.9e9 / factor, 0.0], [1.9e9 / factor, 0.0]];
        let answer = Line::new(long[0], long[1]).and_then(|line| world.ray(&line, Filter::ALL));
        assert_eq!(answer, Err(CallError::Span { from: long[0], to: long[1] }), "{factor}");
    }
}

#[test]
fn a_zone_beyond_the_range_of_masks_meets_none() {
    let dot = solid(4, 4);
    let far = [
        Zone::point([4e9, 0.0]).unwrap(),
        Zone::circle([4e9, 0.0], 4e9).unwrap(),
        Zone::line(Line::new([-4e9, 0.0], [4e9, 0.0]).unwrap()),
    ];
    for zone in far {
        assert_eq!((zone.bounds(), zone.row(0), zone.contains([0, 0])), (None, None, false));
        assert!(!dot.touches_zone(&zone, [0, 0]));
        assert!(Mask::from_zone(&zone).is_err(), "{zone:?}");
    }
    let line = Line::new([-4e9, 0.0], [4e9, 0.0]).unwrap();
    assert_eq!(dot.first_line_hit(&line, [0, 0]), None);
    assert_eq!(dot.line_hits(&line, [0, 0]).count(), 0);
}
