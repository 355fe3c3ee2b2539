//! BMP: checks the header of a file, and decodes its texels.
//!
//! Called by `decode`. Texels have alpha only where the header has a mask for it, also in a file that
//! states its pixels as uncompressed. Other images are opaque. Content that programs read in different
//! ways is refused, such as fourth bytes that look like alpha.

use super::image_file::{DecodedImage, ImageFile};
use super::still_decoder::{AS_OPAQUE, AS_PNG, DECODER_BYTES, draw, is_padding, number};
use crate::error::BakeError;
use image::codecs::bmp::BmpDecoder;
use std::borrow::Cow;
use std::io::Cursor;

/// Bytes before the header that states its own length.
const FILE_HEADER: usize = 14;

/// Lengths of the known headers. Only those of 56 bytes and more have a mask for alpha.
const HEADERS: [u32; 6] = [12, 40, 52, 56, 108, 124];

/// Values of the field for the compression.
const UNCOMPRESSED: u32 = 0;
const RLE8: u32 = 1;
const RLE4: u32 = 2;
const MASKS: u32 = 3;

/// The bytes of the compression and of the masks of red, green, blue and alpha, in the header.
const COMPRESSION_AT: usize = 16;
const MASKS_AT: usize = 40;

/// The masks of red, green and blue in uncompressed pixels of 16 and of 32 bits.
const PLAIN_16: [u32; 3] = [0x7C00, 0x03E0, 0x001F];
const PLAIN_32: [u32; 3] = [0x00FF_0000, 0x0000_FF00, 0x0000_00FF];

/// Tests whether a file can be a BMP. Its magic number has two letters, so a text can begin alike.
pub(super) fn is_bmp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BM") && (1..=255).contains(&number::<4>(bytes, FILE_HEADER))
}

/// Decodes the only image of a file.
pub(super) fn decode(file: &ImageFile<'_>, bytes: &[u8]) -> Result<Vec<DecodedImage>, BakeError> {
    let header = Header::read(file, bytes)?;
    let [width, height] = header.size;
    if matches!(header.compression, RLE8 | RLE4) {
        let data = bytes.get(header.data..).unwrap_or_default();
        check_runs(data, header.size, header.compression == RLE4).map_err(|fault| match fault {
            Fault::Damaged(cause) => file.damaged(cause),
            Fault::LeavesOut => {
                let cause =
                    "the compressed rows leave pixels out, which viewers show as clear or as black";
                file.unsupported(cause, AS_PNG)
            }
        })?;
    } else {
        let row_bits = u64::from(width).saturating_mul(header.bits.into());
        let row = row_bits.div_ceil(32).saturating_mul(4);
        let needed = (header.data as u64).saturating_add(row.saturating_mul(height.into()));
        if needed > bytes.len() as u64 {
            return Err(file.damaged("the file ends before its last row"));
        }
        let pixels = bytes.get(header.data..needed as usize).unwrap_or_default();
        let fourth = pixels.as_chunks::<4>().0.iter().map(|&[.., fourth]| fourth);
        if header.may_have_alpha && !is_padding(fourth) {
            let cause = "the header states no alpha, but the fourth bytes of the pixels differ from 0 and 255, which some programs show as alpha";
            return Err(file.unsupported(cause, AS_OPAQUE));
        }
    }
    file.still(header.size, DECODER_BYTES, |sink| {
        let bytes = header.with_masks(bytes);
        let decoder = BmpDecoder::new(Cursor::new(&*bytes)).map_err(|error| error.to_string())?;
        draw(decoder, header.size, sink)
    })
}

/// The fields of the header that affect the texels.
struct Header {
    size: [u32; 2],
    /// Bits of a pixel.
    bits: u32,
    compression: u32,
    /// The first byte of the rows.
    data: usize,
    /// The masks of uncompressed pixels with alpha.
    plain_masks: Option<[u32; 4]>,
    /// True if pixels have a fourth byte whose meaning is not stated.
    may_have_alpha: bool,
}

impl Header {
    fn read(file: &ImageFile<'_>, bytes: &[u8]) -> Result<Self, BakeError> {
        let len = number::<4>(bytes, FILE_HEADER);
        if !HEADERS.contains(&len) {
            let cause = format!("the BMP header has {len} bytes, so its version is unknown");
            return Err(file.unsupported(cause, AS_PNG));
        }
        let is_short = len == HEADERS[0];
        let field = |at: usize| number::<4>(bytes, FILE_HEADER.saturating_add(at));
        let size = if is_short {
            [FILE_HEADER + 4, FILE_HEADER + 6].map(|at| number::<2>(bytes, at))
        } else {
            // Rows of a negative height are stored from the top.
            [field(4), field(8).cast_signed().unsigned_abs()]
        };
        file.check_size(size)?;
        if size.contains(&0) {
            let [width, height] = size;
            return Err(file.damaged(format!("the image has {width} x {height} pixels")));
        }
        let bits = number::<2>(bytes, if is_short { FILE_HEADER + 10 } else { FILE_HEADER + 14 });
        let compression = if is_short { UNCOMPRESSED } else { field(COMPRESSION_AT) };
        let is_known = match compression {
            UNCOMPRESSED => [1, 2, 4, 8, 16, 24, 32].contains(&bits),
            RLE8 => bits == 8,
            RLE4 => bits == 4,
            MASKS => bits == 16 || bits == 32,
            _ => false,
        };
        if !is_known {
            let cause = format!("{bits} bits a pixel with the BMP compression {compression}");
            return Err(file.unsupported(cause, AS_PNG));
        }
        let masks: [u32; 4] = [40, 44, 48, 52].map(field);
        // A mask beyond the bits of a pixel has no effect. Some programs always write one.
        let in_pixel = u32::MAX.checked_shl(bits).map_or(u32::MAX, |above| !above);
        let has_pixels = matches!(compression, UNCOMPRESSED | MASKS) && bits >= 16;
        let alpha = if len >= HEADERS[3] && has_pixels { masks[3] & in_pixel } else { 0 };
        if alpha.count_ones() > 8 {
            let cause = format!("the alpha of the BMP has {} bits", alpha.count_ones());
            return Err(file.unsupported(cause, AS_PNG));
        }
        let mut plain_masks = None;
        if compression == UNCOMPRESSED && alpha != 0 {
            let plain = if bits == 16 { PLAIN_16 } else { PLAIN_32 };
            let [red, green, blue] = plain;
            let is_plain = [plain, [0; 3]].contains(&[masks[0], masks[1], masks[2]]);
            if !is_plain || bits == 24 || alpha & (red | green | blue) != 0 {
                let cause = format!(
                    "the BMP is uncompressed, but states the colour masks {:#x}, {:#x}, {:#x} and the alpha mask {alpha:#x}, which programs read in different ways",
                    masks[0], masks[1], masks[2]
                );
                return Err(file.unsupported(cause, AS_PNG));
            }
            plain_masks = Some([red, green, blue, alpha]);
        }
        let data = number::<4>(bytes, 10) as usize;
        if data < FILE_HEADER.saturating_add(len as usize) {
            return Err(file.damaged(format!("the rows begin at byte {data}, in the header")));
        }
        let may_have_alpha = compression == UNCOMPRESSED && bits == 32 && alpha == 0;
        Ok(Self { size, bits, compression, data, plain_masks, may_have_alpha })
    }

    /// Returns the file with its alpha mask in the form that decoders follow: they ignore the masks
    /// of uncompressed pixels.
    fn with_masks<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let Some(masks) = self.plain_masks else { return Cow::Borrowed(bytes) };
        let mut bytes = bytes.to_vec();
        let mut set = |at: usize, field: &[u8]| {
            let place = bytes.get_mut(FILE_HEADER.saturating_add(at)..);
            if let Some(place) = place.and_then(|place| place.get_mut(..field.len())) {
                place.copy_from_slice(field);
            }
        };
        set(COMPRESSION_AT, &MASKS.to_le_bytes());
        set(MASKS_AT, &masks.map(u32::to_le_bytes).concat());
        Cow::Owned(bytes)
    }
}

/// The fault of compressed rows.
enum Fault {
    Damaged(String),
    /// Some pixels have no value.
    LeavesOut,
}

/// Checks that compressed rows give each pixel a value.
fn check_runs(data: &[u8], [width, height]: [u32; 2], is_rle4: bool) -> Result<(), Fault> {
    let cut = || Fault::Damaged("the file ends before its last row".to_owned());
    let (mut rest, mut x, mut y) = (data, 0_u32, 0_u32);
    while y < height {
        let &[count, value, ref after @ ..] = rest else { return Err(cut()) };
        rest = after;
        let pixels = match (count, value) {
            (0, 0) if x == width => {
                (x, y) = (0, y.saturating_add(1));
                0
            }
            // The end of a row or of the image, or a jump to another pixel.
            (0, 0..=2) => {
                let is_whole = value == 1 && y.saturating_add(1) == height && x == width;
                return if is_whole { Ok(()) } else { Err(Fault::LeavesOut) };
            }
            // Pixels follow, padded to an even number of bytes.
            (0, pixels) => {
                let pixel_bytes = if is_rle4 { pixels.div_ceil(2) } else { pixels };
                let padded = usize::from(pixel_bytes).next_multiple_of(2);
                rest = rest.get(padded..).unwrap_or_default();
                pixels
            }
            (pixels, _) => pixels,
        };
        // At most 255 above a width within the limit.
        x = x.saturating_add(pixels.into());
        if x > width {
            return Err(Fault::Damaged(format!("row {y} from the bottom has over {width} pixels")));
        }
    }
    Ok(())
}
