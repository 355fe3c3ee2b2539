//! PNG and APNG: reads the chunks of a file, and decodes the texels of single frames.
//!
//! Called by `decode`. Each frame is decoded as a still image of its own size, because the decoder
//! misplaces interlaced frames that are narrower than their canvas. Invariant: a chunk that affects
//! texels is read only if its checksum is right. An index beyond the palette is an error, and no colour
//! is made up for it.

use super::compositor::{Blend, Disposal, Placement, Row};
use super::image_file::{DecodedImage, ImageFile, Sink};
use super::still_decoder::rgba;
use crate::error::{BakeError, BakeFault};
use png::{BitDepth, ColorType, Transformations};
use std::io::Cursor;

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The last chunk of a file. A file that lacks it, or part of it, is complete without it.
const END: [u8; 12] = *b"\0\0\0\0IEND\xAE\x42\x60\x82";

/// Colour type of an image whose samples are indices of a palette.
const INDEXED: u8 = 3;

/// Memory limit of the decoder, which holds a few rows.
const DECODER_BYTES: usize = 1 << 28;

/// For each pass of an interlaced image: the first column, the step between columns, the first row
/// and the step between rows.
const ADAM7: [[u32; 4]; 7] = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
];

/// Decodes the images of a file, in order.
pub(super) fn decode(file: &ImageFile<'_>, bytes: &[u8]) -> Result<Vec<DecodedImage>, BakeError> {
    let chunks = Chunks::read(file, bytes)?;
    let damaged = |cause| file.damaged(cause);
    let Some(count) = chunks.frame_count else {
        return file.still(chunks.size, 0, |sink| chunks.rows(chunks.size, &chunks.data, sink));
    };
    let frames = chunks.frames.iter().map(|frame| frame.placement(chunks.size));
    let placements = frames.collect::<Result<Vec<_>, _>>().map_err(damaged)?;
    if count as usize != placements.len() {
        let found = placements.len();
        return Err(damaged(format!("chunk acTL says {count} frames, but the file has {found}")));
    }
    file.animation(chunks.size, &placements, 0, &mut |i, sink| {
        chunks.rows(placements[i].size, &chunks.frames[i].data, sink)
    })
}

/// The chunks of a file that affect texels.
#[derive(Default)]
struct Chunks<'a> {
    size: [u32; 2],
    header: &'a [u8],
    palette: Option<&'a [u8]>,
    transparency: Option<&'a [u8]>,
    /// The compressed texels of the still image.
    data: Vec<&'a [u8]>,
    /// The number of frames of an animation, as stated in the file.
    frame_count: Option<u32>,
    frames: Vec<Frame<'a>>,
    /// The number of the next chunk of the animation.
    sequence: u32,
}

/// A frame of an animation.
struct Frame<'a> {
    /// The data of its chunk fcTL.
    control: &'a [u8],
    /// Its compressed texels.
    data: Vec<&'a [u8]>,
}

/// Returns the big-endian number at a byte. Bytes that are missing count as 0.
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |&bytes| u32::from_be_bytes(bytes))
}

impl<'a> Chunks<'a> {
    fn read(file: &ImageFile<'_>, bytes: &'a [u8]) -> Result<Self, BakeError> {
        let mut chunks = Self::default();
        let mut at = SIGNATURE.len();
        while let Some(rest) = bytes.get(at..).filter(|rest| !END.starts_with(rest)) {
            let len = number(rest, 0) as usize;
            let Some(name) = rest.get(4..8) else {
                return Err(file.damaged(format!("it is cut off at byte {}", bytes.len())));
            };
            if name == b"CgBI" {
                let rest = " is optimised by Xcode (chunk CgBI), so it is not a standard PNG";
                let help = "take the image from before the build, or convert it with xcrun -sdk iphoneos pngcrush -revert-iphone-optimizations in.png out.png";
                return Err(BakeError::of_file(BakeFault::Unsupported, file.path, rest, help));
            }
            if name == b"IEND" {
                break;
            }
            if name == b"IHDR" {
                // Checked first, because a file of an impossible size may be cut off.
                chunks.size = [number(rest, 8), number(rest, 12)];
                file.check_size(chunks.size)?;
            }
            // A length of 32 bits can exceed the addresses of a 32-bit machine.
            let whole = len.checked_add(12).and_then(|len| rest.get(..len)).ok_or_else(|| {
                let name = name.escape_ascii();
                file.damaged(format!("chunk {name} at byte {at} is cut off"))
            })?;
            let damaged = |cause| {
                let name = name.escape_ascii();
                file.damaged(format!("chunk {name} at byte {at} {cause}"))
            };
            let is_critical = name.first().is_some_and(|letter| letter & 0x20 == 0);
            if is_critical || [b"tRNS", b"acTL", b"fcTL", b"fdAT"].iter().any(|n| *n == name) {
                // The length, the name with the data, and the checksum.
                let (body, checksum) = whole.split_at(whole.len().saturating_sub(4));
                if crc32fast::hash(&body[4..]) != number(checksum, 0) {
                    return Err(damaged("has a wrong checksum"));
                }
                chunks.add(name, &body[8..]).map_err(damaged)?;
            }
            // At most the length of the file.
            at = at.saturating_add(whole.len());
        }
        if chunks.header.is_empty() || chunks.data.is_empty() {
            return Err(file.damaged("the file has no image"));
        }
        Ok(chunks)
    }

    /// Adds a chunk. Returns the fault as a predicate of the chunk.
    fn add(&mut self, name: &[u8], data: &'a [u8]) -> Result<(), &'static str> {
        let is_first = |is_first: bool| if is_first { Ok(()) } else { Err("is there twice") };
        let is_early = |chunks: &Self| {
            if chunks.data.is_empty() { Ok(()) } else { Err("follows the image data") }
        };
        if self.header.is_empty() != (name == b"IHDR") {
            return Err("is not in the right order");
        }
        match name {
            b"IHDR" if data.len() == 13 => self.header = data,
            b"IHDR" => return Err("has a wrong length"),
            b"PLTE" => {
                is_early(self)?;
                check_palette(data)?;
                is_first(self.palette.replace(data).is_none())?;
            }
            b"tRNS" => {
                is_early(self)?;
                check_transparency(self.header[9], self.palette, data)?;
                is_first(self.transparency.replace(data).is_none())?;
            }
            b"IDAT" => {
                self.data.push(data);
                if let [frame] = &mut *self.frames {
                    frame.data.push(data);
                } else if !self.frames.is_empty() {
                    return Err("follows the frames of the animation");
                }
            }
            // A number of 0 is not valid. Viewers then show the still image.
            b"acTL" if self.data.is_empty() && number(data, 0) > 0 => {
                is_first(self.frame_count.replace(number(data, 0)).is_none())?;
            }
            // Without an early and valid chunk acTL the image is still, and chunks of an animation
            // have no meaning.
            b"acTL" | b"fcTL" | b"fdAT" if self.frame_count.is_none() => {}
            b"acTL" => return Err("follows the image data"),
            b"fcTL" => {
                self.check_sequence(data)?;
                if data.len() != 26 {
                    return Err("has a wrong length");
                }
                let rectangle = [4, 8, 12, 16].map(|at| number(data, at));
                let [width, height] = self.size;
                // The image data that follows is the first frame, and the still image too.
                if self.data.is_empty() && rectangle != [width, height, 0, 0] {
                    return Err("has another size than the image");
                }
                if self.data.is_empty() && !self.frames.is_empty() {
                    return Err("is there twice");
                }
                self.frames.push(Frame { control: data, data: Vec::new() });
            }
            b"fdAT" => {
                self.check_sequence(data)?;
                is_early(self).err().ok_or("precedes the image data")?;
                let frame = self.frames.last_mut().ok_or("precedes the first frame")?;
                frame.data.push(&data[4..]);
            }
            _ => return Err("is unknown, but needed for the image"),
        }
        Ok(())
    }

    /// Checks the number of a chunk of the animation.
    fn check_sequence(&mut self, data: &[u8]) -> Result<(), &'static str> {
        if data.len() < 4 || number(data, 0) != self.sequence {
            return Err("is not in the right order");
        }
        // A file would need 12 bytes for each of 2^32 chunks to come back to 0.
        self.sequence = self.sequence.wrapping_add(1);
        Ok(())
    }

    /// Decodes texels of an image of `size`.
    fn rows(&self, size: [u32; 2], data: &[&[u8]], sink: &mut Sink<'_>) -> Result<(), String> {
        let mut png = SIGNATURE.to_vec();
        let [width, height] = size;
        let header = [&width.to_be_bytes(), &height.to_be_bytes(), &self.header[8..]].concat();
        push_chunk(&mut png, b"IHDR", &[&header])?;
        if let Some(palette) = self.palette {
            push_chunk(&mut png, b"PLTE", &[palette])?;
        }
        let [depth, color] = [self.header[8], self.header[9]];
        if let Some(transparency) = self.transparency.filter(|_| color != INDEXED) {
            let samples = masked_samples(transparency, depth.into());
            push_chunk(&mut png, b"tRNS", &[&samples])?;
        }
        push_chunk(&mut png, b"IDAT", data)?;
        png.extend(END);
        let palette = self.palette.filter(|_| color == INDEXED && [1, 2, 4, 8].contains(&depth));
        let transparency = self.transparency.unwrap_or_default();
        let palette = palette.map(|palette| Palette::new(palette, transparency, depth.into()));
        rows(&png, size, palette.as_ref(), sink)
    }
}

impl Frame<'_> {
    fn placement(&self, size: [u32; 2]) -> Result<Placement, String> {
        let number = |at| number(self.control, at);
        let disposal = match self.control[24] {
            0 => Disposal::Keep,
            1 => Disposal::Clear,
            2 => Disposal::Restore,
            other => return Err(format!("chunk fcTL has the unknown disposal {other}")),
        };
        let blend = match self.control[25] {
            0 => Blend::Replace,
            1 => Blend::Over,
            other => return Err(format!("chunk fcTL has the unknown blending {other}")),
        };
        let [size_of_frame, corner] = [[number(4), number(8)], [number(12), number(16)]];
        let placement = Placement { corner, size: size_of_frame, disposal, blend };
        if !placement.fits(size) {
            let [[width, height], [x, y]] = [placement.size, corner];
            return Err(format!("a frame of {width} x {height} at {x},{y} exceeds the image"));
        }
        Ok(placement)
    }
}

/// Appends a chunk with these parts as its data.
fn push_chunk(png: &mut Vec<u8>, name: &[u8; 4], parts: &[&[u8]]) -> Result<(), String> {
    let len: usize = parts.iter().map(|part| part.len()).sum();
    let len = u32::try_from(len).map_err(|_| "a frame has more than 4 GiB of data".to_owned())?;
    png.extend(len.to_be_bytes());
    let start = png.len();
    png.extend(name);
    parts.iter().for_each(|part| png.extend_from_slice(part));
    let checksum = crc32fast::hash(&png[start..]);
    png.extend(checksum.to_be_bytes());
    Ok(())
}

/// Decodes the rows of a PNG file that holds one image of `size`. Indices are those of `palette`.
fn rows(
    png: &[u8],
    size: [u32; 2],
    palette: Option<&Palette>,
    sink: &mut Sink<'_>,
) -> Result<(), String> {
    let fault = |error: png::DecodingError| error.to_string();
    let limits = png::Limits { bytes: DECODER_BYTES };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(png), limits);
    // Fewer than 8 bits become 8 bits per channel, and chunk tRNS becomes alpha. The decoder would
    // make up a colour for an index beyond the palette.
    decoder.set_transformations(match palette {
        Some(_) => Transformations::IDENTITY,
        None => Transformations::EXPAND,
    });
    let mut reader = decoder.read_info().map_err(fault)?;
    let kind = reader.output_color_type();
    let passes: &[[u32; 4]] = if reader.info().interlaced { &ADAM7 } else { &[[0, 1, 0, 1]] };
    let [width, height] = size;
    let mut texels = Vec::with_capacity(width as usize);
    for &[x, step, first_row, row_step] in passes.iter().filter(|pass| pass[0] < width) {
        for y in (first_row..height).step_by(row_step as usize) {
            let row = reader.next_interlaced_row().map_err(fault)?.ok_or("rows are missing")?;
            texels.clear();
            match palette {
                Some(palette) => {
                    let count = width.saturating_sub(x).div_ceil(step) as usize;
                    palette.expand(row.data(), count, &mut texels)?;
                }
                None => expand(row.data(), kind, &mut texels),
            }
            sink(Row { y, x, step, texels: &texels });
        }
    }
    // Reads to the end of the data, to find damage there.
    match reader.next_interlaced_row().map_err(fault)? {
        None => Ok(()),
        Some(_) => Err("rows are missing".to_owned()),
    }
}

/// Converts samples to red, green, blue and alpha of 8 bits. Samples of 16 bits are rounded to the
/// nearest value.
fn expand(row: &[u8], (color, depth): (ColorType, BitDepth), texels: &mut Vec<[u8; 4]>) {
    let count = color.samples();
    if depth == BitDepth::Sixteen {
        let narrow = |wide: &[u8]| {
            let sample = u32::from(wide[0]) << 8 | u32::from(wide[1]);
            (sample.saturating_add(128) / 257) as u8
        };
        let mut samples = [0; 4];
        texels.extend(row.chunks_exact(count.saturating_mul(2)).map(|wide| {
            let pairs = wide.chunks_exact(2);
            samples.iter_mut().zip(pairs).for_each(|(sample, pair)| *sample = narrow(pair));
            rgba(&samples[..count])
        }));
    } else {
        texels.extend(row.chunks_exact(count).map(rgba));
    }
}

/// The colours of an image whose samples are indices.
struct Palette {
    colors: Vec<[u8; 4]>,
    /// Bits of an index: 1, 2, 4 or 8.
    depth: u32,
}

impl Palette {
    /// Joins the data of the chunks PLTE and tRNS. Colours without a stated alpha are opaque.
    fn new(palette: &[u8], transparency: &[u8], depth: u32) -> Self {
        let alphas = transparency.iter().copied().chain(std::iter::repeat(255));
        let color = |(color, alpha): (&[u8], u8)| [color[0], color[1], color[2], alpha];
        Self { colors: palette.chunks_exact(3).zip(alphas).map(color).collect(), depth }
    }

    /// Appends the texels of a row of `width` packed indices.
    fn expand(&self, row: &[u8], width: usize, texels: &mut Vec<[u8; 4]>) -> Result<(), String> {
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
fn check_palette(palette: &[u8]) -> Result<(), &'static str> {
    let colors = palette.len() / 3;
    let is_whole = palette.len().is_multiple_of(3) && (1..=256).contains(&colors);
    if is_whole { Ok(()) } else { Err("has a wrong length") }
}

/// Checks a chunk tRNS of an image with the colour type `color`. Returns the fault as a predicate of
/// the chunk.
fn check_transparency(
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
fn masked_samples(transparency: &[u8], depth: u32) -> Vec<u8> {
    let mask = !u16::MAX.checked_shl(depth).unwrap_or(0);
    let sample = |pair: &[u8]| (u16::from_be_bytes([pair[0], pair[1]]) & mask).to_be_bytes();
    transparency.chunks_exact(2).flat_map(sample).collect()
}
