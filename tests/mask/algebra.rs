//! Editing and combining of masks: fill, invert, draw, erase, overlap, crop, scale, union, raw
//! bytes.

use crate::per_pixel::{assert_same, masks, random_mask, views};
use crate::too_large;
use hitmask::{AlphaRule, CallError, MAX_SIDE, Mask, Point, Rect};
use hitmask_scenes::mask_of;
use proptest::prelude::*;

/// Offsets at the limits of i32 and of mask sides.
const LIMITS: [i32; 6] = [i32::MIN, i32::MIN + 1, -MAX_EDGE, MAX_EDGE, i32::MAX - 1, i32::MAX];
const MAX_EDGE: i32 = MAX_SIDE as i32;

/// Asserts that every operation on two masks works per pixel, with the second in both flips.
fn assert_combines_per_pixel(a: &Mask, b: &Mask, at: [i32; 2]) {
    for other in views(b) {
        let there = |x: i32, y: i32| match (x.checked_sub(at[0]), y.checked_sub(at[1])) {
            (Some(x), Some(y)) => other.get(x, y),
            _ => false,
        };
        let after = |change: fn(&mut Mask, hitmask::MaskRef<'_>, [i32; 2])| {
            let mut mask = a.clone();
            change(&mut mask, other, at);
            mask
        };
        let expect = |op: fn(bool, bool) -> bool| {
            mask_of(a.width(), a.height(), |x, y| op(a.get(x, y), there(x, y)))
        };
        let what = format!("of {a:?} and {other:?} at {at:?}");
        assert_same(
            &after(|m, o, at| m.draw(o, at)),
            &expect(|a, b| a | b),
            &format!("draw {what}"),
        );
        assert_same(
            &after(|m, o, at| m.erase(o, at)),
            &expect(|a, b| a & !b),
            &format!("erase {what}"),
        );
        assert_same(
            &after(|m, o, at| m.toggle(o, at)),
            &expect(|a, b| a ^ b),
            &format!("toggle {what}"),
        );
        assert_same(
            &after(|m, o, at| m.intersect(o, at)),
            &expect(|a, b| a & b),
            &format!("intersect {what}"),
        );
        assert_same(&a.overlap_mask(other, at), &expect(|a, b| a & b), &format!("overlap {what}"));
        let own = a.as_ref().flip_y();
        let expected = mask_of(a.width(), a.height(), |x, y| own.get(x, y) && there(x, y));
        assert_same(&own.overlap_mask(other, at), &expected, &format!("flipped overlap {what}"));
        assert_eq!(a.overlap_mask(other, at).count(), a.overlap_area(other, at), "{what}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn two_masks_combine_pixel_by_pixel(
        a in masks(), b in masks(), x in -210_i32..210, y in -210_i32..210, near in any::<bool>(),
    ) {
        // With `near`, the boxes overlap at every offset, unless a mask has no pixels.
        let fit = |v: i32, a: u32, b: u32| {
            let (low, high) = (1 - b as i32, a as i32 - 1);
            if near && low <= high { low + v.rem_euclid(high - low + 1) } else { v }
        };
        assert_combines_per_pixel(&a, &b, [fit(x, a.width(), b.width()), fit(y, a.height(), b.height())]);
    }

    #[test]
    fn a_rectangle_is_filled_and_cleared_within_the_mask(
        mask in masks(), (x0, y0, x1, y1) in (-20_i32..220, -20_i32..220, -20_i32..220, -20_i32..220),
        solid in any::<bool>(),
    ) {
        let rect = Rect::new(x0, y0, x1, y1);
        let mut filled = mask.clone();
        filled.fill_rect(rect, solid);
        let expected = mask_of(mask.width(), mask.height(), |x, y| {
            if rect.contains([x, y]) { solid } else { mask.get(x, y) }
        });
        assert_same(&filled, &expected, "fill_rect");
    }

    #[test]
    fn all_pixels_are_set_cleared_or_inverted(mask in masks()) {
        let (w, h) = (mask.width(), mask.height());
        let mut changed = mask.clone();
        changed.invert();
        assert_same(&changed, &mask_of(w, h, |x, y| !mask.get(x, y)), "invert");
        changed.fill();
        assert_same(&changed, &mask_of(w, h, |_, _| true), "fill");
        changed.clear();
        assert_same(&changed, &Mask::new(w, h).unwrap(), "clear");
    }

    #[test]
    fn a_crop_holds_the_pixels_of_its_rectangle(
        mask in masks(), (x, y) in (-70_i32..220, -70_i32..220), (w, h) in (0_i32..150, 0_i32..150),
    ) {
        for view in views(&mask) {
            let cut = view.cropped(Rect::new(x, y, x + w, y + h)).unwrap();
            let expected = mask_of(w as u32, h as u32, |u, v| view.get(x + u, y + v));
            assert_same(&cut, &expected, "cropped");
        }
    }

    #[test]
    fn scaling_samples_the_texel_at_each_pixel_centre(
        mask in masks(), (w, h) in (0_u32..150, 0_u32..150),
    ) {
        for view in views(&mask) {
            let scaled = view.scaled(w, h).unwrap();
            let texel = |at: i32, old: u32, new: u32| {
                ((2 * i64::from(at) + 1) * i64::from(old)).div_euclid(2 * i64::from(new)) as i32
            };
            let expected = mask_of(w, h, |x, y| {
                view.get(texel(x, view.width(), w), texel(y, view.height(), h))
            });
            assert_same(&scaled, &expected, "scaled");
        }
    }

    #[test]
    fn a_union_holds_the_pixels_of_each_part(
        parts in prop::collection::vec((masks(), -200_i32..200, -200_i32..200), 0..5),
    ) {
        let placed = parts.iter().map(|(mask, x, y)| (mask, [*x, *y]));
        let (union, at) = Mask::union(placed).unwrap();
        let expected = mask_of(union.width(), union.height(), |x, y| {
            parts.iter().any(|(mask, px, py)| mask.get(x + at.x - px, y + at.y - py))
        });
        assert_same(&union, &expected, "union");
        // The box of each part lies inside the box of the union.
        for (mask, x, y) in parts.iter().filter(|(mask, ..)| mask.width() > 0 && mask.height() > 0) {
            prop_assert!(*x >= at.x && *y >= at.y);
            prop_assert!(*x + mask.width() as i32 <= at.x + union.width() as i32);
            prop_assert!(*y + mask.height() as i32 <= at.y + union.height() as i32);
        }
    }

    #[test]
    fn raw_bits_and_alpha_bytes_round_trip(mask in masks()) {
        let (w, h) = (mask.width(), mask.height());
        for view in views(&mask) {
            let bits = view.to_bits();
            prop_assert_eq!(bits.len(), (w.div_ceil(8) * h) as usize);
            for y in 0..h {
                for x in 0..w.next_multiple_of(8) {
                    let byte = bits[(y * w.div_ceil(8) + x / 8) as usize];
                    prop_assert_eq!(byte >> (7 - x % 8) & 1 == 1, view.get(x as i32, y as i32));
                }
            }
            let alpha = view.to_alpha();
            let expected: Vec<u8> = (0..h as i32)
                .flat_map(|y| (0..w as i32).map(move |x| (x, y)))
                .map(|(x, y)| if view.get(x, y) { 255 } else { 0 })
                .collect();
            prop_assert_eq!(&alpha, &expected);
            assert_same(&Mask::from_bits(w, h, &bits).unwrap(), &view.to_mask(), "from_bits");
            let rule = AlphaRule::Above(0);
            assert_same(&Mask::from_alpha(w, h, &alpha, rule).unwrap(), &view.to_mask(), "alpha");
        }
    }
}

#[test]
fn masks_at_word_edges_combine_pixel_by_pixel() {
    // Sides below, at and above multiples of a byte and of a word of 64 bits.
    const EDGES: [u32; 6] = [1, 8, 63, 64, 65, 129];
    for (i, &aw) in EDGES.iter().enumerate() {
        for (j, &bw) in EDGES.iter().enumerate() {
            let seed = (i * 6 + j) as u64;
            let (a, b) = (random_mask(aw, 9, seed), random_mask(bw, 17, seed + 100));
            let (aw, bw) = (aw as i32, bw as i32);
            for x in [-bw, 1 - bw, -64, -63, -1, 0, 1, 63, 64, 65, aw - 1, aw] {
                for y in [-17, -16, -8, 0, 1, 8, 9] {
                    assert_combines_per_pixel(&a, &b, [x, y]);
                }
            }
        }
    }
}

#[test]
fn offsets_at_the_limits_of_i32_combine_pixel_by_pixel() {
    let mask = random_mask(70, 70, 5);
    for x in LIMITS {
        for y in [i32::MIN, 0, i32::MAX] {
            assert_combines_per_pixel(&mask, &mask, [x, y]);
            assert_combines_per_pixel(&mask, &mask, [y, x]);
        }
    }
}

#[test]
fn rectangles_at_the_limits_of_i32_are_clipped() {
    let all = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);
    let mut mask = Mask::new(130, 20).unwrap();
    mask.fill_rect(all, true);
    assert_eq!(mask.count(), 130 * 20);
    for nothing in [Rect::new(5, 5, 5, 9), Rect::new(9, 0, 3, 9), Rect::new(130, 0, i32::MAX, 20)] {
        mask.fill_rect(nothing, false);
        assert_eq!(mask.count(), 130 * 20, "{nothing:?}");
    }
    for (x, y) in [(i32::MIN, 0), (i32::MAX - 9, 0), (0, i32::MIN), (0, i32::MAX - 9)] {
        let far = mask.cropped(Rect::new(x, y, x + 9, y + 9)).unwrap();
        assert_same(&far, &Mask::new(9, 9).unwrap(), "far away");
    }
}

#[test]
fn a_union_is_too_large_with_distant_parts_and_ignores_empty_parts() {
    let (dot, none) = (random_mask(1, 1, 7), Mask::new(0, 9).unwrap());
    let far = Mask::union([(&dot, [i32::MIN, 0]), (&dot, [i32::MAX, 0])]);
    assert_eq!(far, Err(too_large(u32::MAX, 1)));
    let alone = Mask::union([(&dot, [i32::MAX, i32::MIN]), (&none, [0, 0])]).unwrap();
    assert_eq!(alone, (dot, Point::new(i32::MAX, i32::MIN)));
    let nothing: [(&Mask, [i32; 2]); 0] = [];
    assert_eq!(Mask::union(nothing), Ok((Mask::new(0, 0).unwrap(), Point::default())));
    assert_eq!(Mask::union([(&none, [3, 3])]), Ok((Mask::new(0, 0).unwrap(), Point::default())));
}

#[test]
fn sides_over_the_limit_and_wrong_lengths_are_errors() {
    let dot = random_mask(1, 1, 7);
    let long = MAX_SIDE + 1;
    let refused = Err(too_large(long, 1));
    assert_eq!(dot.scaled(long, 1), refused);
    assert_eq!(dot.cropped(Rect::new(0, 0, long as i32, 1)), refused);
    assert_eq!(Mask::from_bits(long, 1, &[]), refused);
    assert_eq!(dot.cropped(Rect::new(i32::MIN, 0, i32::MAX, 1)), Err(too_large(u32::MAX, 1)));
    assert_eq!(Mask::from_bits(9, 2, &[0; 3]), Err(CallError::WrongLength { expected: 4, got: 3 }));
    // Masks without pixels have no bytes.
    for (w, h) in [(0, 0), (0, 5), (5, 0)] {
        let none = Mask::from_bits(w, h, &[]).unwrap();
        assert_eq!((none.width(), none.height()), (w, h));
        assert_eq!((none.to_bits(), none.to_alpha()), (vec![], vec![]));
        assert_eq!(none.scaled(3, 3), Mask::new(3, 3));
    }
    assert_eq!(dot.scaled(MAX_SIDE, 1).unwrap().count(), dot.count() * u64::from(MAX_SIDE));
}

#[test]
fn bits_beyond_the_width_are_ignored() {
    let mask = Mask::from_bits(3, 2, &[0xff, 0xff]).unwrap();
    assert_same(&mask, &mask_of(3, 2, |_, _| true), "three of eight bits");
}
