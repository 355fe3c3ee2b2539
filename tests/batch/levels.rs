//! Batches of masks that have coarse levels, against single pairs, which read pixels only.

use crate::{atlas, poses};
use hitmask::{Atlas, Certainty, Mask, MaskRef, Point, PoseId, PosePair, Simd};
use hitmask_scenes::{Random, mask_of};

/// Returns a mask of one of five shapes, each with another kind of gap: disc, ring, lumps, blade,
/// distant dots.
fn shape(kind: u32, width: u32, height: u32) -> Mask {
    let (w, h) = (i64::from(width), i64::from(height));
    let mut mask = mask_of(width, height, |x, y| {
        let [x, y] = [x, y].map(i64::from);
        let (right, down) = ((2 * x + 1 - w) * h, (2 * y + 1 - h) * w);
        let distance = right * right + down * down;
        let radius = w * w * h * h;
        match kind {
            0 => distance <= radius,
            1 => distance <= radius && distance * 4 >= radius * 3,
            2 => (x / 19 + y / 23) % 3 != 0,
            3 => (right - down).abs() < 9 * w,
            _ => x % 29 == 3 && y % 31 == 5,
        }
    });
    mask.set(0, 0, true);
    mask.set(width as i32 - 1, height as i32 - 1, true);
    mask
}

type Shown<'a> = (PoseId, MaskRef<'a>);

/// Returns pairs at offsets at which their boxes overlap or just miss each other.
fn random_pairs<'a>(shown: &[Shown<'a>], random: &mut Random, count: u32) -> Vec<[Shown<'a>; 2]> {
    (0..count).map(|_| [0, 1].map(|_| shown[random.below(shown.len() as u32) as usize])).collect()
}

fn set_pixel(mask: MaskRef<'_>, random: &mut Random) -> Point {
    loop {
        let [x, y] = [mask.width(), mask.height()].map(|side| random.within(0, side as i32));
        if mask.get(x, y) {
            return Point::new(x, y);
        }
    }
}

fn offset(a: MaskRef<'_>, b: MaskRef<'_>, random: &mut Random) -> Point {
    if random.below(2) == 0 {
        // One pixel of each mask coincides, give or take 2 px: the hardest case.
        let near = Point::new(random.within(-2, 3), random.within(-2, 3));
        return set_pixel(a, random) - set_pixel(b, random) + near;
    }
    let along = |random: &mut Random, a: u32, b: u32| random.within(-1 - b as i32, a as i32 + 1);
    // Half of the other offsets are whole cells on one or both axes.
    let cells = |v: i32, is_whole: bool| if is_whole { v.div_euclid(8) * 8 } else { v };
    let whole = random.below(4);
    let x = cells(along(random, a.width(), b.width()), whole & 1 == 1);
    Point::new(x, cells(along(random, a.height(), b.height()), whole & 2 == 2))
}

fn assert_levels_agree(atlas: &Atlas, count: u32, seed: u64) -> [usize; 3] {
    let (shown, mut random) = (poses(atlas), Random::new(seed));
    let mut pairs = Vec::new();
    let mut expected = Vec::new();
    for [(a, of_a), (b, of_b)] in random_pairs(&shown, &mut random, count) {
        let offset = offset(of_a, of_b, &mut random);
        pairs.push(PosePair { a, b, offset });
        let certainty = of_a.coarse(of_b, offset);
        let has_levels = |mask: MaskRef<'_>| mask.width().max(mask.height()) >= 240;
        assert!(has_levels(of_a) && has_levels(of_b) || certainty != Certainty::Maybe);
        assert_eq!(of_b.coarse(of_a, Point::default() - offset), certainty);
        expected.push((of_a.touches(of_b, offset), certainty));
    }
    let mut counts = [0; 3];
    for &(touches, certainty) in &expected {
        match certainty {
            Certainty::No => assert!(!touches),
            Certainty::Yes => assert!(touches),
            Certainty::Maybe => {}
        }
        counts[certainty as usize] += 1;
    }
    for simd in Simd::available() {
        let mut batch = atlas.batch().with_simd(simd);
        let mut touches = vec![false; pairs.len()];
        batch.touches(&pairs, &mut touches);
        let mut coarse = vec![Certainty::Maybe; pairs.len()];
        batch.coarse(&pairs, &mut coarse);
        let swapped: Vec<PosePair> = pairs
            .iter()
            .map(|pair| PosePair { a: pair.b, b: pair.a, offset: Point::default() - pair.offset })
            .collect();
        let mut backwards = vec![Certainty::Maybe; pairs.len()];
        batch.coarse(&swapped, &mut backwards);
        for (i, &(touch, certainty)) in expected.iter().enumerate() {
            let at = format!("{:?} with {}, seed {seed}", pairs[i], simd.name());
            assert_eq!((touches[i], coarse[i]), (touch, certainty), "{at}");
            assert_eq!(backwards[i], certainty, "backwards, {at}");
        }
    }
    counts
}

#[test]
fn levels_agree_with_pixels_at_every_size_around_cells_and_words() {
    // Without levels below 240 px; the first sizes mix with those that have some.
    let sides =
        [5, 64, 239, 240, 241, 255, 256, 257, 263, 264, 265, 319, 320, 321, 511, 512, 513, 520];
    let masks = sides.iter().enumerate().flat_map(|(i, &w)| {
        (0..5).map(move |kind| shape(kind, w, sides[(i * 7 + kind as usize * 4) % sides.len()]))
    });
    let counts = assert_levels_agree(&atlas(masks), 6000, 9);
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

#[test]
fn levels_of_masks_taller_than_64_cells_agree_with_pixels() {
    // More than 8 blocks of cells, and more than one strip of them.
    let masks = [(700, 900), (1200, 530), (40, 1500), (1500, 40)];
    let masks =
        masks.into_iter().flat_map(|(w, h)| [1, 2, 3, 4].map(move |kind| shape(kind, w, h)));
    let counts = assert_levels_agree(&atlas(masks), 1500, 10);
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}
