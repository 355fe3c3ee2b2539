//! Distances, pushes and lines on masks much larger than the part that decides, against a test of
//! every pixel.

use hitmask::{Line, Mask, MaskRef, PixelPath, Point, Rect, Zone, reference};
use hitmask_scenes::{Random, Terrain, pixels};
use proptest::prelude::*;

/// Returns a large mask: a few dots, or ground with holes below row `height / 3`.
fn large(width: u32, height: u32, seed: u64) -> Mask {
    let mut random = Random::new(seed);
    let mut mask = Mask::new(width, height).unwrap();
    let (w, h) = (width as i32, height as i32);
    let place = |random: &mut Random| [random.within(0, w), random.within(0, h)];
    if random.below(2) == 0 {
        for _ in 0..random.below(6) {
            let [x, y] = place(&mut random);
            mask.set(x, y, true);
        }
    } else {
        mask.fill_rect(Rect::new(0, h / 3, w, h), true);
        for _ in 0..8 {
            let hole = Mask::disc(random.below(40)).unwrap();
            mask.erase(&hole, place(&mut random));
        }
    }
    mask
}

/// Returns a small mask: solid or the corners alone.
fn small(width: u32, height: u32, solid: bool) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    let (w, h) = (width as i32, height as i32);
    mask.fill_rect(Rect::new(0, 0, w, h), true);
    if !solid {
        mask.fill_rect(Rect::new(1, 0, w - 1, h), false);
        mask.fill_rect(Rect::new(0, 1, w, h - 1), false);
    }
    mask
}

/// Returns the pixels of a mask that have a clear pixel beside them: the nearest is one of them.
fn border(mask: MaskRef<'_>) -> Vec<Point> {
    let mut border = pixels(mask);
    border.retain(|p| {
        [[0, 1], [1, 0], [0, -1], [-1, 0]].iter().any(|[x, y]| !mask.get(p.x + x, p.y + y))
    });
    border
}

/// Returns the shortest translation that makes one pixel of each mask meet, by length, then top,
/// then left.
fn nearest(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point) -> Option<Point> {
    if a.touches(b, offset) {
        return Some(Point::default());
    }
    let (ours, theirs) = (border(a), border(b));
    let by = ours.iter().flat_map(|p| theirs.iter().map(move |q| *q + offset - *p));
    by.min_by_key(|by| {
        let [x, y] = [by.x, by.y].map(i64::from);
        (x * x + y * y, y, x)
    })
}

fn flipped(mask: &Mask, flip: bool) -> MaskRef<'_> {
    if flip { mask.as_ref().flip_y() } else { mask.as_ref() }
}

fn sides() -> impl Strategy<Value = u32> {
    prop_oneof![186_u32..200, 250_u32..262, 500_u32..520]
}

#[test]
fn noise_is_left_by_the_shortest_translation() {
    // About 35 runs per row: more than are searched as layers.
    let noise = Terrain::Noise.mask(140);
    let mut holes = noise.clone();
    holes.erase(&Mask::disc(14).unwrap(), [20, 70]);
    holes.erase(&Mask::disc(9).unwrap(), [90, 31]);
    for ground in [&noise, &holes] {
        for radius in [0, 3, 8] {
            let mover = Mask::disc(radius).unwrap();
            for (x, y) in [(-1, -1), (4, 60), (50, 66), (70, 20), (131, 139), (90, 100)] {
                for flip in [false, true] {
                    let (a, b) = (mover.as_ref(), flipped(ground, flip));
                    let (there, back) = (Point::new(-x, -y), Point::new(x, y));
                    let expected = reference::push_out(a, b, there);
                    assert_eq!(a.push_out(b, there), expected, "{radius} {x} {y}");
                    assert_eq!(b.push_out(a, back), reference::push_out(b, a, back));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_nearest_contact_with_a_large_mask_is_that_of_the_nearest_pixels(
        (width, height, seed) in (sides(), sides(), any::<u64>()),
        (w, h, solid) in (1_u32..70, 1_u32..70, any::<bool>()),
        (x, y) in (-700_i32..700, -700_i32..700),
        (flip_a, flip_b) in any::<(bool, bool)>(),
    ) {
        let (a, b) = (large(width, height, seed), small(w, h, solid));
        let (a, b) = (flipped(&a, flip_a), flipped(&b, flip_b));
        let offset = Point::new(x, y);
        prop_assert_eq!(a.nearest(b, offset), nearest(a, b, offset));
        let back = Point::new(-x, -y);
        prop_assert_eq!(b.nearest(a, back), nearest(b, a, back));
    }

    #[test]
    fn a_push_along_a_direction_ends_at_the_first_free_pixel(
        (width, height, seed) in (sides(), sides(), any::<u64>()),
        (w, h, solid) in (1_u32..70, 1_u32..70, any::<bool>()),
        (x, y) in (0_i32..500, 0_i32..500),
        (dx, dy) in (-9_i32..9, -9_i32..9),
        flip in any::<bool>(),
    ) {
        let (a, b) = (small(w, h, solid), large(width, height, seed));
        let b = flipped(&b, flip);
        let offset = Point::new(-x, -y);
        let long = PixelPath::new([dx * 2000, dy * 2000]);
        let free = long.pixels().find(|p| !a.touches(b, offset - *p));
        let expected = free.filter(|_| (dx, dy) != (0, 0) && a.touches(b, offset));
        prop_assert_eq!(a.push_along(b, offset, [dx, dy]), expected);
    }

    #[test]
    fn a_line_meets_the_first_of_its_pixels_that_is_set(
        (width, height, seed) in (sides(), sides(), any::<u64>()),
        ends in any::<[u32; 4]>(), kind in 0_u32..4, flip in any::<bool>(),
        (x, y) in (-90_i32..90, -90_i32..90),
    ) {
        let mask = large(width, height, seed);
        let mask = flipped(&mask, flip);
        let [x0, y0, x1, y1] = ends.map(|end| (end % 900) as i32 - 200);
        let motion = match kind {
            0 => Point::new(x1, 0),
            1 => Point::new(0, y1),
            _ => Point::new(x1, y1),
        };
        let line = Line::along(Point::new(x0, y0), PixelPath::new(motion));
        let all = (0..).zip(line.pixels());
        let first = all.filter(|(_, p)| mask.get(p.x - x, p.y - y)).map(|(step, _)| step).next();
        prop_assert_eq!(mask.first_line_hit(&line, [x, y]).map(|hit| hit.step), first);
    }

    #[test]
    fn a_zone_is_touched_if_one_of_its_pixels_is_set(
        (width, height, seed) in (sides(), sides(), any::<u64>()),
        (cx, cy) in (-60.0_f32..560.0, -60.0_f32..560.0),
        (rx, ry) in (0.0_f32..90.0, 0.0_f32..90.0),
    ) {
        let mask = large(width, height, seed);
        let zone = Zone::ellipse([cx, cy], [rx, ry]).unwrap();
        let is_in = |p: &Point| zone.row(p.y).is_some_and(|[x0, x1]| (x0..x1).contains(&p.x));
        let expected = pixels(mask.as_ref()).iter().any(is_in);
        prop_assert_eq!(mask.touches_zone(&zone, [0, 0]), expected);
    }
}
