//! Public arithmetic at the limits of i32: results saturate, and nothing overflows.

use crate::solid;
use hitmask::{
    BoxTree, Connectivity, Contact, Line, Mask, PixelPath, Point, Posed, PosedRef, Rect, ScanOrder,
    Zone,
};

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
        let line = Line { from: a, path };
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
            assert_eq!(one.overlap_at_least(1, other, offset), touches);
            assert_eq!(one.overlap_rect(other, offset).is_some(), touches);
            assert_eq!(one.overlap_pixels(other, offset).next().is_some(), touches);
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
        tree.query_point(at, &mut found);
        let truth = boxes.iter().filter(|rect| rect.contains(at)).count();
        assert_eq!(found.len(), truth, "{at:?}");
        let _ = tree.nearest(at, u32::MAX);
    }
}
