//! Masks with the largest sides, at offsets up to those sides, against their lists of set pixels.

use crate::{ORDERS, atlas, poses};
use hitmask::{Certainty, MAX_SIDE, MaskRef, Point, PoseId, PosePair, Simd};
use hitmask_scenes::{LARGE_SIZES, Random, first_of, is_contact_of, pixels, shared_pixels, sparse};
use std::collections::HashSet;

/// A pose, its mask and the set pixels.
struct Shown<'a> {
    id: PoseId,
    mask: MaskRef<'a>,
    pixels: Vec<Point>,
    set: HashSet<Point>,
}

impl<'a> Shown<'a> {
    fn new((id, mask): (PoseId, MaskRef<'a>)) -> Self {
        let pixels = pixels(mask);
        Self { id, mask, set: pixels.iter().copied().collect(), pixels }
    }

    fn size(&self) -> [i32; 2] {
        [self.mask.width(), self.mask.height()].map(u32::cast_signed)
    }
}

/// Returns offsets of `b` at which a pixel of both coincides, give or take 1 px, and those at which
/// only corners of the boxes overlap or just miss each other.
fn offsets(a: &Shown<'_>, b: &Shown<'_>, random: &mut Random) -> Vec<Point> {
    let pick = |of: &Shown<'_>, random: &mut Random| {
        of.pixels[random.below(of.pixels.len() as u32) as usize]
    };
    let mut offsets: Vec<Point> = (0..6)
        .map(|i| {
            let jitter = if i < 3 {
                Point::default()
            } else {
                Point::new(random.within(-1, 2), random.within(-1, 2))
            };
            pick(a, random) - pick(b, random) + jitter
        })
        .collect();
    let ([aw, ah], [bw, bh]) = (a.size(), b.size());
    let corner = random.below(4);
    let x = if corner & 1 == 0 { aw - 1 } else { 1 - bw };
    let y = if corner & 2 == 0 { ah - 1 } else { 1 - bh };
    offsets.extend([
        Point::new(x, y),
        Point::new(x + x.signum(), y),
        Point::new(x, y + y.signum()),
    ]);
    offsets
}

/// Seed of the masks and the offsets.
const SEED: u64 = 71;

/// Returns the first pixels at which two lists differ: found and expected.
fn first_other(found: &[Point], expected: &[Point]) -> Option<[Option<Point>; 2]> {
    let pairs = (0..found.len().max(expected.len()))
        .map(|i| [found.get(i).copied(), expected.get(i).copied()]);
    pairs.into_iter().find(|[found, expected]| found != expected)
}

#[test]
fn masks_with_the_largest_sides_are_answered_at_every_offset() {
    let mut random = Random::new(SEED);
    let sizes = LARGE_SIZES.into_iter().chain([[5, 7], [300, 300], [130, MAX_SIDE - 14]]);
    let atlas = atlas(sizes.map(|[w, h]| sparse(w, h, &mut random)).collect::<Vec<_>>());
    let shown: Vec<Shown<'_>> = poses(&atlas).into_iter().map(Shown::new).collect();
    // Unoptimised, each pair takes long.
    let partners = if cfg!(hitmask_fallback) { 1 } else { 5 };
    let (mut pairs, mut truths) = (Vec::new(), Vec::new());
    for a in &shown {
        // Each flip of some of the others.
        for _ in 0..partners {
            let b = &shown[random.below(shown.len() as u32) as usize];
            for offset in offsets(a, b, &mut random) {
                pairs.push((PosePair { a: a.id, b: b.id, offset }, a.mask, b.mask));
                truths.push(shared_pixels(&a.pixels, &b.set, offset));
            }
        }
    }
    let n = pairs.len();
    let hits = truths.iter().filter(|shared| !shared.is_empty()).count();
    assert!(hits > n / 3 && hits < n - n / 10, "{hits} hits of {n}");
    let list: Vec<PosePair> = pairs.iter().map(|pair| pair.0).collect();
    for simd in Simd::available() {
        let mut batch = atlas.batch().with_simd(simd);
        let at = |i: usize| {
            let (PosePair { offset, .. }, a, b) = pairs[i];
            let [a, b] = [a, b].map(|m| format!("{} x {}", m.width(), m.height()));
            format!("{}, seed {SEED}, pair {i}: {a} and {b} at {offset:?}", simd.name())
        };
        let (mut hits, mut areas) = (vec![false; n], vec![0; n]);
        batch.touches(&list, &mut hits);
        batch.overlap_area(&list, &mut areas);
        let mut contacts = vec![None; n];
        batch.contact(&list, &mut contacts);
        let mut coarse = vec![Certainty::Maybe; n];
        batch.coarse(&list, &mut coarse);
        for (i, shared) in truths.iter().enumerate() {
            assert_eq!(areas[i], shared.len() as u64, "area, {}", at(i));
            assert!(is_contact_of(contacts[i], shared), "contact, {}", at(i));
            assert_eq!(hits[i], !shared.is_empty(), "touches, {}", at(i));
            match coarse[i] {
                Certainty::No => assert!(shared.is_empty(), "coarse, {}", at(i)),
                Certainty::Yes => assert!(!shared.is_empty(), "coarse, {}", at(i)),
                Certainty::Maybe => {}
            }
            let (PosePair { offset, .. }, a, b) = pairs[i];
            assert_eq!(coarse[i], a.coarse(b, offset), "coarse, {}", at(i));
        }
        for answer in [Certainty::No, Certainty::Maybe, Certainty::Yes] {
            let count = coarse.iter().filter(|&&found| found == answer).count();
            assert!(count > n / 200, "{answer:?}: {count} of {n}");
        }
    }
    for (i, ((PosePair { offset, .. }, a, b), shared)) in pairs.iter().zip(&truths).enumerate() {
        assert_eq!(a.touches(*b, *offset), !shared.is_empty(), "touches, pair {i}");
        assert_eq!(a.overlap_area(*b, *offset), shared.len() as u64, "area, pair {i}");
        assert!(is_contact_of(a.contact(*b, *offset), shared), "contact, pair {i}");
        for order in ORDERS {
            assert_eq!(a.first_overlap(order, *b, *offset), first_of(order, shared), "pair {i}");
        }
        let pixels: Vec<Point> =
            a.overlap(*b, *offset).iter().flat_map(|both| both.pixels()).collect();
        assert_eq!(first_other(&pixels, shared), None, "pixels, seed {SEED}, pair {i}");
    }
}
