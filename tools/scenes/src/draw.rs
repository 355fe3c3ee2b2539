//! The project's own sprites, drawn by code: shapes that cover the special cases of masks.

use hitmask::{AlphaRule, AtlasBuilder, Mask};

/// An RGBA image with a sprite name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Name of the sprite.
    pub name: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// RGBA bytes, row by row: `4 * width * height`.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// Returns its mask by the default rule: alpha of at least 128 is solid.
    ///
    /// # Panics
    /// If the number of bytes does not match the size, which would be a bug.
    #[must_use]
    pub fn mask(&self) -> Mask {
        Mask::from_rgba(self.width, self.height, &self.rgba, AlphaRule::default())
            .expect("a picture's bytes fit its size")
    }
}

/// Draws a picture. `alpha(x, y)` gives the alpha of a texel at (x, y) pixels from the image's
/// centre.
fn picture(
    name: &'static str,
    [width, height]: [u32; 2],
    [r, g, b]: [u8; 3],
    alpha: impl Fn(f32, f32) -> u8,
) -> Picture {
    let mut rgba = Vec::with_capacity((4 * width * height) as usize);
    for y in 0..height {
        for x in 0..width {
            let dx = x as f32 + 0.5 - width as f32 / 2.0;
            let dy = y as f32 + 0.5 - height as f32 / 2.0;
            let a = alpha(dx, dy);
            rgba.extend(if a == 0 { [0; 4] } else { [r, g, b, a] });
        }
    }
    Picture { name, width, height, rgba }
}

const fn solid(is_inside: bool) -> u8 {
    if is_inside { 255 } else { 0 }
}

/// Returns all sprites, in the order of their names.
#[must_use]
pub fn all() -> Vec<Picture> {
    let length = |x: f32, y: f32| (x * x + y * y).sqrt();
    vec![
        // Long and thin, wider than two strips.
        picture("bar", [130, 6], [200, 80, 60], |_, _| 255),
        // A round shape with two holes.
        picture("blob", [100, 90], [90, 190, 110], |x, y| {
            let lumps = length(x + 12.0, y) < 34.0 || length(x - 22.0, y + 8.0) < 26.0;
            let holes = length(x + 18.0, y + 4.0) < 9.0 || length(x - 24.0, y + 6.0) < 7.0;
            solid(lumps && !holes)
        }),
        picture("checker", [40, 40], [220, 220, 220], |x, y| {
            solid((((x + 20.0) / 4.0) as i32 + ((y + 20.0) / 4.0) as i32) % 2 == 0)
        }),
        picture("crescent", [57, 60], [240, 220, 120], |x, y| {
            solid(length(x, y) < 27.0 && length(x - 12.0, y - 6.0) > 20.0)
        }),
        // One pixel wide: any lost pixel breaks it.
        picture("diagonal", [48, 48], [255, 120, 200], |x, y| solid(x == y)),
        picture("dot", [1, 1], [255, 255, 255], |_, _| 255),
        picture("empty", [32, 32], [0, 0, 0], |_, _| 0),
        // Odd width and height: the pivot is at the centre of a pixel.
        picture("fighter", [33, 47], [120, 160, 240], |x, y| {
            let hull = x.abs() < 5.0 && y.abs() < 22.0;
            let wings = y > 0.0 && x.abs() < 15.0 && x.abs() + y < 24.0;
            solid(hull || wings)
        }),
        // A border only: boxes overlap long before pixels do.
        picture("frame", [128, 128], [150, 150, 170], |x, y| solid(x.abs().max(y.abs()) > 58.0)),
        picture("hull", [64, 64], [110, 140, 200], |x, y| {
            solid(y.abs() < 26.0 && x.abs() < 28.0 - (y + 26.0) * 0.3)
        }),
        picture("ring", [64, 64], [250, 180, 70], |x, y| {
            let r = length(x, y);
            solid(20.0 < r && r < 31.0)
        }),
        // Alpha falls towards the edge, so the threshold decides the size.
        picture("soft", [70, 71], [160, 220, 250], |x, y| {
            (255.0 - length(x, y) * 7.5).clamp(0.0, 255.0) as u8
        }),
        // Five points: a texel is inside if it is outside of at most one edge line.
        picture("star", [80, 77], [255, 240, 100], |x, y| {
            const EDGES: [[f32; 2]; 5] =
                [[0.0, 1.0], [0.951, 0.309], [0.588, -0.809], [-0.588, -0.809], [-0.951, 0.309]];
            let outside = EDGES.iter().filter(|[nx, ny]| x * nx + y * ny > 14.0).count();
            solid(outside <= 1 && length(x, y) < 38.0)
        }),
        // Wider than five strips, odd width and even height.
        picture("whale", [341, 260], [80, 110, 160], |x, y| {
            let body = (x / 150.0).powi(2) + (y / 70.0).powi(2) < 1.0;
            let tail = x > 110.0 && (y.abs() - (x - 110.0)).abs() < 22.0;
            solid(body || tail)
        }),
    ]
}

/// Returns the sprite of this name.
///
/// # Panics
/// If there is no such sprite.
#[must_use]
pub fn named(name: &str) -> Picture {
    all().into_iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no sprite {name:?}"))
}

/// Returns a bake of the drawn sprites whose width in pixels is in `widths`.
#[must_use]
pub fn bake_of(widths: impl std::ops::RangeBounds<u32>) -> AtlasBuilder {
    let pictures = all().into_iter().filter(|picture| widths.contains(&picture.width));
    pictures.fold(AtlasBuilder::new(), |bake, p| bake.mask(p.name, p.mask()))
}
