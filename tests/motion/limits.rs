//! Public arithmetic at the limits of i32: results saturate, and nothing overflows.

use crate::solid;
use hitmask::reference::{Canvas, Drawing};
use hitmask::{
    Affine, AlphaRule, Angle, BoxTree, CallError, Connectivity, Contact, Flip, GrowShape, Line,
    MAX_ANGLES, MAX_PIVOT, MAX_SCALE, MAX_SIDE, MIN_SCALE, Mask, Pivot, PixelPath, Point, Pose,
    PoseSet, Posed, PosedRef, Raster, Rect, Sampling, ScanOrder, Zone,
};
use hitmask_scenes::open;

/// The ends of the range, their neighbours, and a few numbers that masks add to.
const EDGES: [i32; 9] =
    [i32::MIN, i32::MIN + 1, i32::MIN + 70, -1, 0, 1, i32::MAX - 70, i32::MAX - 1, i32::MAX];

fn places() -> impl Iterator<Item = Point> {
    EDGES.into_iter().flat_map(|x| EDGES.map(|y| Point::new(x, y)))
}

/// Returns the number nearest to `exact` that an i32 holds.
fn saturated(exact: i64) -> i32 {
    exact.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// Returns the edges of a box of `size` whose top-left pixel is at a point.
fn box_at(at: Point, (width, height): (u32, u32)) -> Rect {
    let end = |start: i32, length: u32| saturated(i64::from(start) + i64::from(length));
    Rect::new(at.x, at.y, end(at.x, width), end(at.y, height))
}

#[test]
fn posed_masks_at_the_limits_have_saturated_boxes_flips_and_turns() {
    let mask = solid(70, 66);
    let size = (mask.width(), mask.height());
    for origin in places() {
        for (fx, fy) in EDGES.into_iter().zip(EDGES.into_iter().rev()) {
            let pivot2 = [fx, fy];
            let borrowed = PosedRef { mask: mask.as_ref(), origin, pivot2 };
            assert_eq!(borrowed.rect(), box_at(origin, size));
            let mirrored = |phase: i32, start: i32, length: u32| {
                saturated(i64::from(phase) - i64::from(start) - i64::from(length))
            };
            let (left, top) = (mirrored(fx, origin.x, size.0), mirrored(fy, origin.y, size.1));
            let posed = Posed { mask: mask.clone(), origin, pivot2 };
            assert_eq!(borrowed.flip_y().origin, Point::new(origin.x, top));
            assert_eq!(posed.flip_y().origin, Point::new(origin.x, top));
            assert_eq!(posed.flip_x().origin, Point::new(left, origin.y));
            let turned = posed.quarter_turned();
            assert_eq!((turned.origin, turned.pivot2), (Point::new(top, origin.x), [fy, fx]));
        }
    }
}

#[test]
fn rectangles_and_contacts_saturate_at_the_limits() {
    for (a, b) in places().flat_map(|a| places().map(move |b| (a, b))) {
        let rect = Rect::new(a.x, a.y, b.x, b.y);
        let length = |from: i32, to: i32| (i64::from(to) - i64::from(from)).max(0) as u64;
        assert_eq!(rect.area(), length(a.x, b.x) * length(a.y, b.y));
        let [sum_x, sum_y] = [(a.x, b.x), (a.y, b.y)].map(|(a, b)| i64::from(a) + i64::from(b));
        assert_eq!(a + b, Point::new(saturated(sum_x), saturated(sum_y)));
        assert_eq!(rect.translated(b).x0, saturated(sum_x));
        let contact: Contact = solid(2, 2).contact(&solid(2, 2), [1, 1]).unwrap();
        let far = contact.translated(a).translated(b);
        assert_eq!(far.point, contact.point + a + b);
        let _ = far.center();
    }
}

#[test]
fn zones_lines_and_paths_at_the_limits_do_not_overflow() {
    let mask = solid(70, 66);
    for (a, b) in places().flat_map(|a| places().map(move |b| (a, b))) {
        let path = PixelPath::new(b);
        let end = path.at(path.steps());
        assert_eq!((end, path.at(u32::MAX)), (b, b));
        let line = Line::along(a, path);
        let _ = (line.bounds(), line.pixels().nth(3), line.pixels().next_back());
        for zone in [Zone::rect(Rect::new(a.x, a.y, b.x, b.y)), Zone::line(line)] {
            let _ = (zone.bounds(), zone.contains(a), zone.contains(b), zone.row(b.y));
            for at in [a, b] {
                let _ = mask.touches_zone(&zone, at);
            }
            let _ = Mask::from_zone(&zone);
        }
        for at in [a, b] {
            let hits = mask.line_hits(&line, at).take(9).count();
            let first = mask.first_line_hit(&line, at);
            assert_eq!(first.is_some(), hits > 0);
        }
    }
}

#[test]
fn pairs_of_masks_at_the_limits_do_not_overflow() {
    let (mask, dot) = (solid(70, 66), solid(1, 1));
    for offset in places() {
        for (a, b) in [(&mask, &dot), (&dot, &mask), (&mask, &mask)] {
            let (one, other) = (a.as_ref(), b.as_ref());
            let meets = i64::from(offset.x).abs() < 70 && i64::from(offset.y).abs() < 66;
            let touches = one.touches(other, offset);
            assert!(meets || !touches);
            assert_eq!(one.contact(other, offset).is_some(), touches);
            assert_eq!(one.overlap_area(other, offset) > 0, touches);
            assert_eq!(one.overlap_mask(other, offset).count() > 0, touches);
            for order in [ScanOrder::Top, ScanOrder::Bottom, ScanOrder::Left, ScanOrder::Right] {
                assert_eq!(one.first_overlap(order, other, offset).is_some(), touches);
            }
            assert_eq!(one.push_out(other, offset).is_some(), touches);
            let _ = (one.coarse(other, offset), one.graze(other, offset, 9));
            let _ = (one.distance(other, offset), one.nearest(other, offset));
            for motion in places() {
                let _ = (one.cast(other, offset, motion), one.push_along(other, offset, motion));
            }
        }
        let mut edited = mask.clone();
        edited.draw(&mask, offset);
        edited.erase(&dot, offset);
        edited.toggle(&mask, offset);
        edited.intersect(&mask, offset);
        edited.fill_rect(Rect::new(offset.x, 0, i32::MAX, offset.y), true);
        let _ = edited.get(offset.x, offset.y);
        let _ =
            (mask.cropped(Rect::new(offset.x, offset.y, 40, 40)), Mask::union([(&mask, offset)]));
        let _ = mask.components(Connectivity::Eight).at(offset).map(|part| part.rect());
    }
}

#[test]
fn boxes_at_the_limits_are_found() {
    let boxes: Vec<Rect> = places().map(|at| box_at(at, (70, 66))).collect();
    let mut tree = BoxTree::new();
    tree.pack(&boxes);
    let mut found = Vec::new();
    for at in places() {
        found.clear();
        let [x, y] = at.into();
        tree.query_rect(Rect::new(x, y, x.saturating_add(1), y.saturating_add(1)), &mut found);
        let truth = boxes.iter().filter(|rect| rect.contains(at)).count();
        assert_eq!(found.len(), truth, "{at:?}");
    }
}

/// The ends of the range of u32, of i32 and of masks.
const SIZES: [u32; 10] = [
    0,
    1,
    MAX_SIDE - 1,
    MAX_SIDE,
    MAX_SIDE + 1,
    1 << 16,
    i32::MAX as u32,
    1 << 31,
    u32::MAX - 1,
    u32::MAX,
];

#[test]
fn sizes_and_radii_at_the_limits_do_not_overflow() {
    let dot = solid(1, 1);
    let none = Mask::new(0, 0).unwrap();
    for size in SIZES {
        let fits = size <= MAX_SIDE;
        assert_eq!(Mask::new(size, 1).is_ok(), fits, "{size}");
        assert_eq!(Mask::solid(1, size).is_ok(), fits, "{size}");
        assert_eq!(dot.scaled(size, 1).is_ok(), fits, "{size}");
        for other in SIZES.into_iter().filter(|&other| other > 2 || size > 2) {
            assert!(Mask::from_alpha(size, other, &[255], AlphaRule::default()).is_err());
            assert!(Mask::from_rgba(size, other, &[255; 4], AlphaRule::default()).is_err());
            let bits = Mask::from_bits(size, other, &[255]);
            assert!(bits.is_err() || size <= 8 && other == 1, "{size} {other}");
        }
        let side = u64::from(size) * 2 + 1;
        // The largest masks take too long to draw here.
        if side > u64::from(MAX_SIDE) {
            let too_large = |mask: Result<Mask, CallError>| {
                assert!(matches!(mask, Err(CallError::TooLarge { .. })), "{size}");
            };
            too_large(Mask::disc(size));
            for shape in [GrowShape::Disc, GrowShape::Square] {
                too_large(dot.grown(size, shape));
                assert_eq!(none.grown(size, shape), Ok(none.clone()));
            }
        }
        for shape in [GrowShape::Disc, GrowShape::Square] {
            let shrunk = solid(70, 66).shrunk(size, shape);
            assert_eq!(shrunk.count(), [70 * 66, 68 * 64, 0][size.min(2) as usize], "{size}");
        }
        for at in places() {
            let _ = dot.graze(&dot, at, size);
        }
    }
}

#[test]
fn unions_turning_casts_and_spaces_at_the_limits_do_not_overflow() {
    let mask = solid(70, 66);
    let space = Affine::scale([3.0, -0.5]);
    for (a, b) in places().flat_map(|a| places().map(move |b| (a, b))) {
        let apart = |a: i32, b: i32| (i64::from(a) - i64::from(b)).unsigned_abs();
        let is_near = apart(a.x, b.x).max(apart(a.y, b.y)) < 10_000;
        assert_eq!(Mask::union([(&mask, a), (&mask, b)]).is_ok(), is_near, "{a:?} {b:?}");
        let pose = |origin| PosedRef { mask: mask.as_ref(), origin, pivot2: [0; 2] };
        for poses in [&[][..], &[pose(a)], &[pose(a), pose(b), pose(a)]] {
            let _ = PosedRef::cast_turning(poses, &mask, b, a);
        }
        let contact = mask.contact(&mask, [1, 1]).unwrap().translated(a).translated(b);
        let local = contact.in_space(space).unwrap();
        assert!(local.corners.as_flattened().iter().chain(&local.point).all(|v| v.is_finite()));
        assert!(local.bounds()[0].iter().zip(local.bounds()[1]).all(|(low, high)| *low <= high));
    }
}

#[test]
fn poses_and_angles_at_the_limits_do_not_overflow() {
    for angles in SIZES {
        for turn in [0, 1, 0x7fff, 0x8000, u16::MAX] {
            let step = Angle::turn(turn).step(angles);
            assert!(step.map_or(angles == 0, |step| step < angles), "{turn} of {angles}");
        }
        for radians in [0.0, -0.0, 1e-45, -3.0, 1e9, f32::MAX, f32::MIN, f32::MIN_POSITIVE] {
            let step = Angle::radians(radians).step(angles);
            assert!(step.map_or(angles == 0, |step| step < angles), "{radians} of {angles}");
        }
    }
    let source = solid(5, 3);
    let poses = PoseSet::new(MAX_ANGLES, [MIN_SCALE, MAX_SCALE]).unwrap();
    let pivots = [0, 1, MAX_PIVOT - 1, MAX_PIVOT, MAX_PIVOT + 1, i32::MAX, i32::MIN, -MAX_PIVOT];
    for (x, y) in pivots.into_iter().flat_map(|x| pivots.map(|y| (x, y))) {
        let pivot = Pivot::HalfTexels(x, y);
        let fits = [x, y].iter().all(|p| (-MAX_PIVOT..=MAX_PIVOT).contains(p));
        for sampling in [Sampling::Nearest, Sampling::Coverage25] {
            let raster = Raster::new(&source, pivot, sampling);
            assert_eq!(raster.is_ok(), fits, "{pivot:?}");
            for (step, scale) in [(0, 0), (1, 1), (MAX_ANGLES - 1, 0), (MAX_ANGLES / 8, 1)] {
                let pose = Pose { step, scale };
                let drawing = Drawing::new(&source, pivot, sampling, &poses, pose);
                assert_eq!(drawing.is_ok(), fits, "{pivot:?}");
                let (Ok(raster), Ok(drawing)) = (&raster, drawing) else { continue };
                let _ = raster.pose(&poses, pose).unwrap();
                for at in places().filter(|at| at.x.unsigned_abs().max(at.y.unsigned_abs()) > 1) {
                    assert!(!drawing.pixel(at.x, at.y), "{pivot:?} {pose:?} {at:?}");
                }
                // Next to the limit of what is computed.
                let far = (1 << 23) - 1;
                for (u, v) in [(far, far), (-far, far), (far, -far), (-far, -far)] {
                    assert!(!drawing.pixel(u, v), "{pivot:?} {pose:?}");
                }
            }
        }
    }
}

#[test]
fn reference_drawings_at_the_limits_agree_with_masks() {
    let (source, poses) = (solid(9, 5), PoseSet::new(8, [1.0]).unwrap());
    let drawing = |step| {
        Drawing::new(&source, Pivot::Center, Sampling::Nearest, &poses, Pose { step, scale: 0 })
    };
    let (a, b) = (drawing(0).unwrap(), drawing(1).unwrap());
    let image = hitmask_scenes::PreparedImage::new(source.as_ref());
    let mut canvas = Canvas::default();
    for (at_a, at_b) in places().flat_map(|a| places().map(move |b| (a, b))) {
        let first = canvas.first_point((&a, at_a), (&b, at_b));
        let contact = canvas.contact((&a, at_a), (&b, at_b));
        assert_eq!(first, contact.map(|contact| contact.point), "{at_a:?} {at_b:?}");
        assert_eq!(image.touches(&image, at_a), source.touches(&source, at_a), "{at_a:?}");
        let contact =
            source.contact(&source, at_a).map(|found| (found.rect, found.area, found.point));
        assert_eq!(image.contact(&image, at_a), contact, "{at_a:?}");
    }
}

#[test]
fn poses_of_an_atlas_beyond_its_last_are_none() {
    let atlas = open(&hitmask::AtlasBuilder::new().angles(8).mask("a", solid(5, 3)));
    let sprite = atlas.sprites().next().unwrap();
    for number in SIZES.into_iter().filter(|&number| number > 7) {
        assert!(sprite.posed(number, Pose::default(), Flip::NONE).is_none());
        assert!(sprite.pose_id(0, Pose { step: number, scale: 0 }, Flip::XY).is_none());
        assert!(sprite.pose_id(0, Pose { step: 0, scale: number }, Flip::X).is_none());
        assert!(sprite.in_plane(number).is_none() && sprite.frame_size(number).is_none());
        assert!(atlas.sprite(hitmask::SpriteId::new(number)).is_none());
    }
}
