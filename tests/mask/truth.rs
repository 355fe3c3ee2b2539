//! Masks to ask, and pixels one by one.

use hitmask::{Connectivity, Mask, MaskRef};
use hitmask_scenes::Random;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

pub(crate) type Pixel = (i32, i32);

/// Noise of a density that the seed picks, from one pixel in 64 to nearly all; every other seed
/// gives lumps instead, as art has them.
pub(crate) fn random_mask(width: u32, height: u32, seed: u64) -> Mask {
    let mut random = Random::new(seed);
    let mut mask = Mask::new(width, height).unwrap();
    let density = [1, 4, 32, 60][random.below(4) as usize];
    let lumps: Vec<[i32; 3]> = (0..6)
        .map(|_| {
            let [x, y] = [width, height].map(|side| random.within(0, side as i32 + 1));
            [x, y, random.within(1, 12)]
        })
        .collect();
    for y in 0..height {
        for x in 0..width {
            let near = |[cx, cy, r]: [i32; 3]| {
                let (dx, dy) = (x as i32 - cx, y as i32 - cy);
                dx * dx + dy * dy <= r * r
            };
            let rings = lumps.iter().filter(|&&lump| near(lump)).count();
            let solid =
                if seed.is_multiple_of(2) { random.below(64) < density } else { rings % 2 == 1 };
            mask.set(x as i32, y as i32, solid);
        }
    }
    mask
}

/// Masks of every edge size, of any size, and without pixels.
pub(crate) fn masks() -> impl Strategy<Value = Mask> {
    let side = prop_oneof![
        3 => 1_u32..40,
        2 => 60_u32..70,
        1 => 120_u32..200,
        1 => Just(0_u32),
    ];
    (side.clone(), side, any::<u64>()).prop_map(|(w, h, seed)| random_mask(w, h, seed))
}

/// The mask as it is and upside down, as an atlas may hand it out.
pub(crate) fn views(mask: &Mask) -> [MaskRef<'_>; 2] {
    [mask.as_ref(), mask.as_ref().flip_y()]
}

pub(crate) fn pixels(mask: MaskRef<'_>) -> BTreeSet<Pixel> {
    let all = (0..mask.height() as i32).flat_map(|y| (0..mask.width() as i32).map(move |x| (x, y)));
    all.filter(|&(x, y)| mask.get(x, y)).collect()
}

/// A mask of this size with the pixels that `solid` picks.
pub(crate) fn drawn(width: u32, height: u32, solid: impl Fn(i32, i32) -> bool) -> Mask {
    let mut mask = Mask::new(width, height).unwrap();
    for y in 0..height {
        for x in 0..width {
            mask.set(x as i32, y as i32, solid(x as i32, y as i32));
        }
    }
    mask
}

/// Nothing but pixels inside the mask: what is compared with a mask drawn pixel by pixel shows
/// padding and guards that are not zero.
pub(crate) fn assert_same(got: &Mask, expected: &Mask, what: &str) {
    assert_eq!((got.width(), got.height()), (expected.width(), expected.height()), "size, {what}");
    assert!(got == expected, "{what}: got\n{got}expected\n{expected}");
    assert_eq!(got.count(), pixels(got.as_ref()).len() as u64, "padding, {what}");
}

pub(crate) fn neighbours(connectivity: Connectivity, (x, y): Pixel) -> Vec<Pixel> {
    let mut all = vec![(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
    if connectivity == Connectivity::Eight {
        all.extend([(x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)]);
    }
    all
}

/// The connected sets of these pixels, in order of their first pixel, row by row.
pub(crate) fn flooded(
    pixels: &BTreeSet<Pixel>,
    connectivity: Connectivity,
) -> Vec<BTreeSet<Pixel>> {
    let mut seen: HashMap<Pixel, usize> = HashMap::new();
    let mut parts: Vec<BTreeSet<Pixel>> = Vec::new();
    let mut in_order: Vec<Pixel> = pixels.iter().copied().collect();
    in_order.sort_by_key(|&(x, y)| (y, x));
    for first in in_order {
        if seen.contains_key(&first) {
            continue;
        }
        let index = parts.len();
        parts.push(BTreeSet::new());
        let mut open = vec![first];
        while let Some(pixel) = open.pop() {
            if seen.insert(pixel, index).is_none() {
                parts[index].insert(pixel);
                let next = neighbours(connectivity, pixel).into_iter();
                open.extend(next.filter(|p| pixels.contains(p) && !seen.contains_key(p)));
            }
        }
    }
    parts
}

/// The clear pixels round and in a mask, one ring more than its box.
pub(crate) fn background(mask: MaskRef<'_>) -> BTreeSet<Pixel> {
    let all =
        (-1..=mask.height() as i32).flat_map(|y| (-1..=mask.width() as i32).map(move |x| (x, y)));
    all.filter(|&(x, y)| !mask.get(x, y)).collect()
}
