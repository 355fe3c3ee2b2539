//! Cells of terrain: an edit gives what a new grid gives, and cells fit together.

use crate::check::{
    Corner, assert_valid, config, double_area, edges, farthest, masks, rings, units,
};
use hitmask::{Fit, Mask, MaskError, Rect, ShapeChain, ShapeGrid, ShapeOptions};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The spans of seams on a line, with their directions.
type Seams = BTreeMap<(usize, i64), Vec<(i64, i64, i64)>>;

type Cell = (Vec<Vec<Corner>>, Vec<Vec<[f32; 2]>>, Vec<ShapeChain>);

fn cells(grid: &ShapeGrid) -> Vec<Cell> {
    let cell = |id| {
        let cell = grid.cell(id).unwrap();
        (rings(&cell.shape().polygons()), cell.pieces().pieces.clone(), cell.chains())
    };
    (0..grid.len() as u32).map(cell).collect()
}

/// Asserts that cells are valid, lie in their squares, and fit: each edge on a border between two cells
/// is outline, or is met by the same edges of the other cell.
fn assert_fits(grid: &ShapeGrid, mask: &Mask, options: ShapeOptions) {
    let mut seams = Seams::new();
    let mut outline = Vec::new();
    for id in 0..grid.len() as u32 {
        let cell = grid.cell(id).unwrap();
        assert_valid(&cell.shape().polygons(), mask);
        let Rect { x0, y0, x1, y1 } = cell.rect();
        let [low, high] = [[x0, y0], [x1, y1]].map(|corner| corner.map(|v| i64::from(v) * 16));
        let mut lines: Vec<[Corner; 2]> = Vec::new();
        for chain in cell.chains() {
            let points = units(&chain.points);
            let closed = edges(&points);
            let open = points.windows(2).map(|pair| [pair[0], pair[1]]);
            match chain.ghosts {
                None => lines.extend(closed),
                Some(_) => lines.extend(open),
            }
        }
        outline.extend(lines.iter().copied());
        for [a, b] in rings(&cell.shape().polygons()).iter().flat_map(|ring| edges(ring)) {
            for k in 0..2 {
                assert!(low[k] <= a[k] && a[k] <= high[k], "outside its cell");
            }
            // What is no part of a chain is a seam.
            if !lines.contains(&[a, b]) {
                let k = usize::from(a[0] != b[0]);
                assert!(a[k] == b[k] && (a[k] == low[k] || a[k] == high[k]), "{a:?} {b:?}\n{mask}");
                let (from, to) = (a[1 - k], b[1 - k]);
                let way = (to - from).signum();
                seams.entry((k, a[k])).or_default().push((from.min(to), from.max(to), way));
            }
        }
    }
    // On each line, seams in one direction cover the same as those in the other.
    for (line, parts) in seams {
        let covered = |way: i64| {
            let mut parts: Vec<_> =
                parts.iter().filter(|part| part.2 == way).map(|p| (p.0, p.1)).collect();
            parts.sort_unstable();
            let mut joined: Vec<(i64, i64)> = Vec::new();
            for (from, to) in parts {
                match joined.last_mut() {
                    Some(last) if last.1 == from => last.1 = to,
                    _ => joined.push((from, to)),
                }
            }
            joined
        };
        assert_eq!(covered(1), covered(-1), "{line:?}\n{mask}");
    }
    // All chains together are the outline of the mask.
    let exact = crate::check::exact_edges(mask);
    let limit = f64::from(options.max_error) + 1e-9;
    assert!(farthest(&exact, &outline) <= limit, "{mask}");
    assert!(farthest(&outline, &exact) <= limit, "{mask}");
    assert_chains_follow(grid);
}

/// Asserts that each open chain ends where another begins, and names its neighbours' points as ghosts.
fn assert_chains_follow(grid: &ShapeGrid) {
    let all: Vec<ShapeChain> =
        (0..grid.len() as u32).flat_map(|id| grid.cell(id).unwrap().chains()).collect();
    for chain in &all {
        let Some([before, after]) = chain.ghosts else { continue };
        let [first, .., last] = chain.points[..] else { panic!("a chain of one point") };
        let follows = all.iter().filter(|c| c.ghosts.is_some() && c.points[0] == last);
        assert_eq!(follows.map(|c| c.points[1]).collect::<Vec<_>>(), [after]);
        let precedes = all.iter().filter(|c| c.ghosts.is_some() && c.points.last() == Some(&first));
        assert_eq!(precedes.map(|c| c.points[c.points.len() - 2]).collect::<Vec<_>>(), [before]);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn cells_fit_and_edits_give_what_a_new_grid_gives(
        mask in masks(40), other in masks(12), error in 0.1_f32..4.0, fit in 0..3, side in 8_u32..20,
        at in prop::collection::vec((-8..44, -8..44, any::<bool>()), 1..6),
    ) {
        let fit = [Fit::Nearest, Fit::Outside, Fit::Inside][fit as usize];
        let options = ShapeOptions { max_error: error, fit, ..ShapeOptions::DEFAULT };
        let mut mask = mask;
        let mut grid = ShapeGrid::new(&mask, side, options).unwrap();
        assert_fits(&grid, &mask, options);
        for (x, y, draw) in at {
            if draw {
                mask.draw(&other, [x, y]);
            } else {
                mask.erase(&other, [x, y]);
            }
            let before = cells(&grid);
            let versions: Vec<u32> = (0..grid.len() as u32).map(|id| grid.cell(id).unwrap().version()).collect();
            let area = Rect::new(x, y, x + other.width() as i32, y + other.height() as i32);
            let changed = grid.update(&mask, area).unwrap();
            let after = cells(&grid);
            prop_assert_eq!(&after, &cells(&ShapeGrid::new(&mask, side, options).unwrap()));
            for id in 0..grid.len() {
                let is_changed = changed.contains(&(id as u32));
                prop_assert_eq!(is_changed, before[id] != after[id], "cell {}", id);
                let version = grid.cell(id as u32).unwrap().version();
                prop_assert_eq!(version, versions[id] + u32::from(is_changed));
            }
        }
        assert_fits(&grid, &mask, options);
    }
}

#[test]
fn p3_an_edit_changes_the_cells_that_it_meets_and_no_others() {
    let mut ground = Mask::solid(640, 640).unwrap();
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
        assert!(matches!(error, MaskError::ShapeOption { name: "cell side", .. }), "{error}");
    }
    assert!(ShapeGrid::new(&mask, 64, f32::NAN).is_err());
    let mut grid = ShapeGrid::new(&mask, 16, 1.0).unwrap();
    let before = cells(&grid);
    let error = grid.update(&Mask::disc(29).unwrap(), Rect::new(0, 0, 9, 9)).unwrap_err();
    assert_eq!(error, MaskError::SizeChanged { expected: [61, 61], got: [59, 59] });
    assert_eq!(cells(&grid), before);
    assert!(grid.cell(grid.len() as u32).is_none());
    let none = Mask::new(0, 0).unwrap();
    let mut empty = ShapeGrid::new(&none, 64, 1.0).unwrap();
    assert!(
        empty.is_empty()
            && empty.update(&none, Rect::new(i32::MIN, 0, i32::MAX, 9)).unwrap().is_empty()
    );
}
