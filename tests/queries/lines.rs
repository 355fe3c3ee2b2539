//! Lines and rays: slanted, in any direction, and of extreme length.

use crate::{SIDE, crowd};
use hitmask::{AtlasBuilder, Collider, Filter, Line, Mask, PixelPath, Point, Rect, World, Zone};
use hitmask_scenes::open;

#[test]
fn a_slanted_line_hits_the_dots_on_its_pixels_and_none_beside() {
    let bake = AtlasBuilder::new().mask("dot", "#".parse::<Mask>().unwrap());
    let atlas = open(&bake);
    let dot = Collider::new(atlas.sprite_id("dot").unwrap());
    for to in [[900, 350], [-350, 901], [601, -599], [-777, -112], [300, 300]] {
        let line = Line::along(Point::new(3, -5), PixelPath::new(to));
        let mut world = World::new(atlas.clone());
        for Point { x, y } in line.pixels() {
            for beside in [[0, 0], [2, -2], [-2, 2]] {
                let at = [x + beside[0], y + beside[1]].map(|v| v as f32);
                world.insert(dot.at(at)).unwrap();
            }
        }
        let on: Vec<Point> = line.pixels().collect();
        for _ in 0..2 {
            // The first round, before an update, tests every collider; the second uses the index.
            let hits = world.ray_all(&line, Filter::ALL).unwrap();
            let mut met: Vec<Point> = hits.iter().map(|(_, hit)| hit.point).collect();
            met.dedup();
            assert_eq!(met, on, "{to:?}");
            assert!(hits.iter().all(|(id, hit)| world.rect(*id).unwrap().contains(hit.point)));
            assert_eq!(world.ray(&line, Filter::ALL).unwrap().unwrap().1.step, 0);
            world.update();
        }
    }
}

#[test]
fn the_length_of_a_ray_does_not_depend_on_its_direction_vector() {
    let line = Line::new([1.0, 2.0], [7.0, -6.0]).unwrap();
    for direction in [[3.0, -4.0], [0.375, -0.5], [0.6, -0.8]] {
        assert_eq!(Line::ray([1.0, 2.0], direction, 10.0), Ok(line), "{direction:?}");
    }
    assert_eq!(Zone::line(line).bounds(), Some(Rect::new(1, -6, 8, 3)));
}

#[test]
fn an_endless_ray_gives_the_first_hit_of_all_hits() {
    let mut world = crowd(3);
    world.update();
    let mut met = 0;
    for i in 0..400 {
        let from = [SIDE * (i % 20) as f32 / 20.0, SIDE * (i / 20) as f32 / 20.0];
        let (x, y) = (i as f32).sin_cos();
        let [short, endless] = [2000.0, 1e9].map(|l| Line::ray(from, [x, y], l).unwrap());
        // The pixels within the scene may differ, because an f32 direction deviates over so long a
        // line.
        let hit = world.ray(&endless, Filter::ALL).unwrap();
        met += usize::from(hit.is_some());
        let truth = world.ray_all(&endless, Filter::ALL).unwrap().first().copied();
        assert_eq!(hit, truth);
        assert_eq!(
            world.ray(&short, Filter::ALL).unwrap().is_some(),
            hit.is_some(),
            "{from:?} {x} {y}"
        );
    }
    assert!(met > 200, "{met}");
}
