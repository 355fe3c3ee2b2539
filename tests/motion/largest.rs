//! Moves, distances and lines of masks with the largest sides, against results by geometry.

use hitmask::{Graze, Line, MAX_SIDE, Mask, Normal, PixelPath, Point, Rect, Zone};
use hitmask_scenes::solid;

const SIDE: i32 = MAX_SIDE as i32;

fn corners(width: u32, height: u32) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    let (w, h) = (width as i32, height as i32);
    [(0, 0), (w - 1, 0), (0, h - 1), (w - 1, h - 1)]
        .iter()
        .for_each(|&(x, y)| mask.set(x, y, true));
    mask
}

#[test]
fn bars_are_pushed_out_over_the_shorter_side() {
    for (thin, thick) in [(9, 64), (70, 300)] {
        let (a, b) = (solid(MAX_SIDE, thin), solid(MAX_SIDE, thick));
        let (a_down, b_down) = (solid(thin, MAX_SIDE), solid(thick, MAX_SIDE));
        let height = thin as i32;
        // Ties go to the topmost, then to the leftmost translation.
        for (x, y, expected) in [
            (0, 0, [0, -height]),
            (0, 5, [0, 5 - height]),
            (SIDE - 2, 1, [-2, 0]),
            (2 - SIDE, 1, [2, 0]),
        ] {
            let [px, py] = expected;
            assert_eq!(a.push_out(&b, [x, y]), Some(Point::new(px, py)), "{thin} {x} {y}");
            let down = a_down.push_out(&b_down, [y, x]);
            assert_eq!(down, Some(Point::new(py, px)), "{thin} {x} {y}");
        }
        let end = solid(3, thin);
        for x in [0, 1, SIDE / 2, SIDE - 3] {
            let along = end.push_along(&b, [-x, 0], [1, 0]);
            assert_eq!(along, Some(Point::new(SIDE - x, 0)), "{x}");
            let back = end.push_along(&b, [-x, 0], [-1, 0]);
            assert_eq!(back, Some(Point::new(-x - 3, 0)), "{x}");
            let down = solid(thin, 3).push_along(&b_down, [0, -x], [0, 5]);
            assert_eq!(down.map(|p| p.x), Some(0));
            assert_eq!(down.map(|p| p.y), Some(SIDE - x), "{x}");
        }
    }
}

#[test]
fn the_nearest_pixels_and_casts_reach_over_two_whole_sides() {
    for (a, b) in [
        (corners(MAX_SIDE, 1), corners(MAX_SIDE, 40)),
        (corners(MAX_SIDE, 300), corners(MAX_SIDE, 1)),
        (corners(2_100, 70), corners(MAX_SIDE, 70)),
    ] {
        let (aw, ah) = (a.width() as i32, a.height() as i32);
        for x in [aw + 5, aw + 30_000, 65_533] {
            for y in [0, ah - 1 + 12, -(b.height() as i32) - 9] {
                // From the right corners of a to the left ones of b.
                let dx = x - (aw - 1);
                let dy = if y >= ah {
                    y - (ah - 1)
                } else if y < 0 {
                    y + b.height() as i32 - 1
                } else {
                    0
                };
                assert_eq!(a.nearest(&b, [x, y]), Some(Point::new(dx, dy)), "{x} {y}");
                let back = b.nearest(&a, [-x, -y]);
                assert_eq!(back, Some(Point::new(-dx, -dy)), "{x} {y}");
                let path = PixelPath::new([dx + 100, dy]);
                if dy == 0 {
                    let step = a.cast(&b, [x, y], path.motion()).map(|hit| hit.step);
                    assert_eq!(step, Some(dx as u32), "{x} {y}");
                }
            }
        }
    }
}

#[test]
fn a_cast_along_a_bar_that_passes_close_ends_at_its_last_pixel() {
    // The mover's lower pixel passes between two rows of pixels.
    let mut tunnel = solid(MAX_SIDE, 64);
    tunnel.fill_rect(Rect::new(0, 20, SIDE - 1, 44), false);
    let mut down = solid(64, MAX_SIDE);
    down.fill_rect(Rect::new(20, 0, 44, SIDE - 1), false);
    let mover = corners(3, 24);
    let hit = mover.cast(&tunnel, [3, -20], [70_000, 0]).unwrap();
    assert_eq!(hit.step, MAX_SIDE);
    let mover = corners(24, 3);
    let hit = mover.cast(&down, [-20, 3], [0, 70_000]).unwrap();
    assert_eq!(hit.step, MAX_SIDE);
}

#[test]
fn lines_zones_and_grazes_meet_every_pixel_of_the_largest_side() {
    for (width, height) in [(MAX_SIDE, 64), (64, MAX_SIDE), (MAX_SIDE, 1)] {
        let (bar, ends) = (solid(width, height), corners(width, height));
        let (w, h) = (width as i32, height as i32);
        let long = [w, h].map(|side| side as f32);
        let from = [-40_000.0, -20.0 * long[1] - 0.5];
        let line = Line::new(from, [long[0] - 0.5, long[1] - 0.5]).unwrap();
        assert_eq!(
            ends.first_line_hit(&line, [0, 0]).map(|hit| hit.point.into()),
            Some([w - 1, h - 1])
        );
        let across = Line::new([-9.0, 0.5], [long[0] + 9.0, 0.5]).unwrap();
        assert_eq!(bar.line_hits(&across, [0, 0]).count(), width as usize);
        let down = Line::new([0.5, -9.0], [0.5, long[1] + 9.0]).unwrap();
        assert_eq!(bar.line_hits(&down, [0, 0]).count(), height as usize);
        assert!(ends.touches_zone(&Zone::rect(Rect::new(w - 1, h - 1, w, h)), [0, 0]));
        assert!(!ends.touches_zone(&Zone::rect(Rect::new(1, 0, w - 1, h)), [0, 0]) || w < 3);
        let (zone, at) = Mask::from_zone(&Zone::rect(Rect::new(5, 6, 5 + w, 6 + h))).unwrap();
        assert!(zone == bar && at == Point::new(5, 6));
        let dot = solid(1, 1);
        assert_eq!(ends.graze(&dot, [w + 2, h - 1], 3), Graze::Graze);
        assert_eq!(ends.graze(&dot, [w + 3, h - 1], 3), Graze::Clear);
        assert_eq!(ends.graze(&ends, [w - 1, h - 1], 0), Graze::Hit);
    }
}

#[test]
fn the_details_of_an_overlap_of_the_largest_masks_are_exact() {
    let (a, b) = (solid(MAX_SIDE, 64), solid(MAX_SIDE, 40));
    let overlap = a.overlap(&b, [0, 60]).unwrap();
    assert_eq!(overlap.contact().area, 4 * u64::from(MAX_SIDE));
    assert_eq!(overlap.normal(), Normal { x: 0.0, y: -1.0 });
    assert_eq!(overlap.centroid(), [SIDE as f32 / 2.0, 62.0]);
    assert_eq!(
        (overlap.push_out(), overlap.pixels().count()),
        (Point::new(0, -4), 4 * MAX_SIDE as usize)
    );
}

#[test]
fn zones_whose_pixels_fit_a_mask_become_one() {
    let (disc, at) = Mask::from_zone(&Zone::circle([0.5, 0.5], 16_383.4).unwrap()).unwrap();
    assert_eq!([disc.width(), disc.height()], [MAX_SIDE; 2]);
    assert_eq!(at, Point::new(-16_383, -16_383));
    let zone = Zone::ellipse([0.0, 0.5], [16_383.0, 3.0]).unwrap();
    let (ellipse, at) = Mask::from_zone(&zone).unwrap();
    // The columns next to the middle are half a pixel off it, so 3 px are out of their reach.
    assert_eq!([ellipse.width(), ellipse.height()], [32_766, 5]);
    assert_eq!((at, ellipse.trimmed().1), (Point::new(-16_383, -2), Point::default()));
    let wide = Zone::ellipse([0.5, 0.5], [16_384.0, 3.0]).unwrap();
    assert!(Mask::from_zone(&wide).is_err());
    // No centre is within the reach of a thin one, however high it is.
    let thin = Zone::ellipse([0.0, 0.5], [0.25, 1e9]).unwrap();
    assert_eq!((Mask::from_zone(&thin).unwrap().0.width(), thin.bounds()), (0, None));
}

#[test]
fn large_circles_have_exact_edges_and_tight_boxes() {
    let circle = Zone::circle([0.5, 0.5], 1e9).unwrap();
    assert!(circle.contains([0, 1_000_000_000]) && !circle.contains([1, 1_000_000_000]));
    assert!(!circle.contains([1, -1_000_000_000]) && !circle.contains([-1_000_000_000, 1]));
    let mut random = hitmask_scenes::Random::new(7);
    for round in 0..2000 {
        let radius = random.unit() * 1.2e9;
        let center = [0; 2].map(|_| random.within(-900_000_000, 900_000_000) as f32);
        let center = if round % 2 == 0 { center } else { center.map(|v| (v / 1e6).floor() + 0.25) };
        let zone = Zone::circle(center, radius).unwrap();
        // In quarters of a pixel, which hold the centre exactly.
        let fixed = |v: f32| (f64::from(v) * 4.0) as i128;
        let is_inside = |x: i64, y: i64| {
            let [dx, dy] = [(x, center[0]), (y, center[1])]
                .map(|(pixel, center)| i128::from(pixel) * 4 + 2 - fixed(center));
            dx * dx + dy * dy <= fixed(radius) * fixed(radius)
        };
        let bounds = zone.bounds().unwrap();
        for y in [bounds.y0, bounds.y0 + 1, bounds.y1 - 1, bounds.y0.midpoint(bounds.y1)] {
            let [x0, x1] = zone.row(y).unwrap();
            let row = i64::from(y);
            for (x, inside) in [(x0 - 1, false), (x0, true), (x1 - 1, true), (x1, false)] {
                assert_eq!(is_inside(x.into(), row), inside, "{center:?} {radius} {x} {y}");
            }
        }
        assert_eq!((zone.row(bounds.y0 - 1), zone.row(bounds.y1)), (None, None), "{radius}");
    }
}
