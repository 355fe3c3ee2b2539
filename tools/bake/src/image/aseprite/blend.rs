//! Draws single pixels of an Aseprite file over others.
//!
//! Called by `compose`. Invariant: results are those of Aseprite, with its rounding.

/// Pixels to colours, and their opacity.
pub(super) struct Brush {
    /// The palette of an indexed file.
    pub(super) colors: Option<Box<[[u8; 4]; 256]>>,
    pub(super) opacity: u8,
}

impl Brush {
    /// Draws one pixel.
    pub(super) fn apply(&self, pixel: &[u8], back: &mut [u8; 4]) {
        let front = match (pixel, &self.colors) {
            (&[r, g, b, a], _) => [r, g, b, a],
            (&[value, a], _) => [value, value, value, a],
            (&[index], Some(colors)) => colors[usize::from(index)],
            _ => [0; 4],
        };
        blend(front, self.opacity, back);
    }
}

/// Source-over compositing: adds the part of the back that is not covered.
pub(super) fn blend([r, g, b, a]: [u8; 4], opacity: u8, back: &mut [u8; 4]) {
    let front = product(a, opacity);
    if front == 0 {
        return;
    }
    // At most 255, because the product is at most 255 - front.
    let alpha = front.saturating_add(product(back[3], !front));
    for (back, part) in back.iter_mut().zip([r, g, b]) {
        // No step takes more than 17 bits. Alpha is at least the front, so it is not 0.
        let step = i32::from(part).wrapping_sub((*back).into()).wrapping_mul(front.into());
        let step = step.checked_div(alpha.into()).unwrap_or(i32::MAX);
        debug_assert_ne!(step, i32::MAX, "the alpha of two drawn pixels is 0");
        *back = i32::from(*back).wrapping_add(step) as u8;
    }
    back[3] = alpha;
}

/// Multiplies two fractions of 255, rounded.
pub(super) fn product(a: u8, b: u8) -> u8 {
    // At most 255 * 255 + 127.
    (u32::from(a).wrapping_mul(b.into()).wrapping_add(127) / 255) as u8
}
