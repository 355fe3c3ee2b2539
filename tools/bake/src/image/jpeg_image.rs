//! JPEG: decodes the texels of a file, all of which are opaque.
//!
//! Called by `decode`. A file that states another orientation than upright is refused, because some programs
//! turn it and others do not.

use super::image_file::{DecodedImage, ImageFile};
use super::still_decoder::{DECODER_BYTES, draw};
use crate::error::BakeError;
use image::ImageDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::metadata::Orientation;
use std::io::Cursor;

/// The markers of the beginning of texels and of the end of the image.
const SCAN: &[u8] = &[0xFF, 0xDA];
const END: &[u8] = &[0xFF, 0xD9];

/// Decodes the only image of a file.
pub(super) fn decode(file: &ImageFile<'_>, bytes: &[u8]) -> Result<Vec<DecodedImage>, BakeError> {
    let decoder = || JpegDecoder::new(Cursor::new(bytes)).map_err(|error| error.to_string());
    let mut head = decoder().map_err(|cause| file.damaged(cause))?;
    let size = <[u32; 2]>::from(head.dimensions());
    file.check_size(size)?;
    if head.orientation().is_ok_and(|it| it != Orientation::NoTransforms) {
        let cause = "the JPEG is turned by its metadata (EXIF), which some programs ignore";
        return Err(file.unsupported(cause, "turn it upright and save it again, or save it as PNG"));
    }
    // The decoder would fill the rest with grey.
    let last = |marker| bytes.windows(2).rposition(|two| two == marker);
    if last(END) < last(SCAN) {
        return Err(file.damaged("the file ends before its image"));
    }
    file.still(size, DECODER_BYTES, |sink| draw(decoder()?, size, sink))
}
