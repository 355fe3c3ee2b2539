//! Decodes image files to masks: PNG, APNG, GIF and WebP with the crate `image`, and Aseprite.
//!
//! Called by `frame_source` and `pages`. Invariant: sizes are checked before memory is allocated.
//! Frames of an animation are composited as a viewer shows them.

use super::{aseprite, glob_walk};
use crate::bake::solidify::{self, BODY, DecodedImage, MAX_TEXELS};
use crate::bake::{BakeError, Channel, Settings};
use crate::mask::{MAX_SIDE, Mask};
use image::codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder};
use image::{AnimationDecoder, DynamicImage, ImageDecoder, ImageError, ImageResult, Limits};
use std::io::{Cursor, Read};
use std::path::Path;

/// Decodes the images of the file at `path`, in order.
pub(super) fn stills(path: &Path, settings: &Settings) -> Result<Vec<DecodedImage>, BakeError> {
    let bytes = glob_walk::read(path)?;
    let limits = limits();
    let source = Cursor::new(bytes.as_slice());
    let damaged = |e: ImageError| BakeError::Decode { path: path.to_owned(), cause: e.to_string() };
    let file = File { path, settings };
    match kind(&bytes) {
        Some(Kind::Png) => {
            // Checked first, because the decoder reports a size beyond its limits as damage.
            if let Some(size) = png_size(&bytes) {
                file.check_size(size)?;
            }
            let decoder = PngDecoder::with_limits(source, limits).map_err(damaged)?;
            if decoder.is_apng().map_err(damaged)? {
                file.animation(decoder.apng().map_err(damaged)?)
            } else {
                file.still(DynamicImage::from_decoder(decoder))
            }
        }
        Some(Kind::Gif) => {
            let mut decoder = GifDecoder::new(source).map_err(damaged)?;
            file.check_size(decoder.dimensions())?;
            decoder.set_limits(limits).map_err(damaged)?;
            file.animation(decoder)
        }
        Some(Kind::WebP) => {
            file.check_riff(&bytes)?;
            let mut decoder = WebPDecoder::new(source).map_err(damaged)?;
            file.check_size(decoder.dimensions())?;
            decoder.set_limits(limits).map_err(damaged)?;
            if decoder.has_animation() {
                // Areas that no image covers stay transparent, whatever the background colour of
                // the file.
                decoder.set_background_color(image::Rgba([0; 4])).map_err(damaged)?;
                file.animation(decoder)
            } else {
                file.still(DynamicImage::from_decoder(decoder))
            }
        }
        Some(Kind::Aseprite) => aseprite::stills(path, &bytes, settings),
        None => Err(BakeError::NotAnImage { path: path.to_owned() }),
    }
}

/// Returns true if a file has an extension of Aseprite, but the first bytes of no image. Other
/// programs use these extensions too: .ase is a palette of Adobe and a scene of 3ds Max.
pub(in crate::bake) fn is_foreign(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !["ase", "aseprite"].iter().any(|known| known.eq_ignore_ascii_case(ending)) {
        return false;
    }
    let mut start = Vec::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(12).read_to_end(&mut start));
    // A file too short for a magic number is damaged, which is an error.
    read.is_ok() && start.len() > 5 && kind(&start).is_none()
}

/// File formats by their first bytes. Extensions are unreliable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Png,
    Gif,
    WebP,
    Aseprite,
}

fn kind(bytes: &[u8]) -> Option<Kind> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Kind::Png),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Kind::Gif),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Kind::WebP),
        _ if aseprite::is_aseprite(bytes) => Some(Kind::Aseprite),
        _ => None,
    }
}

/// Returns width and height from the header of a PNG file, if the file is long enough.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    Some((number(16)?, number(20)?))
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    // The largest permitted image, at 16 bits per channel.
    limits.max_alloc = Some(8 * u64::from(MAX_SIDE) * u64::from(MAX_SIDE));
    limits
}

/// A file that is being decoded.
struct File<'a> {
    path: &'a Path,
    settings: &'a Settings,
}

impl File<'_> {
    fn check_size(&self, (width, height): (u32, u32)) -> Result<(), BakeError> {
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(BakeError::ImageTooLarge { path: self.path.to_owned(), width, height });
        }
        Ok(())
    }

    fn damaged(&self, error: &ImageError) -> BakeError {
        BakeError::Decode { path: self.path.to_owned(), cause: error.to_string() }
    }

    /// Checks the length stated by the container. The decoder would read a truncated animation as a
    /// shorter one.
    fn check_riff(&self, bytes: &[u8]) -> Result<(), BakeError> {
        let len = bytes.get(4..8).and_then(|len| len.try_into().ok()).map(u32::from_le_bytes);
        if len.is_none_or(|len| u64::from(len) + 8 > bytes.len() as u64) {
            let cause = "the file is shorter than its header says".to_owned();
            return Err(BakeError::Decode { path: self.path.to_owned(), cause });
        }
        Ok(())
    }

    fn masks(&self, width: u32, height: u32, rgba: &[u8]) -> Result<DecodedImage, BakeError> {
        let masks = solidify::masks(width, height, rgba, self.settings);
        let [solid, visible] = masks.map_err(|_| BakeError::ImageTooLarge {
            path: self.path.to_owned(),
            width,
            height,
        })?;
        Ok(DecodedImage { planes: vec![(BODY.to_owned(), solid)], visible, pivot: None })
    }

    fn still(&self, decoded: ImageResult<DynamicImage>) -> Result<Vec<DecodedImage>, BakeError> {
        let image = decoded.map_err(|e| self.damaged(&e))?;
        let (width, height) = (image.width(), image.height());
        let reads_alpha_alone =
            self.settings.channel == Channel::Alpha && self.settings.exclude_color.is_empty();
        if reads_alpha_alone && !image.color().has_alpha() {
            // All texels are opaque: skips the conversion to 4 bytes per texel.
            let alpha = vec![255; width as usize * height as usize];
            let solid = Mask::from_alpha(width, height, &alpha, self.settings.alpha);
            let visible =
                Mask::from_alpha(width, height, &alpha, crate::mask::AlphaRule::AtLeast(1));
            if let (Ok(solid), Ok(visible)) = (solid, visible) {
                return Ok(vec![DecodedImage {
                    planes: vec![(BODY.to_owned(), solid)],
                    visible,
                    pivot: None,
                }]);
            }
        }
        Ok(vec![self.masks(width, height, image.into_rgba8().as_raw())?])
    }

    fn animation<'a>(
        &self,
        decoder: impl AnimationDecoder<'a>,
    ) -> Result<Vec<DecodedImage>, BakeError> {
        let mut stills = Vec::new();
        let mut texels = 0;
        for frame in decoder.into_frames() {
            let image = frame.map_err(|e| self.damaged(&e))?.into_buffer();
            let (width, height) = image.dimensions();
            self.check_size((width, height))?;
            // An image without texels counts as 1, because it takes memory too.
            texels += (u64::from(width) * u64::from(height)).max(1);
            if texels > MAX_TEXELS {
                return Err(BakeError::TooManyTexels { path: self.path.to_owned() });
            }
            stills.push(self.masks(width, height, image.as_raw())?);
        }
        if stills.is_empty() {
            return Err(BakeError::Decode {
                path: self.path.to_owned(),
                cause: "the file has no image".to_owned(),
            });
        }
        Ok(stills)
    }
}
