//! Cells of terrain: an edit gives what a new grid gives, and cells fit together.

use crate::check::{assert_edits, cells, double_area, rings};
use crate::{config, masks};
use hitmask::{CallError, Fit, Mask, Rect, ShapeGrid, ShapeOptions};
use hitmask_scenes::solid;
use proptest::prelude::*;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn cells_fit_and_edits_give_what_a_new_grid_gives(
        mask in masks(40), other in masks(12), error in 0.1_f32..4.0, fit in 0..3, side in 8_u32..20,
        at in prop::collection::vec((-8..44, -8..44, any::<bool>()), 1..6),
    ) {
        let fit = [Fit::Nearest, Fit::Outside, Fit::Inside][fit as usize];
        let options = ShapeOptions { max_error: error, fit, ..ShapeOptions::DEFAULT };
        assert_edits(mask, &other, (side, options), &at);
    }
}

#[test]
fn an_edit_changes_the_cells_that_it_meets_and_no_others() {
    let mut ground = solid(640, 640);
    let mut grid = ShapeGrid::new(&ground, 64, 1.0).unwrap();
    let whole: i64 = 2 * 640 * 640 * 256;
    let area = |grid: &ShapeGrid| -> i64 {
        let all =
            (0..grid.len() as u32).map(|id| rings(&grid.cell(id).unwrap().shape().polygons()));
        all.flatten().map(|ring| double_area(&ring)).sum()
    };
    assert_eq!(area(&grid), whole);
    let shell = Mask::disc(16).unwrap();
    ground.erase(&shell, [80, 80]);
    assert_eq!(grid.update(&ground, Rect::new(80, 80, 113, 113)).unwrap(), [11]);
    // The same again changes nothing.
    assert_eq!(grid.update(&ground, Rect::new(80, 80, 113, 113)).unwrap(), []);
    // Where four cells meet.
    ground.erase(&shell, [304, 304]);
    assert_eq!(grid.update(&ground, Rect::new(304, 304, 337, 337)).unwrap(), [44, 45, 54, 55]);
    assert!((whole - area(&grid)) as f64 / 512.0 > 1.8 * shell.count() as f64);
    // A pixel on the border of two cells opens a seam of the other.
    ground.set(127, 600, false);
    assert_eq!(grid.update(&ground, Rect::new(127, 600, 128, 601)).unwrap(), [91, 92]);
}

#[test]
fn bad_cells_and_other_masks_are_refused_and_change_nothing() {
    let mask = Mask::disc(30).unwrap();
    for side in [0, 7, 1025] {
        let error = ShapeGrid::new(&mask, side, 1.0).unwrap_err();
        assert!(matches!(error, CallError::Number { name: "cell side", .. }), "{error}");
    }
    assert!(ShapeGrid::new(&mask, 64, f32::NAN).is_err());
    let mut grid = ShapeGrid::new(&mask, 16, 1.0).unwrap();
    let before = cells(&grid);
    let error = grid.update(&Mask::disc(29).unwrap(), Rect::new(0, 0, 9, 9)).unwrap_err();
    assert_eq!(error, CallError::SizeChanged { expected: [61, 61], got: [59, 59] });
    assert_eq!(cells(&grid), before);
    assert!(grid.cell(grid.len() as u32).is_none());
    let none = Mask::new(0, 0).unwrap();
    let mut empty = ShapeGrid::new(&none, 64, 1.0).unwrap();
    assert!(
        empty.is_empty()
            && empty.update(&none, Rect::new(i32::MIN, 0, i32::MAX, 9)).unwrap().is_empty()
    );
}

#[test]
fn an_edit_of_left_out_islands_and_holes_alone_changes_their_count() {
    let mut mask = solid(20, 20);
    mask.fill_rect(Rect::new(0, 10, 20, 20), false);
    let options = ShapeOptions { min_area: 3, ..1.0.into() };
    let mut grid = ShapeGrid::new(&mask, 32, options).unwrap();
    let mut version = 0;
    for (at, solid, expected) in [
        ([4, 15], true, [1, 0]),
        ([9, 16], true, [2, 0]),
        ([5, 5], false, [2, 1]),
        ([4, 15], false, [1, 1]),
    ] {
        mask.set(at[0], at[1], solid);
        let edited = Rect::new(at[0], at[1], at[0] + 1, at[1] + 1);
        let changed = grid.update(&mask, edited).unwrap();
        let left_out = |grid: &ShapeGrid| grid.cell(0).unwrap().shape().left_out();
        assert_eq!(left_out(&grid), expected);
        assert_eq!(left_out(&ShapeGrid::new(&mask, 32, options).unwrap()), expected);
        // No body changes.
        assert_eq!((changed, grid.cell(0).unwrap().version()), (vec![], version));
        version = grid.cell(0).unwrap().version();
    }
}
