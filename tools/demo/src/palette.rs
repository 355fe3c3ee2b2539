//! The colours of the demo, and the tables from a shade to a colour.

use crate::art::{BODY, DARK, EDGE, EDGE_SHARES, LIGHT};
use crate::picture::Color;

/// Background inside the area that sprites live in.
pub(crate) const PAPER: Color = [17, 20, 29, 255];
/// Background outside of that area.
pub(crate) const SPACE: Color = [9, 10, 15, 255];
/// Dots of the grid on the background.
pub(crate) const GRID: Color = [38, 44, 60, 255];
/// Outline of a sprite that touches another one.
pub const LIT_EDGE: Color = [255, 168, 62, 255];
/// Pixels that two sprites share.
pub const OVERLAP: Color = [255, 255, 255, 255];
/// Tight boxes of two sprites whose boxes overlap although no pixel does.
pub const BOX: Color = [96, 108, 134, 255];
/// Line from the middle of an overlap along its normal.
pub const NORMAL: Color = [96, 236, 255, 255];
/// Tight boxes of the pair under the pointer.
pub(crate) const HOVER: Color = [255, 236, 150, 255];

/// Body colours of sprites that touch nothing.
const HUES: [[u8; 3]; HUE_COUNT] =
    [[74, 112, 184], [52, 140, 148], [116, 104, 196], [62, 148, 110], [84, 100, 140]];
/// Number of body colours. The last one is for large sprites.
pub(crate) const HUE_COUNT: usize = 5;
/// Body colour that sprites which touch are mixed with.
const WARM: [u8; 3] = [206, 92, 48];

/// What a sprite looks like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Appearance {
    pub(crate) sprite: u16,
    pub(crate) hue: u8,
}

/// Colours of one sprite: by shade at full size, by the share of outline where it is reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    pub(crate) full: [Color; 8],
    pub(crate) reduced: [Color; EDGE_SHARES],
}

/// Returns the index of the palette of a hue, for a sprite that touches another one or none.
pub(crate) const fn palette_index(hue: u8, lit: bool) -> usize {
    2 * hue as usize + lit as usize
}

/// Returns all palettes: see [`palette_index`].
pub(crate) fn palettes() -> [Palette; 2 * HUE_COUNT] {
    std::array::from_fn(|i| {
        let hue = HUES[i / 2];
        if i % 2 == 1 {
            let body = mixed(hue, WARM, 0.72);
            palette(body, [LIT_EDGE[0], LIT_EDGE[1], LIT_EDGE[2]])
        } else {
            palette(mixed(hue, [0; 3], 0.16), hue)
        }
    })
}

fn palette(body: [u8; 3], edge: [u8; 3]) -> Palette {
    let mut full = [opaque(body); 8];
    full[EDGE as usize] = opaque(edge);
    full[LIGHT as usize] = opaque(mixed(body, [255; 3], 0.2));
    full[BODY as usize] = opaque(body);
    full[DARK as usize] = opaque(mixed(body, [0; 3], 0.28));
    // A reduced sprite is mostly outline to the eye.
    let share = |i: usize| mixed(body, edge, 0.4 + 0.6 * i as f32 / (EDGE_SHARES - 1) as f32);
    Palette { full, reduced: std::array::from_fn(|i| opaque(share(i))) }
}

const fn opaque([r, g, b]: [u8; 3]) -> Color {
    [r, g, b, 255]
}

fn mixed(from: [u8; 3], to: [u8; 3], share: f32) -> [u8; 3] {
    std::array::from_fn(|i| {
        (f32::from(from[i]) + (f32::from(to[i]) - f32::from(from[i])) * share).round() as u8
    })
}
