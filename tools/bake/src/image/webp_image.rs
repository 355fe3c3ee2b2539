//! WebP: reads the chunks of a file, and decodes the texels of single frames.
//!
//! Called by `decode`. Each frame of an animation is decoded as a still image of its own size.
//! Invariant: the background colour of a file has no effect; its canvas begins transparent.

use super::compositor::{Blend, Disposal, Placement};
use super::image_file::{DecodedImage, ImageFile, Sink};
use super::still_decoder::{self, number};
use crate::error::BakeError;
use image::ImageDecoder;
use image::codecs::webp::WebPDecoder;
use std::io::Cursor;

/// Bytes per texel that the decoder holds.
const DECODER_BYTES: u64 = 4;

/// Flag of the chunk VP8X: the image has alpha.
const ALPHA: u8 = 0x10;

/// Flag of the chunk VP8X: the file is an animation.
const ANIMATION: u8 = 0x02;

/// Decodes the images of a file, in order.
pub(super) fn decode(file: &ImageFile<'_>, bytes: &[u8]) -> Result<Vec<DecodedImage>, BakeError> {
    let damaged = |cause: String| file.damaged(cause);
    // The decoder would read a truncated animation as a shorter one.
    let len = number::<4>(bytes, 4) as usize;
    let body = bytes
        .get(8..)
        .and_then(|body| body.get(..len))
        .ok_or_else(|| damaged("the file is shorter than its header says".to_owned()))?;
    let body = body.get(4..).unwrap_or_default();
    let (name, header) = Chunks(body).next().transpose().map_err(damaged)?.unwrap_or_default();
    match name {
        b"VP8L" => {
            // Both sides less 1, in 14 bits each.
            let sides = number::<4>(header, 1);
            let size = [sides, sides >> 14].map(|side| (side & 0x3FFF).saturating_add(1));
            file.still(size, DECODER_BYTES, |sink| {
                draw(&still_file(size, &[(b"VP8L", header)]), size, sink)
            })
        }
        b"VP8X" if header.first().is_some_and(|flags| flags & ANIMATION != 0) => {
            let size = [4, 7].map(|at| number::<3>(header, at).saturating_add(1));
            file.check_size(size)?;
            let frames = frames(body, size).map_err(damaged)?;
            let placements: Vec<Placement> = frames.iter().map(|frame| frame.placement).collect();
            file.animation(size, &placements, DECODER_BYTES, &mut |i, sink| {
                let size = frames[i].placement.size;
                draw(&still_file(size, &frames[i].chunks), size, sink)
            })
        }
        b"VP8X" => {
            let size = [4, 7].map(|at| number::<3>(header, at).saturating_add(1));
            file.check_size(size)?;
            let chunks = image_chunks(body).map_err(damaged)?;
            file.still(size, DECODER_BYTES, |sink| draw(&still_file(size, &chunks), size, sink))
        }
        _ => {
            let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|e| file.damaged(e))?;
            let (width, height) = decoder.dimensions();
            file.still([width, height], DECODER_BYTES, |sink| draw(bytes, [width, height], sink))
        }
    }
}

/// A frame of an animation.
struct Frame<'a> {
    placement: Placement,
    chunks: Vec<ImageChunk<'a>>,
}

/// A chunk of the texels of an image: the name and the data.
type ImageChunk<'a> = (&'static [u8; 4], &'a [u8]);

/// The chunks of a container: the name and the data of each.
struct Chunks<'a>(&'a [u8]);

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<(&'a [u8], &'a [u8]), String>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        if self.0.len() < 8 {
            self.0 = &[];
            return Some(Err("it is cut off in the head of a chunk".to_owned()));
        }
        let (name, len) = (self.0.get(..4).unwrap_or_default(), number::<4>(self.0, 4) as usize);
        let Some(data) = self.0.get(8..).and_then(|rest| rest.get(..len)) else {
            self.0 = &[];
            return Some(Err(format!("chunk {} is cut off", name.escape_ascii())));
        };
        // Chunks begin at even bytes.
        let padded = len.checked_next_multiple_of(2).and_then(|len| len.checked_add(8));
        self.0 = padded.and_then(|len| self.0.get(len..)).unwrap_or_default();
        Some(Ok((name, data)))
    }
}

/// Returns the frames of an animation on a canvas of `size`.
fn frames(body: &[u8], size: [u32; 2]) -> Result<Vec<Frame<'_>>, String> {
    let mut frames = Vec::new();
    for chunk in Chunks(body) {
        let (name, data) = chunk?;
        if name == b"ANMF" {
            let frame = frame(data, size);
            frames.push(frame.map_err(|cause| format!("frame {}: {cause}", frames.len()))?);
        }
    }
    Ok(frames)
}

/// Reads a chunk ANMF.
fn frame(data: &[u8], size: [u32; 2]) -> Result<Frame<'_>, String> {
    let (Some(&flags), Some(chunks)) = (data.get(15), data.get(16..)) else {
        return Err("chunk ANMF is cut off".to_owned());
    };
    let placement = Placement {
        corner: [0, 3].map(|at| number::<3>(data, at).saturating_mul(2)),
        size: [6, 9].map(|at| number::<3>(data, at).saturating_add(1)),
        disposal: if flags & 1 == 0 { Disposal::Keep } else { Disposal::Clear },
        blend: if flags & 2 == 0 { Blend::Over } else { Blend::Replace },
    };
    if !placement.fits(size) {
        let Placement { corner: [x, y], size: [width, height], .. } = placement;
        return Err(format!("{width} x {height} pixels at {x},{y} exceed the image"));
    }
    Ok(Frame { placement, chunks: image_chunks(chunks)? })
}

/// Returns the chunks of the only image in a frame or a still file: its alpha, if it has its own
/// chunk, and its texels. The flag of alpha in chunk VP8X has no effect, as in other decoders.
fn image_chunks(chunks: &[u8]) -> Result<Vec<ImageChunk<'_>>, String> {
    let (mut alpha, mut texels) = (None, None);
    for chunk in Chunks(chunks) {
        let is_second = match chunk? {
            (b"ALPH", _) if texels.is_some() => {
                return Err("chunk ALPH follows the image".to_owned());
            }
            (b"ALPH", data) => alpha.replace((b"ALPH", data)).is_some(),
            (b"VP8 ", data) => texels.replace((b"VP8 ", data)).is_some(),
            (b"VP8L", data) => texels.replace((b"VP8L", data)).is_some(),
            (b"ANMF", _) => return Err("chunk ANMF is in an image without animation".to_owned()),
            _ => false,
        };
        if is_second {
            return Err("there are two images".to_owned());
        }
    }
    let texels = texels.ok_or("there is no image")?;
    // A lossless image holds its own alpha.
    let alpha = alpha.filter(|_| texels.0 == b"VP8 ");
    Ok(alpha.into_iter().chain([texels]).collect())
}

/// Returns a file of one still image of `size`, from the chunks of its texels.
fn still_file(size: [u32; 2], chunks: &[ImageChunk<'_>]) -> Vec<u8> {
    // The decoder drops the alpha of an image without the flag.
    let has_alpha = chunks.iter().any(|(name, _)| *name != b"VP8 ");
    let mut head = vec![if has_alpha { ALPHA } else { 0 }, 0, 0, 0];
    size.iter().for_each(|side| head.extend(&side.saturating_sub(1).to_le_bytes()[..3]));
    let mut body = b"WEBP".to_vec();
    for (name, data) in [(b"VP8X", head.as_slice())].iter().chain(chunks) {
        body.extend_from_slice(*name);
        body.extend((data.len() as u32).to_le_bytes());
        body.extend_from_slice(data);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

/// Decodes the rows of a file that holds one still image of `size`.
fn draw(webp: &[u8], size: [u32; 2], sink: &mut Sink<'_>) -> Result<(), String> {
    let decoder = WebPDecoder::new(Cursor::new(webp)).map_err(|error| error.to_string())?;
    still_decoder::draw(decoder, size, sink)
}
