//! TGA: checks the header of a file, and decodes its texels.
//!
//! Called by `decode`. A file has no magic number, so it is known by its extension. Texels have alpha
//! only where the descriptor states bits for it. Content that programs read in different ways is
//! refused, such as fourth bytes that look like alpha.

use super::compositor::Row;
use super::image_file::{DecodedImage, ImageFile, reads_alpha_alone};
use super::still_decoder::{AS_OPAQUE, AS_PNG, DECODER_BYTES, draw, is_padding, number};
use crate::error::BakeError;
use image::codecs::tga::TgaDecoder;
use std::io::Cursor;

/// Bytes of the header.
const HEADER: usize = 18;

/// The last bytes of a file of version 2, after 8 bytes with the places of other parts.
const FOOTER: &[u8] = b"TRUEVISION-XFILE.\0";

/// The place of the kind of alpha in the extension area.
const ALPHA_KIND: usize = 494;

/// Kinds of alpha in the extension area: alpha, and alpha by which the colours are multiplied.
const USEFUL: u8 = 3;
const PREMULTIPLIED: u8 = 4;

/// Tests whether a file can be a TGA. Other files with the extension are no images.
pub(super) fn is_tga(bytes: &[u8]) -> bool {
    // Kinds of images above 11 are compressed in other ways, and are refused by name.
    matches!(bytes, [_, 0 | 1, 0..=3 | 9..=11 | 32 | 33, ..]) && bytes.len() >= HEADER
}

/// Decodes the only image of a file.
pub(super) fn decode(file: &ImageFile<'_>, bytes: &[u8]) -> Result<Vec<DecodedImage>, BakeError> {
    let (kind, descriptor) = (bytes[2], bytes[17]);
    let size = [12, 14].map(|at| number::<2>(bytes, at));
    file.check_size(size)?;
    if size.contains(&0) || kind == 0 {
        return Err(file.damaged("the file has no image"));
    }
    let unsupported = |cause: String| Err(file.unsupported(cause, AS_PNG));
    if kind > 11 {
        return unsupported(format!("the TGA has the type {kind}"));
    }
    if descriptor & 0xC0 != 0 {
        return unsupported("the rows of the TGA are interleaved".to_owned());
    }
    let (is_mapped, is_grey) = (matches!(kind, 1 | 9), matches!(kind, 3 | 11));
    // A mapped image stores indices, and its map the colours.
    let bits = bytes[if is_mapped { 7 } else { 16 }];
    let has_alpha = match (bits, descriptor & 15) {
        (8, 0) if is_grey => false,
        (16, 8) if is_grey => true,
        (15 | 16 | 24 | 32, 0) if !is_grey => false,
        (32, 8) if !is_grey => true,
        (_, of_alpha) => {
            return unsupported(format!(
                "the TGA has {bits} bits a pixel, {of_alpha} of them for alpha"
            ));
        }
    };
    if has_alpha && let Some(stated) = stated_alpha(bytes) {
        let reads_colors = !reads_alpha_alone(file.settings);
        match stated {
            USEFUL => {}
            PREMULTIPLIED if !reads_colors => {}
            PREMULTIPLIED => return unsupported("the TGA has premultiplied colours".to_owned()),
            _ => {
                let cause = "the TGA has bits for alpha, but its extension area says that they have no meaning";
                return unsupported(cause.to_owned());
            }
        }
    }
    // In 64 bits, because the texels of 32 bytes each exceed 32 bits.
    let bytes_of = |bits: u8| u64::from(bits.div_ceil(8));
    let map = u64::from(bytes[1]).saturating_mul(number::<2>(bytes, 5).into());
    let map = map.saturating_mul(bytes_of(bytes[7]));
    let texels = u64::from(size[0]).saturating_mul(size[1].into());
    let texels = texels.saturating_mul(bytes_of(bytes[16]));
    // A compressed packet of 2 bytes and more stands for up to 128 texels.
    let least = if kind > 8 { texels / 128 } else { texels };
    let head = (HEADER as u64).saturating_add(bytes[0].into());
    if head.saturating_add(map).saturating_add(least) > bytes.len() as u64 {
        return Err(file.damaged("the file ends before its last row"));
    }
    // The least and the largest fourth byte.
    let (mut fourth, mut texels) = ([255, 0], Vec::new());
    let images = file.still(size, DECODER_BYTES, |sink| {
        let decoder = TgaDecoder::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
        if has_alpha {
            return draw(decoder, size, sink);
        }
        draw(decoder, size, &mut |row| {
            let alphas = || row.texels.iter().map(|&[.., a]| a);
            fourth = [alphas().fold(fourth[0], u8::min), alphas().fold(fourth[1], u8::max)];
            texels.clear();
            texels.extend(row.texels.iter().map(|&[r, g, b, _]| [r, g, b, 255]));
            sink(Row { texels: &texels, ..row });
        })
    })?;
    if !has_alpha && !is_padding(fourth.into_iter()) {
        let cause = "the descriptor states no alpha, but the fourth bytes of the colours differ from 0 and 255, which some programs show as alpha";
        return Err(file.unsupported(cause, AS_OPAQUE));
    }
    Ok(images)
}

/// Returns the kind of alpha that the extension area states, if the file has one.
fn stated_alpha(bytes: &[u8]) -> Option<u8> {
    let rest = bytes.strip_suffix(FOOTER)?;
    let at = number::<4>(rest, rest.len().checked_sub(8)?) as usize;
    if at == 0 { None } else { bytes.get(at..)?.get(ALPHA_KIND).copied() }
}
