//! Construction, flips, trimming, text and alpha of masks.

use crate::per_pixel::{masks, random_mask};
use crate::too_large;
use hitmask::{AlphaRule, CallError, ColorRange, MAX_SIDE, Mask, Point, Rect};
use proptest::prelude::*;

proptest! {
    #[test]
    fn flips_and_quarter_turns_move_each_pixel_as_documented(mask in masks()) {
        let (w, h) = (mask.width() as i32, mask.height() as i32);
        let (fx, fy, turned) = (mask.flip_x(), mask.flip_y(), mask.quarter_turned());
        for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
            prop_assert_eq!(mask.get(x, y), fx.get(w - 1 - x, y), "flip_x of {} x {}", w, h);
            prop_assert_eq!(mask.get(x, y), fy.get(x, h - 1 - y), "flip_y of {} x {}", w, h);
            prop_assert_eq!(mask.get(x, y), turned.get(h - 1 - y, x), "turn of {} x {}", w, h);
        }
        prop_assert_eq!(&mask, &fx.flip_x());
        prop_assert_eq!(&mask, &turned.quarter_turned().quarter_turned().quarter_turned());
        prop_assert_eq!(mask.as_ref().flip_y().flip_x(), fx.flip_y());
    }
}

#[test]
fn trimming_keeps_every_pixel_and_only_the_tight_box() {
    for (w, h, x, y, x2, y2) in [(70, 9, 65, 3, 69, 7), (200, 3, 63, 0, 128, 2), (5, 5, 2, 2, 2, 2)]
    {
        let mut mask = Mask::new(w, h).unwrap();
        mask.set(x, y, true);
        mask.set(x2, y2, true);
        let (cut, at) = mask.trimmed();
        assert_eq!((at.x, at.y), (x, y));
        let sides = [cut.width(), cut.height()].map(|side| side as i32);
        assert_eq!(sides, [x2 - x + 1, y2 - y + 1]);
        assert_eq!(cut.count(), mask.count());
        assert!(cut.get(0, 0) && cut.get(x2 - x, y2 - y));
    }
    let (none, at) = Mask::new(9, 9).unwrap().trimmed();
    assert_eq!((none.width(), none.height(), at), (0, 0, Point::default()));
}

#[test]
fn bounds_cover_all_strips() {
    let mut mask = Mask::new(300, 40).unwrap();
    for (x, y) in [(70, 30), (130, 5), (290, 39)] {
        mask.set(x, y, true);
    }
    assert_eq!(mask.bounds(), Some(Rect::new(70, 5, 291, 40)));
    assert_eq!(mask.as_ref().flip_y().bounds(), Some(Rect::new(70, 0, 291, 35)));
}

#[test]
fn equal_masks_have_equal_hashes_wherever_they_are_stored() {
    use std::hash::{BuildHasher, RandomState};
    let mask = random_mask(70, 9, 3);
    let (flipped, copy) = (mask.flip_y(), mask.as_ref().flip_y());
    assert!(flipped.as_ref() == copy && mask.as_ref() != copy);
    let hasher = RandomState::new();
    assert_eq!(hasher.hash_one(&flipped), hasher.hash_one(copy));
}

#[test]
fn the_alpha_rule_decides_which_bytes_set_a_pixel() {
    let alpha = [0, 127, 128, 255, 0x87, 1];
    let count = |rule| Mask::from_alpha(3, 2, &alpha, rule).unwrap().count();
    assert_eq!(count(AlphaRule::AtLeast(128)), 3);
    assert_eq!(count(AlphaRule::Above(128)), 2);
    assert_eq!(count(AlphaRule::Bits(0x03)), 3);
    assert_eq!(count(AlphaRule::AtLeast(0)), 6);
    let rgba: Vec<u8> = alpha.iter().flat_map(|&a| [9, 9, 9, a]).collect();
    let rule = AlphaRule::default();
    assert_eq!(Mask::from_rgba(3, 2, &rgba, rule), Mask::from_alpha(3, 2, &alpha, rule));
}

#[test]
fn wrong_sizes_are_refused_with_their_values() {
    let long = MAX_SIDE + 1;
    assert_eq!(Mask::new(long, 1), Err(too_large(long, 1)));
    assert_eq!(
        Mask::from_alpha(3, 2, &[0; 5], AlphaRule::default()),
        Err(CallError::WrongLength { expected: 6, got: 5 })
    );
}

#[test]
fn parsed_text_prints_unchanged() {
    let text = "..##..\n######\n#....#\n";
    assert_eq!(text.parse::<Mask>().unwrap().to_string(), text);
    let wide = format!("{}#\n", ".".repeat(129));
    assert_eq!(wide.parse::<Mask>().unwrap().to_string(), wide);
    assert_eq!("".parse::<Mask>().unwrap().to_string(), "");
}

#[test]
fn a_bad_picture_is_refused_with_its_line_and_column() {
    assert_eq!(
        "\n  .#\n  .o".parse::<Mask>(),
        Err(CallError::BadCharacter { found: 'o', line: 3, column: 4 })
    );
    assert_eq!(
        "\u{3000}#x".parse::<Mask>(),
        Err(CallError::BadCharacter { found: 'x', line: 1, column: 3 })
    );
    assert_eq!("##\n#".parse::<Mask>(), Err(CallError::RaggedRow { line: 2, expected: 2, got: 1 }));
}

#[test]
fn a_colour_has_6_or_8_digits_and_a_range_has_ordered_bounds() {
    let range = |from, to| Ok(ColorRange { from, to });
    for (text, expected) in [
        ("#0a0B0c", range([10, 11, 12, 0], [10, 11, 12, 255])),
        ("0a0b0c", range([10, 11, 12, 0], [10, 11, 12, 255])),
        ("#0a0b0c0d", range([10, 11, 12, 13], [10, 11, 12, 13])),
        (" #000000 .. #010203 ", range([0; 4], [1, 2, 3, 255])),
        ("#00000005..#010203", range([0, 0, 0, 5], [1, 2, 3, 255])),
        ("#000000..#01020304", range([0; 4], [1, 2, 3, 4])),
    ] {
        assert_eq!(text.parse::<ColorRange>(), expected, "{text}");
    }
    for text in [
        "",
        "red",
        "#fff",
        "#0000000",
        "##000000",
        "+00000",
        "#+0000000",
        "#ff00fg",
        "..",
        "#000000..",
        "#000000..#010101..#020202",
        "#000001..#000000",
        "#00000002..#00000001",
        "\u{e9}\u{e9}\u{e9}",
    ] {
        let error = text.parse::<ColorRange>().unwrap_err();
        assert_eq!(error, CallError::BadColor { text: text.to_owned() });
    }
}
