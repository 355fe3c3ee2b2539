//! Random masks and per-pixel helpers for the tests of this folder.

use hitmask::{Connectivity, Mask, MaskRef};
use hitmask_scenes::{Random, mask_of};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};

pub(crate) type Pixel = (i32, i32);

/// Returns a random mask of this size.
///
/// An even seed gives noise with 1 in 64 to 60 in 64 pixels set. An odd seed gives overlapping
/// discs, which are closer to art.
pub(crate) fn random_mask(width: u32, height: u32, seed: u64) -> Mask {
    let mut random = Random::new(seed);
    let density = [1, 4, 32, 60][random.below(4) as usize];
    let discs: Vec<[i32; 3]> = (0..6)
        .map(|_| {
            let [x, y] = [width, height].map(|side| random.within(0, side as i32 + 1));
            [x, y, random.within(1, 12)]
        })
        .collect();
    mask_of(width, height, |x, y| {
        let is_inside = |[cx, cy, r]: [i32; 3]| (x - cx).pow(2) + (y - cy).pow(2) <= r * r;
        let depth = discs.iter().filter(|&&disc| is_inside(disc)).count();
        if seed.is_multiple_of(2) { random.below(64) < density } else { depth % 2 == 1 }
    })
}

/// Generates masks with sides below and around 64 and 128 px, and without pixels.
pub(crate) fn masks() -> impl Strategy<Value = Mask> {
    let side = prop_oneof![
        3 => 1_u32..40,
        2 => 60_u32..70,
        1 => 120_u32..200,
        1 => Just(0_u32),
    ];
    (side.clone(), side, any::<u64>()).prop_map(|(w, h, seed)| random_mask(w, h, seed))
}

/// Returns the mask unflipped and flipped vertically. An atlas gives out masks of both kinds.
pub(crate) fn views(mask: &Mask) -> [MaskRef<'_>; 2] {
    [mask.as_ref(), mask.as_ref().flip_y()]
}

pub(crate) fn pixels(mask: MaskRef<'_>) -> BTreeSet<Pixel> {
    let all = (0..mask.height() as i32).flat_map(|y| (0..mask.width() as i32).map(move |x| (x, y)));
    all.filter(|&(x, y)| mask.get(x, y)).collect()
}

/// Asserts that two masks are equal and that `got` has no bits outside its pixels.
///
/// A popcount above the number of set pixels shows padding or guard bits that are not zero.
pub(crate) fn assert_same(got: &Mask, expected: &Mask, what: &str) {
    assert_eq!((got.width(), got.height()), (expected.width(), expected.height()), "size, {what}");
    assert!(got == expected, "{what}: got\n{got}expected\n{expected}");
    assert_eq!(got.count(), pixels(got.as_ref()).len() as u64, "padding, {what}");
}

/// Returns the 4 or 8 adjacent pixels.
pub(crate) fn neighbours(connectivity: Connectivity, (x, y): Pixel) -> Vec<Pixel> {
    let mut all = vec![(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
    if connectivity == Connectivity::Eight {
        all.extend([(x + 1, y + 1), (x - 1, y + 1), (x + 1, y - 1), (x - 1, y - 1)]);
    }
    all
}

/// Returns the connected components of a set of pixels by flood fill.
///
/// Components are sorted by their first pixel in row order.
pub(crate) fn flood_components(
    pixels: &BTreeSet<Pixel>,
    connectivity: Connectivity,
) -> Vec<BTreeSet<Pixel>> {
    let mut component_of: HashMap<Pixel, usize> = HashMap::new();
    let mut parts: Vec<BTreeSet<Pixel>> = Vec::new();
    let mut in_order: Vec<Pixel> = pixels.iter().copied().collect();
    in_order.sort_by_key(|&(x, y)| (y, x));
    for first in in_order {
        if component_of.contains_key(&first) {
            continue;
        }
        let index = parts.len();
        parts.push(BTreeSet::new());
        let mut open = vec![first];
        while let Some(pixel) = open.pop() {
            if component_of.insert(pixel, index).is_none() {
                parts[index].insert(pixel);
                let next = neighbours(connectivity, pixel).into_iter();
                open.extend(next.filter(|p| pixels.contains(p) && !component_of.contains_key(p)));
            }
        }
    }
    parts
}

/// Returns the clear pixels of a mask, including a ring of 1 px around its box.
pub(crate) fn background(mask: MaskRef<'_>) -> BTreeSet<Pixel> {
    let all =
        (-1..=mask.height() as i32).flat_map(|y| (-1..=mask.width() as i32).map(move |x| (x, y)));
    all.filter(|&(x, y)| !mask.get(x, y)).collect()
}
