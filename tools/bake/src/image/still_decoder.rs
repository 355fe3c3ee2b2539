//! Gives the texels of a decoder of the crate image to a sink, row by row.
//!
//! Used by the readers of WebP, JPEG, BMP and TGA.

use super::compositor::Row;
use super::image_file::Sink;
use image::{ColorType, ImageDecoder};

/// Remedy for a file that cannot be read with certainty.
pub(super) const AS_PNG: &str = "save the image as PNG, or with 24 or 32 bits a pixel";

/// Bytes per texel that a decoder holds at most: the texels, and a copy while it unpacks them.
pub(super) const DECODER_BYTES: u64 = 8;

/// Remedy for a file whose fourth bytes could be alpha.
pub(super) const AS_OPAQUE: &str =
    "save the image as PNG, or with 24 bits a pixel if all of it is opaque";

/// Tests whether the fourth bytes of pixels without stated alpha are padding: all 0 or all 255. Others
/// are alpha to some programs.
pub(super) fn is_padding(fourth: impl Iterator<Item = u8> + Clone) -> bool {
    fourth.clone().all(|byte| byte == 0) || fourth.clone().all(|byte| byte == 255)
}

/// Returns red, green, blue and alpha of the 1 to 4 samples of a texel: grey or colour, with or without
/// alpha.
pub(super) fn rgba(samples: &[u8]) -> [u8; 4] {
    match *samples {
        [l] => [l, l, l, 255],
        [l, a] => [l, l, l, a],
        [r, g, b] => [r, g, b, 255],
        [r, g, b, a] => [r, g, b, a],
        _ => [0; 4],
    }
}

/// Decodes the rows of an image of `size`. Images without alpha are opaque.
pub(super) fn draw(
    decoder: impl ImageDecoder,
    size: [u32; 2],
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    if <[u32; 2]>::from(decoder.dimensions()) != size {
        return Err("the image has two different sizes".to_owned());
    }
    let color = decoder.color_type();
    let channels = match color {
        ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8 => {
            usize::from(color.channel_count())
        }
        other => return Err(format!("the texels are {other:?}")),
    };
    let mut bytes = vec![0; decoder.total_bytes() as usize];
    decoder.read_image(&mut bytes).map_err(|error| error.to_string())?;
    let mut texels = Vec::with_capacity(size[0] as usize);
    for (y, row) in (0..).zip(bytes.chunks_exact((size[0] as usize).saturating_mul(channels))) {
        texels.clear();
        texels.extend(row.chunks_exact(channels).map(rgba));
        sink(Row { y, x: 0, step: 1, texels: &texels });
    }
    Ok(())
}

/// Returns the little-endian number of `N` bytes at a byte. Bytes that are missing count as 0.
pub(super) fn number<const N: usize>(bytes: &[u8], at: usize) -> u32 {
    let bytes = bytes.get(at..).and_then(<[u8]>::first_chunk::<N>).unwrap_or(&[0; N]);
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}
