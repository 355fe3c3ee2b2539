//! Capabilities of classic systems: the answers about two overlapping objects, and their precision.

use crate::solid;
use hitmask::{AtlasBuilder, BuildFault, CallError, Collider, Pair, Point, Rect, World};
use hitmask_scenes::{Random, named, open};

#[test]
fn random_masks_answer_the_same_in_both_orders() {
    let masks = ["hull", "ring", "diagonal", "frame", "dot"].map(|name| named(name).mask());
    let mut random = Random::new(37);
    for _ in 0..400 {
        let mut pick = || masks[random.below(5) as usize].as_ref();
        let (a, b) = (pick(), pick());
        let (a, b) = if random.below(3) == 0 { (a.flip_y(), b) } else { (a, b) };
        // Boxes are at most 9 px apart, so that distances and grazes differ.
        let within = |a: u32, b: u32| (-(b as i32) - 9, a as i32 + 9);
        let (x, y) = (within(a.width(), b.width()), within(a.height(), b.height()));
        let at = Point::new(random.within(x.0, x.1), random.within(y.0, y.1));
        let back = Point::default() - at;
        assert_eq!(a.distance(b, at), b.distance(a, back), "{at:?}");
        assert_eq!(a.overlap_area(b, at), b.overlap_area(a, back));
        for radius in [0, 1, 7, 20] {
            assert_eq!(a.graze(b, at, radius), b.graze(a, back, radius), "{at:?} {radius}");
        }
        let swapped = b.contact(a, back).map(|c| (c.area, c.rect.translated(at), c.point + at));
        assert_eq!(a.contact(b, at).map(|c| (c.area, c.rect, c.point)), swapped);
    }
}

#[test]
fn the_resolution_sets_the_precision_of_the_pixel_rectangle() {
    // The lower right of a is clear, so the pixel rectangle is smaller than the box.
    let (mut notched, square) = (solid(20, 20), solid(20, 20));
    notched.fill_rect(Rect::new(8, 16, 20, 20), false);
    let rects = |factor: f32| {
        let bake = AtlasBuilder::new().resolution(factor).mask("a", notched.clone());
        let atlas = open(&bake.mask("b", square.clone()));
        let [a, b] = ["a", "b"].map(|name| atlas.sprite_id(name).unwrap());
        let mut world = World::new(atlas);
        let a = world.insert(Collider::new(a)).unwrap();
        let b = world.insert(Collider::new(b).at([14.25, 14.5])).unwrap();
        // The pixel count, and with it the cost, grows with the square of the resolution.
        assert_eq!(world.posed(b).unwrap().mask.count() as f32, (20.0 * factor).powi(2));
        let boxes = world.rect(a).unwrap().intersection(world.rect(b).unwrap()).unwrap();
        let pixels = world.contact(Pair { a, b }).unwrap().rect;
        // Converts pixels of the mask back to position units.
        [boxes, pixels].map(|r| [r.x0, r.y0, r.x1, r.y1].map(|v| v as f32 / factor))
    };
    assert_eq!(rects(4.0), [[4.25, 4.5, 10.0, 10.0], [4.25, 4.5, 10.0, 6.0]], "exact to 1/4 unit");
    assert_eq!(rects(2.0), [[4.5, 4.5, 10.0, 10.0], [4.5, 4.5, 10.0, 6.0]]);
    assert_eq!(rects(1.0), [[4.0, 5.0, 10.0, 10.0], [4.0, 5.0, 10.0, 6.0]]);
    assert_eq!(rects(0.5), [[4.0, 4.0, 10.0, 10.0], [4.0, 4.0, 10.0, 6.0]], "exact to 2 units");
}

#[test]
fn an_invalid_resolution_is_an_error() {
    for bad in [0.0, -1.0, f32::NAN, 3.0] {
        let result = AtlasBuilder::new().resolution(bad).mask("a", solid(4, 4)).to_bytes();
        let reported = match result.unwrap_err().fault {
            BuildFault::Settings(Some(CallError::Number { name: "resolution", value, .. })) => {
                value
            }
            other => panic!("{bad}: {other:?}"),
        };
        assert_eq!(reported.to_bits(), bad.to_bits(), "the given value");
    }
}
