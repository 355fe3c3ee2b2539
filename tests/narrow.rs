//! Every query of a single pair against the per-pixel reference, at word edges and on random masks.

use hitmask::reference::{Canvas, Drawing};
use hitmask::{Mask, MaskRef, Pivot, Point, Pose, PoseSet, Rect, Sampling, ScanOrder, reference};
use hitmask_scenes::{PreparedImage, Random, cases, named};
use proptest::prelude::*;

fn random_mask(width: u32, height: u32, seed: u64) -> Mask {
    let mut random = Random::new(seed);
    // 1 in 64 to almost all pixels are set: sparse masks give misses and dense masks give hits.
    let density = [1, 4, 32, 60][random.below(4) as usize];
    let mut mask = Mask::new(width, height).unwrap();
    for y in 0..height {
        for x in 0..width {
            mask.set(x as i32, y as i32, random.below(64) < density);
        }
    }
    mask
}

/// Asserts that all queries agree with the reference, in both orders and all vertical flips.
fn assert_matches_reference(a: &Mask, b: &Mask, offset: [i32; 2]) {
    let views = |mask| -> [MaskRef<'_>; 2] { [MaskRef::from(mask), MaskRef::from(mask).flip_y()] };
    for a in views(a) {
        for b in views(b) {
            let truth = reference::contact(a, b, offset);
            let at = format!("at {offset:?}\n{a:?}\n{b:?}");
            assert_eq!(a.touches(b, offset), truth.is_some(), "touches {at}");
            assert_eq!(a.overlap_area(b, offset), truth.map_or(0, |c| c.area), "area {at}");
            assert_eq!(a.overlap_rect(b, offset), truth.map(|c| c.rect), "rect {at}");
            assert_eq!(
                a.first_overlap(ScanOrder::Top, b, offset),
                truth.map(|c| c.point),
                "point {at}"
            );
            assert_eq!(a.contact(b, offset), truth, "contact {at}");
            let back = [offset[0].saturating_neg(), offset[1].saturating_neg()];
            assert_eq!(b.touches(a, back), truth.is_some(), "swapped {at}");
            assert_eq!(b.overlap_area(a, back), truth.map_or(0, |c| c.area), "area, swapped {at}");
        }
    }
}

/// Sides below, at and above multiples of a byte and of a word of 64 bits.
const EDGES: [u32; 9] = [1, 2, 7, 8, 63, 64, 65, 128, 129];

#[test]
fn masks_at_word_edges_agree_with_the_reference() {
    for (i, &aw) in EDGES.iter().enumerate() {
        for (j, &bw) in EDGES.iter().enumerate() {
            let (ah, bh) = (EDGES[(i + j) % 9], EDGES[(i * 2 + j) % 9]);
            let seed = (i * 9 + j) as u64;
            let (a, b) = (random_mask(aw, ah, seed), random_mask(bw, bh, seed + 1000));
            let (aw, ah, bw, bh) = (aw as i32, ah as i32, bw as i32, bh as i32);
            for x in [-bw, 1 - bw, -65, -64, -63, -1, 0, 1, 31, 63, 64, 65, aw - 1, aw] {
                for y in [-bh, 1 - bh, -8, -1, 0, 1, 7, 8, 9, ah - 1, ah] {
                    assert_matches_reference(&a, &b, [x, y]);
                }
            }
        }
    }
}

#[test]
fn wide_and_tall_masks_at_word_edges_agree_with_the_reference() {
    for &w in &EDGES[4..] {
        for &h in &EDGES[4..] {
            let (a, b) = (random_mask(w, h, w.into()), random_mask(h, w, h.into()));
            for offset in [[0, 0], [-3, 5], [60, -60], [1, 64], [-64, 1]] {
                assert_matches_reference(&a, &b, offset);
            }
        }
    }
}

#[test]
fn offsets_at_the_limits_of_i32_miss_without_a_panic() {
    let mask = random_mask(100, 100, 5);
    for x in [i32::MIN, i32::MIN + 1, -100, 100, i32::MAX - 99, i32::MAX] {
        for y in [i32::MIN, 0, i32::MAX] {
            assert_matches_reference(&mask, &mask, [x, y]);
            assert_matches_reference(&mask, &mask, [y, x]);
        }
    }
}

#[test]
fn masks_without_pixels_touch_nothing() {
    let full = random_mask(70, 70, 3);
    for (w, h) in [(0, 0), (0, 70), (70, 0), (70, 70)] {
        let none = Mask::new(w, h).unwrap();
        for offset in [[0, 0], [-5, 3], [69, 69]] {
            assert_matches_reference(&full, &none, offset);
            assert_matches_reference(&none, &full, offset);
            assert_matches_reference(&none, &none, offset);
            assert_eq!(full.contact(&none, offset), None);
        }
    }
}

#[test]
fn a_contact_is_the_box_the_area_and_the_first_of_the_common_pixels() {
    let a: Mask = "
        ..##
        .###
        ##..
    "
    .parse()
    .unwrap();
    let b: Mask = "
        ###
        #.#
    "
    .parse()
    .unwrap();
    // At offset (1, 1), b has pixels at (1,1) (2,1) (3,1) (1,2) (3,2). a has the first four of
    // them.
    let contact = a.contact(&b, [1, 1]).unwrap();
    assert_eq!(contact.rect, Rect::new(1, 1, 4, 3));
    assert_eq!((contact.area, contact.point), (4, Point::new(1, 1)));
    assert_eq!(reference::contact(a.as_ref(), b.as_ref(), [1, 1]), Some(contact));
}

#[test]
fn the_canvas_and_prepared_references_agree_with_the_lookup_reference() {
    let poses = PoseSet::new(16, [0.5, 1.0]).unwrap();
    let masks = ["hull", "ring", "diagonal", "dot"].map(|name| named(name).mask());
    let (mut canvas, mut random) = (Canvas::default(), Random::new(4));
    let mut counts = [0; 2];
    for _ in 0..600 {
        let mut drawing = || {
            let source = &masks[random.below(4) as usize];
            let pose = Pose { step: random.below(16), scale: random.below(2) };
            let sampling = [Sampling::Nearest, Sampling::Coverage25][random.below(2) as usize];
            Drawing::new(source, Pivot::Center, sampling, &poses, pose).unwrap()
        };
        let (a, b) = (drawing(), drawing());
        let at_a = Point::new(random.within(-900, 900), random.within(-900, 900));
        let at_b = at_a + Point::new(random.within(-50, 51), random.within(-50, 51));
        let (posed_a, posed_b) = (a.posed(), b.posed());
        let (a, b) = if random.below(2) == 0 { (a, b) } else { (a.fitted(), b.fitted()) };
        let (corner_a, corner_b) = (posed_a.origin + at_a, posed_b.origin + at_b);
        let (mask_a, mask_b) = (posed_a.mask.as_ref(), posed_b.mask.as_ref());
        let truth = reference::contact(mask_a, mask_b, corner_b - corner_a)
            .map(|contact| contact.translated(corner_a));
        // One canvas for all pairs: it must keep no pixels of earlier pairs.
        assert_eq!(canvas.contact((&a, at_a), (&b, at_b)), truth);
        assert_eq!(canvas.contact((&b, at_b), (&a, at_a)), truth, "swapped");
        let first = canvas.first_point((&a, at_a), (&b, at_b));
        assert_eq!(first, truth.map(|contact| contact.point));
        let (image_a, image_b) = (PreparedImage::new(mask_a), PreparedImage::new(mask_b));
        let offset = corner_b - corner_a;
        let expected = reference::contact(mask_a, mask_b, offset);
        let parts = expected.map(|found| (found.rect, found.area, found.point));
        assert_eq!(image_a.contact(&image_b, offset), parts);
        assert_eq!(image_a.touches(&image_b, offset), expected.is_some());
        assert_eq!(image_a.first_point(&image_b, offset), expected.map(|contact| contact.point));
        assert_eq!(image_a.overlap_area(&image_b, offset), expected.map_or(0, |c| c.area));
        counts[usize::from(truth.is_some())] += 1;
    }
    // Both answers are common.
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(200, 500)))]

    #[test]
    fn random_masks_agree_with_the_reference(
        (aw, ah, bw, bh) in (1_u32..200, 1_u32..80, 1_u32..200, 1_u32..80),
        (seed_a, seed_b) in any::<(u64, u64)>(),
        (x, y) in (0.0_f32..1.0, 0.0_f32..1.0),
    ) {
        let (a, b) = (random_mask(aw, ah, seed_a), random_mask(bw, bh, seed_b));
        // Each drawn offset lets the boxes overlap.
        let within = |t: f32, a: u32, b: u32| (t * (a + b - 1) as f32) as i32 - b as i32 + 1;
        assert_matches_reference(&a, &b, [within(x, aw, bw), within(y, ah, bh)]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(50, 500)))]

    #[test]
    fn large_masks_agree_with_the_reference(
        (aw, bw) in (400_u32..900, 1_u32..900),
        (seed_a, seed_b) in any::<(u64, u64)>(),
        (x, y) in (-400_i32..800, -300_i32..300),
    ) {
        assert_matches_reference(&random_mask(aw, 300, seed_a), &random_mask(bw, 300, seed_b), [x, y]);
    }
}
