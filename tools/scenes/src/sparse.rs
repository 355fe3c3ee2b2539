//! Masks of few pixels at any size, with the list of their pixels: for tests at the largest sides.

use crate::Random;
use hitmask::{Contact, Mask, MaskRef, Point, Rect, ScanOrder};
use std::collections::HashSet;

/// Sides of masks with the largest possible width or height. Some have one pixel on the other axis,
/// others several strips of 64 columns.
pub const LARGE_SIZES: [[u32; 2]; 6] = {
    const MAX: u32 = hitmask::MAX_SIDE;
    [[MAX, 1], [1, MAX], [MAX, 64], [64, MAX], [MAX, 130], [130, MAX]]
};

/// Draws a mask with both ends of both diagonals set, 40 dots and up to 3 solid squares of 24 px.
///
/// # Panics
/// If a side is 0 or exceeds the largest side of a mask.
#[must_use]
pub fn sparse(width: u32, height: u32, random: &mut Random) -> Mask {
    let mut mask = Mask::new(width, height).expect("a legal side");
    let [w, h] = [width, height].map(u32::cast_signed);
    for (x, y) in [(0, 0), (w - 1, 0), (0, h - 1), (w - 1, h - 1)] {
        mask.set(x, y, true);
    }
    for _ in 0..40 {
        mask.set(random.within(0, w), random.within(0, h), true);
    }
    for _ in 0..3 {
        let (x, y) = (random.within(-20, w), random.within(-20, h));
        mask.fill_rect(Rect::new(x, y, x + 24, y + 24), true);
    }
    mask
}

/// Returns the set pixels of a mask, by rectangles: in time proportional to the words of the mask.
#[must_use]
pub fn pixels(mask: MaskRef<'_>) -> Vec<Point> {
    let rows = mask.rects().into_iter().flat_map(|r| (r.y0..r.y1).map(move |y| (r, y)));
    rows.flat_map(|(r, y)| (r.x0..r.x1).map(move |x| Point::new(x, y))).collect()
}

/// Returns the pixels set in `a` and in `b`, moved by `offset`, row by row. Reads no word of a mask,
/// so that few pixels at any distance take little time.
#[must_use]
pub fn shared_pixels(a: &[Point], b: &HashSet<Point>, offset: Point) -> Vec<Point> {
    let mut shared: Vec<Point> = a.iter().copied().filter(|&p| b.contains(&(p - offset))).collect();
    shared.sort_unstable_by_key(|p| (p.y, p.x));
    shared
}

/// Returns the box, the area and the first pixel of shared pixels.
#[must_use]
pub fn rect_of(shared: &[Point]) -> Option<Rect> {
    let side =
        |of: fn(&Point) -> i32| Some((shared.iter().map(of).min()?, shared.iter().map(of).max()?));
    let ((x0, x1), (y0, y1)) = (side(|p| p.x)?, side(|p| p.y)?);
    Some(Rect::new(x0, y0, x1 + 1, y1 + 1))
}

/// Tests whether a contact states the box, the area and the topmost pixel of shared pixels.
#[must_use]
pub fn is_contact_of(contact: Option<Contact>, shared: &[Point]) -> bool {
    let stated = contact.map(|contact| (contact.rect, contact.area, contact.point));
    let first = shared.iter().copied().min_by_key(|p| (p.y, p.x));
    stated == rect_of(shared).zip(first).map(|(rect, first)| (rect, shared.len() as u64, first))
}

/// Returns the first of shared pixels in a scan order.
#[must_use]
pub fn first_of(order: ScanOrder, shared: &[Point]) -> Option<Point> {
    let key = |p: &Point| match order {
        ScanOrder::Top => (p.y, p.x),
        ScanOrder::Bottom => (-p.y, p.x),
        ScanOrder::Left => (p.x, p.y),
        ScanOrder::Right => (-p.x, p.y),
    };
    shared.iter().copied().min_by_key(key)
}
