use crate::bake::BakeError;
use crate::mask::{AlphaRule, MAX_SIDE, Mask};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use std::io::Cursor;
use std::path::Path;

/// First bytes of every PNG file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The mask of a PNG file, untrimmed.
pub(in crate::bake) fn decode(path: &Path, rule: AlphaRule) -> Result<Mask, BakeError> {
    let own = || path.to_owned();
    let bytes = std::fs::read(path).map_err(|cause| BakeError::Read { path: own(), cause })?;
    if !bytes.starts_with(&SIGNATURE) {
        return Err(BakeError::NotAnImage { path: own() });
    }
    let damaged = |e: ImageError| BakeError::Decode { path: own(), cause: e.to_string() };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    let mut limits = Limits::default();
    // The largest image there may be, at 16 bits a channel.
    limits.max_alloc = Some(8 * u64::from(MAX_SIDE) * u64::from(MAX_SIDE));
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(BakeError::ImageTooLarge { path: own(), width, height });
    }
    let rgba = DynamicImage::from_decoder(decoder).map_err(damaged)?.into_rgba8();
    Mask::from_rgba(width, height, rgba.as_raw(), rule).map_err(|_| BakeError::ImageTooLarge {
        path: own(),
        width,
        height,
    })
}
