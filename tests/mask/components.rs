//! Connected components, and the decomposition of a mask into rectangles.

use crate::per_pixel::{assert_same, flood_components, masks, pixels, views};
use hitmask::{Connectivity, Rect};
use hitmask_scenes::{cases, mask_of, named};
use proptest::prelude::*;
use std::collections::BTreeSet;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60, 150)))]

    #[test]
    fn components_equal_a_flood_fill(mask in masks()) {
        for view in views(&mask) {
            for connectivity in [Connectivity::Four, Connectivity::Eight] {
                let expected = flood_components(&pixels(view), connectivity);
                let found = view.components(connectivity);
                prop_assert_eq!(found.iter().len(), expected.len());
                for (part, pixels) in found.iter().zip(&expected) {
                    let x = pixels.iter().map(|p| p.0);
                    let y = pixels.iter().map(|p| p.1);
                    let rect = Rect::new(
                        x.clone().min().unwrap(), y.clone().min().unwrap(),
                        x.max().unwrap() + 1, y.max().unwrap() + 1,
                    );
                    prop_assert_eq!(part.rect(), rect);
                    prop_assert_eq!(part.area(), pixels.len() as u64);
                    let alone = mask_of(rect.width(), rect.height(), |x, y| {
                        pixels.contains(&(x + rect.x0, y + rect.y0))
                    });
                    assert_same(&part.mask(), &alone, "a component's mask");
                }
                let at = |(x, y): (i32, i32)| found.at([x, y]).map(|part| part.index());
                for (index, pixels) in expected.iter().enumerate() {
                    prop_assert!(pixels.iter().all(|&p| at(p) == Some(index)));
                }
                for y in -1..=view.height() as i32 {
                    for x in -1..=view.width() as i32 {
                        prop_assert_eq!(at((x, y)).is_some(), view.get(x, y));
                    }
                }
                let most = expected.iter().map(BTreeSet::len).max();
                let largest = expected.iter().position(|part| Some(part.len()) == most);
                prop_assert_eq!(found.largest().map(|part| part.index()), largest);
                let sizable = expected.iter().filter(|part| part.len() >= 5).count();
                prop_assert_eq!(found.iter().filter(|part| part.area() >= 5).count(), sizable);
            }
        }
    }

    #[test]
    fn rectangles_cover_each_pixel_once(mask in masks()) {
        for view in views(&mask) {
            let rects = view.rects();
            let mut cover = mask_of(view.width(), view.height(), |_, _| false);
            for &rect in &rects {
                prop_assert!(!rect.is_empty());
                cover.fill_rect(rect, true);
            }
            assert_same(&cover, &view.to_mask(), "rects");
            prop_assert_eq!(rects.iter().map(|rect| rect.area()).sum::<u64>(), view.count());
            prop_assert!(rects.is_sorted_by_key(|rect| (rect.y0, rect.x0)));
        }
    }
}

#[test]
fn a_frame_and_a_bar_are_4_and_1_rectangles() {
    // The four sides of the frame. Two of them span its full height or width.
    assert_eq!(named("frame").mask().rects().len(), 4);
    assert_eq!(named("bar").mask().rects(), [Rect::new(0, 0, 130, 6)]);
}
