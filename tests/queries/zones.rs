//! Points, rectangles, circles, ellipses and lines, against each of their pixels.

use crate::{SIDE, crowd, filters, has, shown};
use hitmask::{ColliderId, Line, Mask, Point, Rect, Zone};
use hitmask_scenes::Random;

#[test]
fn every_query_finds_the_colliders_with_a_pixel_in_its_zone() {
    for seed in 0..3 {
        let world = crowd(seed);
        let mut random = Random::new(seed + 100);
        let mut found_any = 0;
        for _ in 0..25 {
            let mut at = || [random.unit() * SIDE, random.unit() * SIDE];
            let (a, b) = (at(), at());
            let radii = [random.unit() * 40.0, random.unit() * 90.0];
            let corner = Point::new(a[0] as i32, a[1] as i32);
            let rect = Rect::new(corner.x, corner.y, corner.x + radii[0] as i32, corner.y + 30);
            let line = Line::new(a, b).unwrap();
            for filter in filters() {
                let zones = [
                    Zone::point(a).unwrap(),
                    Zone::rect(rect),
                    Zone::circle(a, radii[0]).unwrap(),
                    Zone::ellipse(b, radii).unwrap(),
                    Zone::line(line),
                ];
                for zone in zones {
                    let answer = world.query(&zone, filter).unwrap();
                    let pixels: Vec<Point> = zone
                        .bounds()
                        .iter()
                        .flat_map(|r| {
                            (r.y0..r.y1)
                                .flat_map(move |y| (r.x0..r.x1).map(move |x| Point::new(x, y)))
                        })
                        .filter(|p| zone.contains(*p))
                        .collect();
                    let truth: Vec<ColliderId> = shown(&world, filter)
                        .into_iter()
                        .filter(|(_, posed)| pixels.iter().any(|&p| has(posed, p)))
                        .map(|(id, _)| id)
                        .collect();
                    assert_eq!(answer, truth, "{zone:?}");
                    assert_eq!(world.query(&zone, filter).unwrap(), truth, "{zone:?}");
                    found_any += truth.len();
                    // A mask of the zone gives the same answer.
                    let (mask, corner) = Mask::from_zone(&zone).unwrap();
                    assert_eq!(
                        world.probe(&mask, corner).touching(filter),
                        truth,
                        "{zone:?} as a mask"
                    );
                    assert_eq!(mask.count(), pixels.len() as u64);
                }
                // The hits along the line, in order.
                let mut truth = Vec::new();
                for (id, posed) in shown(&world, filter) {
                    let step = line.pixels().position(|p| has(&posed, p));
                    truth.extend(step.map(|step| (step as u32, id)));
                    let on: Vec<Point> = line.pixels().filter(|&p| has(&posed, p)).collect();
                    assert_eq!(posed.mask.line_hits(&line, posed.origin).collect::<Vec<_>>(), on);
                }
                truth.sort_unstable();
                let hits = world.ray_all(&line, filter).unwrap();
                assert_eq!(hits.iter().map(|(id, hit)| (hit.step, *id)).collect::<Vec<_>>(), truth);
                let first = world.ray(&line, filter).unwrap();
                assert_eq!(first.map(|(id, hit)| (hit.step, id)), truth.first().copied());
                for (id, hit) in hits {
                    assert_eq!(hit.point, line.pixels().nth(hit.step as usize).unwrap());
                    assert!((hit.normal.x.hypot(hit.normal.y) - 1.0).abs() < 1e-6);
                    // The normal points away from the set pixels around the hit, if they have a
                    // direction.
                    let posed = world.posed(id).unwrap();
                    let around = (-3..=3).flat_map(|y| (-3..=3).map(move |x| Point::new(x, y)));
                    let set = around.filter(|&by| has(&posed, hit.point + by));
                    let (x, y) = set.fold((0, 0), |(x, y), by| (x - by.x, y - by.y));
                    if (x, y) != (0, 0) {
                        let (x, y) = (f64::from(x), f64::from(y));
                        let truth = [x, y].map(|v| (v / x.hypot(y)) as f32);
                        assert!((hit.normal.x - truth[0]).abs() < 1e-6, "{hit:?} {truth:?}");
                        assert!((hit.normal.y - truth[1]).abs() < 1e-6, "{hit:?} {truth:?}");
                    }
                }
            }
        }
        assert!(found_any > 200, "only {found_any} colliders found");
    }
}
