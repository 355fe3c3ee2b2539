//! The part of two masks that a failing test prints.

use hitmask::{MaskRef, Point};

/// Half of the width and height of a part, in pixels.
const REACH: [i32; 2] = [24, 8];

/// Returns the pixels of `a` and of `b`, moved by `offset`, around `at`, as rows of text. `#` is a pixel of
/// both, `a` and `b` one of a single mask. A frame of blanks is outside of both masks.
#[must_use]
pub fn crop(a: MaskRef<'_>, b: MaskRef<'_>, offset: Point, at: Point) -> String {
    let [across, down] = REACH;
    let is_in = |mask: MaskRef<'_>, x: i32, y: i32| {
        let inside = |at: i32, side: u32| u32::try_from(at).is_ok_and(|at| at < side);
        inside(x, mask.width()) && inside(y, mask.height())
    };
    let letter = |x: i32, y: i32| {
        let (u, v) = (x.wrapping_sub(offset.x), y.wrapping_sub(offset.y));
        match (a.get(x, y), b.get(u, v)) {
            (true, true) => '#',
            (true, false) => 'a',
            (false, true) => 'b',
            (false, false) if is_in(a, x, y) || is_in(b, u, v) => '.',
            (false, false) => ' ',
        }
    };
    let around = |at: i32, reach: i32| at.saturating_sub(reach)..=at.saturating_add(reach);
    let row = |y| around(at.x, across).map(|x| letter(x, y)).collect::<String>();
    let rows: Vec<String> = around(at.y, down).map(|y| row(y).trim_end().to_owned()).collect();
    let Point { x, y } = at;
    format!("around ({x}, {y}), the middle of:\n{}", rows.join("\n"))
}
