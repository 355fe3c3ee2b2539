//! Queries of a large runtime mask, which decide by the part near the question, against a test of
//! every pixel.

use hitmask::{
    Accuracy, AtlasBuilder, Collider, ColliderId, ColliderShape, Filter, Mask, Pivot, Point, Rect,
    World, reference,
};
use hitmask_scenes::{Random, Terrain, open, pixels};

fn world_of(terrain: &Mask, at: Point) -> (World, ColliderId) {
    let mut world = World::new(open(&AtlasBuilder::new().mask("a", Mask::disc(9).unwrap())));
    let mask = world.masks_mut().insert(terrain.clone(), Pivot::HalfTexels(0, 0)).unwrap();
    let at = [at.x as f32, at.y as f32];
    let id = world.insert(Collider::from_mask(mask).at(at).fixed()).unwrap();
    world.update();
    (world, id)
}

#[test]
fn the_distance_from_a_point_to_terrain_is_that_of_its_nearest_pixel() {
    let mut dots = Mask::new(700, 500).unwrap();
    for (x, y) in [(3, 3), (640, 20), (64, 311), (127, 499), (699, 0)] {
        dots.set(x, y, true);
    }
    let corner = Point::new(-37, 21);
    let mut small = Mask::new(127, 90).unwrap();
    small.set(126, 3, true);
    small.set(5, 80, true);
    let masks = [Terrain::Hills.mask(520), Terrain::Islands.mask(600), dots, small];
    let mut random = Random::new(4);
    for terrain in masks {
        let (world, id) = world_of(&terrain, corner);
        let all = pixels(terrain.as_ref());
        for i in 0..150 {
            let at = [0; 2].map(|_| random.unit() * 1100.0 - 250.0);
            let at = if i % 3 == 0 { at.map(f32::floor) } else { at };
            let square = |p: &Point| {
                let [x, y] = [f64::from(p.x + corner.x), f64::from(p.y + corner.y)];
                let (dx, dy) = (x + 0.5 - f64::from(at[0]), y + 0.5 - f64::from(at[1]));
                dx * dx + dy * dy
            };
            let truth = all.iter().map(square).fold(f64::INFINITY, f64::min).sqrt();
            let found = world.nearest(at, 1e6, Filter::ALL).unwrap();
            assert_eq!(found, Some((id, truth)), "{at:?}");
            let endless = world.pick(at, 1e9, Filter::ALL, |_| 0).unwrap();
            assert_eq!(endless, Some(id), "{at:?}");
            for within in [random.unit() * 400.0, truth as f32 - 0.25, truth as f32 + 0.25] {
                let within = within.max(0.0);
                let expected = found.filter(|_| truth <= f64::from(within));
                assert_eq!(world.nearest(at, within, Filter::ALL).unwrap(), expected, "{at:?}");
                let picked = world.pick(at, within, Filter::ALL, |_| 0).unwrap();
                assert!(truth < 1.0 || picked.is_some() == expected.is_some(), "{at:?} {within}");
            }
        }
    }
}

#[test]
fn the_nearest_collider_is_found_only_within_the_limit() {
    let terrain = Terrain::Islands.mask(900);
    let (mut world, ground) = world_of(&terrain, Point::default());
    let sprite = world.atlas().sprite_id("a").unwrap();
    let id = world.insert(Collider::new(sprite)).unwrap();
    let mut random = Random::new(4);
    for _ in 0..100 {
        world.move_to(id, [0; 2].map(|_| random.unit() * 1500.0 - 300.0)).unwrap();
        let distance = world.pair([id, ground]).and_then(|pair| pair.distance()).unwrap();
        for within in [0.0, random.unit() * 300.0, distance as f32 - 0.1, distance as f32 + 0.1] {
            let within = within.max(0.0);
            let expected = Some((ground, distance)).filter(|_| distance <= f64::from(within));
            assert_eq!(world.nearest_to(id, within, Filter::ALL).unwrap(), expected, "{within}");
        }
    }
}

#[test]
fn a_single_obstacle_is_left_by_the_shortest_translation_within_the_radius() {
    let terrain = Terrain::Hills.mask(400);
    let (mut world, _) = world_of(&terrain, Point::default());
    let sprite = world.atlas().sprite_id("a").unwrap();
    let id = world.insert(Collider::new(sprite)).unwrap();
    let mut random = Random::new(4);
    let mut deep = 0;
    for _ in 0..60 {
        world.move_to(id, [0; 2].map(|_| random.within(0, 260) as f32)).unwrap();
        let posed = world.posed(id).unwrap();
        let (mask, at) = (posed.mask.to_mask(), posed.origin);
        let offset = Point::new(-at.x, -at.y);
        let truth = reference::push_out(mask.as_ref(), terrain.as_ref(), offset);
        let truth = truth.unwrap_or_default();
        let square = truth.x * truth.x + truth.y * truth.y;
        deep += i32::from(square > 256);
        for radius in [0, 1, 16, 17, 40, 1000] {
            let expected = Some(truth).filter(|_| square <= radius * radius);
            let by = world.push_out(id, radius as f32, Filter::SOLID).unwrap();
            let expected_px = expected.map(|by| [by.x as f32, by.y as f32]);
            assert_eq!(by, expected_px, "{at:?} {radius}");
            let others = Filter { except: Some(id), ..Filter::ALL };
            let found = world.probe(&mask, at).push_out(radius as u32, others);
            assert_eq!(found, expected, "{at:?} {radius}");
        }
    }
    assert!(deep > 10, "{deep}");
}

#[test]
fn a_mask_finds_boxes_that_its_pixels_reach() {
    let terrain = Terrain::Islands.mask(300);
    let (world, id) = world_of(&terrain, Point::new(50, 60));
    let rect = world.rect(id).unwrap();
    let boxes = Filter { accuracy: Accuracy::Box, ..Filter::ALL };
    let ring = {
        let mut ring = Mask::disc(30).unwrap();
        ring.erase(&Mask::disc(25).unwrap(), [5, 5]);
        ring
    };
    let mut filled = Mask::new(rect.width(), rect.height()).unwrap();
    filled.fill();
    for y in (rect.y0 - 70..rect.y1 + 10).step_by(7) {
        for x in (rect.x0 - 70..rect.x1 + 10).step_by(5) {
            let touches = ring.touches(&filled, [rect.x0 - x, rect.y0 - y]);
            assert_eq!(world.probe(&ring, [x, y]).touching(boxes).len(), usize::from(touches));
        }
    }
}

#[test]
fn the_box_of_an_edited_terrain_is_tight() {
    let (mut world, id) = world_of(&Terrain::Hills.mask(300), Point::default());
    let ColliderShape::Mask(mask) = world.get(id).unwrap().shape else { panic!("a runtime mask") };
    let mut random = Random::new(4);
    for _ in 0..40 {
        let rect = [0; 4].map(|_| random.within(-20, 320));
        let [x0, y0, x1, y1] = rect;
        let area = Rect::new(x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1));
        world.masks_mut().edit(mask, |mask| mask.fill_rect(area, random.below(4) == 0));
        let all = pixels(world.mask(mask).unwrap().as_ref());
        let end = |side: fn(&Point) -> i32| all.iter().map(side).max().map(|end| end + 1);
        let start = |side: fn(&Point) -> i32| all.iter().map(side).min();
        let tight =
            (|| Some(Rect::new(start(|p| p.x)?, start(|p| p.y)?, end(|p| p.x)?, end(|p| p.y)?)))();
        assert_eq!(world.rect(id), Some(tight.unwrap_or_default()));
    }
}
