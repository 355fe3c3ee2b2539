//! Lines and rays: in any direction, and of extreme length.

use crate::{SIDE, crowd};
use hitmask::{Filter, Line, Rect, Zone};

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
