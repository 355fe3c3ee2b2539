//! The palette of a PNG, and the check of its transparency.
//!
//! Used by `png_image`. Invariant: an index beyond the palette is an error, and no colour is made up
//! for it.

/// The colours of an image whose samples are indices.
pub(super) struct Palette {
    colors: Vec<[u8; 4]>,
    /// Bits of an index: 1, 2, 4 or 8.
    depth: u32,
}

impl Palette {
    /// Joins the data of the chunks PLTE and tRNS. Colours without a stated alpha are opaque.
    pub(super) fn new(palette: &[u8], transparency: &[u8], depth: u32) -> Self {
        let alphas = transparency.iter().copied().chain(std::iter::repeat(255));
        let color = |(color, alpha): (&[u8], u8)| [color[0], color[1], color[2], alpha];
        Self { colors: palette.chunks_exact(3).zip(alphas).map(color).collect(), depth }
    }

    /// Appends the texels of a row of `width` packed indices.
    pub(super) fn expand(
        &self,
        row: &[u8],
        width: usize,
        texels: &mut Vec<[u8; 4]>,
    ) -> Result<(), String> {
        // Indices are packed from the upper bits of each byte.
        let shifts: &[u8] = match self.depth {
            1 => &[7, 6, 5, 4, 3, 2, 1, 0],
            2 => &[6, 4, 2, 0],
            4 => &[4, 0],
            _ => &[0],
        };
        let mask = usize::from(u8::MAX).wrapping_shr(8_u32.saturating_sub(self.depth));
        let end = texels.len().saturating_add(width);
        for &byte in row {
            for &shift in shifts {
                // The last byte may have bits to spare.
                if texels.len() == end {
                    return Ok(());
                }
                let index = usize::from(byte).wrapping_shr(shift.into()) & mask;
                let color = self.colors.get(index).ok_or_else(|| {
                    format!("colour {index} of a palette of {} is used", self.colors.len())
                })?;
                texels.push(*color);
            }
        }
        debug_assert_eq!(texels.len(), end, "the row is too short");
        Ok(())
    }
}

/// Checks the length of a chunk PLTE. Returns the fault as a predicate of the chunk.
pub(super) fn check_palette(palette: &[u8]) -> Result<(), &'static str> {
    let colors = palette.len() / 3;
    let is_whole = palette.len().is_multiple_of(3) && (1..=256).contains(&colors);
    if is_whole { Ok(()) } else { Err("has a wrong length") }
}

/// Checks a chunk tRNS of an image with the colour type `color`. Returns the fault as a predicate of
/// the chunk.
pub(super) fn check_transparency(
    color: u8,
    palette: Option<&[u8]>,
    transparency: &[u8],
) -> Result<(), &'static str> {
    let len = transparency.len();
    let is_right = match (color, palette) {
        (0, _) => len == 2,
        (2, _) => len == 6,
        (3, None) => return Err("precedes the palette"),
        (3, Some(palette)) => (1..=palette.len() / 3).contains(&len),
        // The decoder reports a colour type that does not exist.
        _ => return Err("is not allowed in an image with alpha"),
    };
    if is_right { Ok(()) } else { Err("has a wrong length") }
}

/// Returns the samples of a chunk tRNS of grey or RGB, with the bits above `depth` as 0. Decoders
/// must ignore these bits.
pub(super) fn masked_samples(transparency: &[u8], depth: u32) -> Vec<u8> {
    let mask = !u16::MAX.checked_shl(depth).unwrap_or(0);
    let sample = |pair: &[u8]| (u16::from_be_bytes([pair[0], pair[1]]) & mask).to_be_bytes();
    transparency.chunks_exact(2).flat_map(sample).collect()
}
