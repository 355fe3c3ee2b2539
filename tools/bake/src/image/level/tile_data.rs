//! Decodes the tile numbers of a Tiled layer: CSV, or base64 without or with compression.
//!
//! Called by `tiled_map`. Invariant: the memory follows the stated number of tiles, which the caller has
//! compared with the limits.

use crate::error::BakeError;
use crate::image::tiled::{Element, TEXT};
use crate::text::Text;
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::io::Read;

/// Base64 with or without padding, as any writer leaves it.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Returns the numbers in `element`, of which there are `count`. `form` has the encoding: it is the data of
/// the layer, or the layer itself.
pub(super) fn numbers(
    source: &Text,
    form: &Element,
    element: &Element,
    count: usize,
) -> Result<Vec<u32>, BakeError> {
    let text = element.attribute(TEXT).unwrap_or_default();
    let encoding = element.attribute("encoding").or_else(|| form.attribute("encoding"));
    let numbers = match encoding.unwrap_or_default() {
        "csv" => csv(source, element, text, count)?,
        "base64" => {
            let bytes = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<_>>();
            let packed = BASE64.decode(bytes).map_err(|error| {
                source.malformed(element.at, format!("the tiles are no base64: {error}"))
            })?;
            let bytes = unpacked(source, form, element, packed, count.saturating_mul(4))?;
            let number = |four: &[u8]| four.try_into().map(u32::from_le_bytes).unwrap_or_default();
            bytes.chunks(4).map(number).collect()
        }
        "" => {
            let tile = |tile: &Element| source.number(tile, "gid").map(|gid| gid.unwrap_or(0.0));
            let tiles = element.named("tile").map(|element| tile(element).map(|gid| gid as u32));
            tiles.take(count.saturating_add(1)).collect::<Result<Vec<_>, _>>()?
        }
        other => {
            let cause = format!("the tiles have the unknown encoding {other:?}");
            let help = "set the tile layer format to CSV in the properties of the map";
            return Err(source.refused(element.at, cause, help));
        }
    };
    if numbers.len() == count {
        return Ok(numbers);
    }
    let found = match numbers.len() {
        more if more > count => format!("over {count}"),
        found => found.to_string(),
    };
    let cause = format!("{count} tiles are expected, but there are {found}");
    Err(source.malformed(element.at, cause))
}

fn csv(source: &Text, element: &Element, text: &str, count: usize) -> Result<Vec<u32>, BakeError> {
    let mut numbers = Vec::new();
    // A comma after the last number is not one more.
    for field in text.trim_end().trim_end_matches(',').split(',').take(count.saturating_add(1)) {
        match field.trim().parse() {
            Ok(number) => numbers.push(number),
            Err(_) if text.trim().is_empty() => {}
            Err(_) => {
                let cause = format!("{:?} is no number of a tile", field.trim());
                return Err(source.malformed(element.at, cause));
            }
        }
    }
    Ok(numbers)
}

/// Returns decompressed bytes, of which at most `len` and one more number are expected.
fn unpacked(
    source: &Text,
    form: &Element,
    element: &Element,
    packed: Vec<u8>,
    len: usize,
) -> Result<Vec<u8>, BakeError> {
    let limit = len.saturating_add(4);
    let bytes = match form.attribute("compression").unwrap_or_default() {
        "" => Ok(packed),
        "zlib" => inflated(&packed, limit, true),
        "gzip" => match gzip_body(&packed) {
            Some(body) => inflated(body, limit, false),
            None => Err("it has no header of gzip".to_owned()),
        },
        "zstd" => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(&packed[..]);
            decoder.map_err(|error| error.to_string()).and_then(|decoder| {
                let mut bytes = Vec::new();
                let read = decoder.take(limit as u64).read_to_end(&mut bytes);
                read.map(|_| bytes).map_err(|error| error.to_string())
            })
        }
        other => {
            let cause = format!("the tiles have the unknown compression {other:?}");
            let help = "set the tile layer format to CSV in the properties of the map";
            return Err(source.refused(element.at, cause, help));
        }
    };
    let whole = bytes.and_then(|bytes| match bytes.len().is_multiple_of(4) {
        true => Ok(bytes),
        false => Err(format!("it has {} bytes, and 4 are a tile", bytes.len())),
    });
    whole.map_err(|cause| {
        source.malformed(element.at, format!("the data of the tiles is damaged: {cause}"))
    })
}

/// Returns the bytes of zlib, or of the body of a gzip file, whose checksum must fit. Beyond the limit there
/// are only the first bytes, which the caller counts.
fn inflated(deflated: &[u8], limit: usize, is_zlib: bool) -> Result<Vec<u8>, String> {
    use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
    use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit as inflate};
    let result = match is_zlib {
        true => decompress_to_vec_zlib_with_limit(deflated, limit),
        false => inflate(deflated, limit),
    };
    match result {
        Ok(bytes) if is_zlib => Ok(bytes),
        Ok(bytes) => {
            let sum = [crc32fast::hash(&bytes), bytes.len() as u32].map(u32::to_le_bytes).concat();
            match deflated.ends_with(&sum) {
                true => Ok(bytes),
                false => Err("its checksum at the end is wrong or missing".to_owned()),
            }
        }
        Err(error) => match error.status {
            TINFLStatus::HasMoreOutput => Ok(error.output),
            TINFLStatus::Adler32Mismatch => Err("its checksum at the end is wrong".to_owned()),
            // The data is complete.
            _ if is_zlib && inflate(deflated.get(2..).unwrap_or_default(), limit).is_ok() => {
                Err("its checksum at the end is missing".to_owned())
            }
            _ => Err(error.to_string()),
        },
    }
}

/// Returns the deflated part of a gzip file (RFC 1952), with the checksum.
fn gzip_body(file: &[u8]) -> Option<&[u8]> {
    const HAS_CRC: u8 = 2;
    const HAS_EXTRA: u8 = 4;
    const HAS_NAME: u8 = 8;
    const HAS_COMMENT: u8 = 16;
    let [31, 139, 8, flags, _, _, _, _, _, _, rest @ ..] = file else { return None };
    let mut rest = rest;
    if flags & HAS_EXTRA != 0 {
        let (len, behind) = rest.split_first_chunk()?;
        rest = behind.get(usize::from(u16::from_le_bytes(*len))..)?;
    }
    for bit in [HAS_NAME, HAS_COMMENT] {
        if flags & bit != 0 {
            let (_, behind) = rest.split_at(rest.iter().position(|&byte| byte == 0)?);
            rest = behind.get(1..)?;
        }
    }
    if flags & HAS_CRC != 0 { rest.get(2..) } else { Some(rest) }
}
