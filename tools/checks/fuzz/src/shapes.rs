//! Target `shapes`: a mask as outlines, convex pieces and cells that edits change. The slow checks of the
//! library's tests compare all pairs of edges.

#[path = "../../../../tests/shapes/check.rs"]
mod check;

use arbitrary::{Result, Unstructured};
use hitmask::{Fit, Mask, ShapeOptions};

/// The largest side of a mask: the checks take time by the square of its outline.
const MAX_SIDE: u32 = 24;

/// Runs the target on one input. Panics if a property is broken.
pub fn run(data: &[u8]) {
    // An input that ends early is no fault.
    let _ = compare(&mut Unstructured::new(data));
}

fn compare(u: &mut Unstructured<'_>) -> Result<()> {
    // Sixty-fourths of a pixel, from the least error on.
    let max_error = u.int_in_range(7..=400)? as f32 / 64.0;
    let fit = [Fit::Nearest, Fit::Outside, Fit::Inside][u.int_in_range(0..=2)?];
    let max_corners = u.int_in_range(3..=12)?;
    let min_width = if u.arbitrary()? { 0.0 } else { u.int_in_range(0..=64)? as f32 / 64.0 };
    let options = ShapeOptions { max_error, fit, max_corners, min_width, ..ShapeOptions::DEFAULT };
    let mask = mask(u, MAX_SIDE)?;
    check::assert_outline(&mask, options);
    check::assert_pieces(&mask, options);
    let side = u.int_in_range(8..=16)?;
    let other = self::mask(u, MAX_SIDE / 2)?;
    let mut edits = Vec::new();
    for _ in 0..u.int_in_range(0..=3)? {
        let mut at = || u.int_in_range(-(MAX_SIDE as i32) / 2..=MAX_SIDE as i32);
        edits.push((at()?, at()?, u.arbitrary()?));
    }
    check::assert_edits(mask, &other, (side, options), &edits);
    Ok(())
}

/// A mask of a pattern, or of bits of the input.
fn mask(u: &mut Unstructured<'_>, most: u32) -> Result<Mask> {
    let (width, height) = (u.int_in_range(1..=most)?, u.int_in_range(1..=most)?);
    if u.ratio(1, 4)? {
        return Ok(check::mask(u.int_in_range(0..=6)?, width, height, u.arbitrary()?));
    }
    let mut mask = Mask::new(width, height).expect("a small mask");
    for y in 0..height as i32 {
        let bits: u32 = u.arbitrary()?;
        (0..width as i32).for_each(|x| mask.set(x, y, bits >> x & 1 == 1));
    }
    Ok(mask)
}
