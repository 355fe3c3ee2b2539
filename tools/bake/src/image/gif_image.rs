//! GIF: reads the blocks of a file, and decodes the texels of single frames.
//!
//! Called by `decode`. Each frame is decoded by itself, as the only image of its file. An interlaced
//! frame is decoded as stored, and its rows are sorted here. The decoder refuses interlaced rows that
//! end inside a code.
//!
//! A file may end too early, because many tools and downloads cut the end off. Its complete frames
//! are read, and the last one is marked, so that the bake warns. Any other fault is an error.

use super::compositor::{Blend, Disposal, Placement, Row};
use super::image_file::{DecodedImage, ImageFile, Sink};
use crate::error::BakeError;
use gif::{ColorOutput, DecodeOptions, MemoryLimit};
use std::borrow::Cow;
use std::io::Read;

/// Bytes per texel that the decoder holds: palette indices, twice.
const DECODER_BYTES: u64 = 2;

/// Bytes of a palette entry.
const ENTRY: usize = 3;

/// The byte of the flags in the block of a frame, and the flag of interlaced rows.
const FLAGS_AT: usize = 9;
const INTERLACED: u8 = 0x40;

/// For each pass of an interlaced frame: the first row and the step between rows.
const PASSES: [[usize; 2]; 4] = [[0, 8], [4, 8], [2, 4], [1, 2]];

/// Decodes the images of a file, in order.
pub(super) fn decode(file: &ImageFile<'_>, bytes: &[u8]) -> Result<Vec<DecodedImage>, BakeError> {
    let mut gif = Gif { bytes, at: 0, screen: [0; 2], head: &[], palette: None, frames: vec![] };
    let is_cut = match gif.read() {
        Ok(()) => false,
        Err(Stop::Cut) => true,
        Err(Stop::Damaged(cause)) => return Err(file.damaged(cause)),
    };
    if !gif.frames.is_empty() {
        gif.fit_screen().map_err(|cause| file.damaged(cause))?;
    }
    file.check_size(gif.screen)?;
    // Only the last frame can be cut off. It counts if all of its texels are there.
    if is_cut && let Some(last) = gif.frames.last().filter(|last| last.is_cut) {
        file.check_size(last.placement.size)?;
        if gif.indices(last).is_err() {
            gif.frames.pop();
        }
    }
    if is_cut && gif.frames.is_empty() {
        return Err(file.damaged("the file ends before its first frame is complete"));
    }
    let mut placements = Vec::with_capacity(gif.frames.len());
    for (i, frame) in gif.frames.iter().enumerate() {
        let disposal = match frame.disposal {
            0 | 1 => Disposal::Keep,
            2 => Disposal::Clear,
            // Old encoders write 4 for 3.
            3 | 4 => Disposal::Restore,
            _ if i >= gif.frames.len().saturating_sub(1) => Disposal::Keep,
            other => return Err(file.damaged(format!("frame {i} has the disposal {other}"))),
        };
        placements.push(Placement { disposal, ..frame.placement });
    }
    let mut images = file.animation(gif.screen, &placements, DECODER_BYTES, &mut |i, sink| {
        gif.draw(&gif.frames[i], sink)
    })?;
    if let Some(last) = images.last_mut() {
        last.is_cut = is_cut;
    }
    Ok(images)
}

/// The reason why reading stopped before the end mark.
enum Stop {
    /// The file ends.
    Cut,
    /// The file has another fault.
    Damaged(String),
}

/// The blocks of a file.
struct Gif<'a> {
    bytes: &'a [u8],
    /// The next byte to read.
    at: usize,
    /// Width and height of the canvas.
    screen: [u32; 2],
    /// The header, with the global palette.
    head: &'a [u8],
    palette: Option<&'a [u8]>,
    frames: Vec<Frame<'a>>,
}

/// A frame, before it is decoded.
struct Frame<'a> {
    placement: Placement,
    /// The disposal method, as stored.
    disposal: u8,
    /// The palette index of transparent texels.
    transparent: Option<u8>,
    palette: &'a [u8],
    /// The block of the frame, with its data.
    block: Cow<'a, [u8]>,
    /// True if the rows are stored in four passes.
    is_interlaced: bool,
    /// True if the file ends within the data.
    is_cut: bool,
}

/// The part of a graphic control extension that affects texels.
#[derive(Clone, Copy, Default)]
struct Control {
    disposal: u8,
    transparent: Option<u8>,
}

/// Returns the little-endian numbers in pairs of bytes.
fn numbers<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let pairs = bytes.as_chunks::<2>().0;
    std::array::from_fn(|i| u16::from_le_bytes(pairs[i]).into())
}

impl<'a> Gif<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], Stop> {
        let rest = self.bytes.get(self.at..).and_then(|rest| rest.get(..len)).ok_or(Stop::Cut)?;
        // At most the length of the file.
        self.at = self.at.saturating_add(len);
        Ok(rest)
    }

    /// Reads the palette that these flags announce.
    fn take_palette(&mut self, flags: u8) -> Result<Option<&'a [u8]>, Stop> {
        let len = (2 * ENTRY) << (flags & 7);
        if flags & 0x80 == 0 { Ok(None) } else { self.take(len).map(Some) }
    }

    /// Skips blocks of data up to their end. Returns the first.
    fn skip_data(&mut self) -> Result<&'a [u8], Stop> {
        let mut first = None;
        loop {
            let start = self.at;
            let len = self.take(1)?[0];
            if len == 0 {
                return Ok(first.unwrap_or_default());
            }
            let data = self.take(usize::from(len)).inspect_err(|_| self.at = start)?;
            first.get_or_insert(data);
        }
    }

    /// Reads all blocks up to the end mark.
    fn read(&mut self) -> Result<(), Stop> {
        let header = self.take(13)?;
        self.screen = numbers(&header[6..]);
        self.palette = self.take_palette(header[10])?;
        self.head = &self.bytes[..self.at];
        let mut control = Control::default();
        loop {
            match self.take(1)?[0] {
                0x21 => {
                    let label = self.take(1)?[0];
                    match (label, self.skip_data()?) {
                        (0xF9, &[flags, _, _, index]) => {
                            let transparent = (flags & 1 != 0).then_some(index);
                            control = Control { disposal: flags >> 2 & 7, transparent };
                        }
                        (0xF9, data) => {
                            let len = data.len();
                            let cause = format!("a graphic control extension has {len} bytes");
                            return Err(Stop::Damaged(cause));
                        }
                        // A control applies to the next block that is shown, and this is plain text.
                        (0x01, _) => control = Control::default(),
                        _ => {}
                    }
                }
                0x2C => self.frame(std::mem::take(&mut control))?,
                0x3B => return Ok(()),
                // An empty block between others, which some encoders write. Viewers skip it.
                0 => {}
                block => {
                    let at = self.at.saturating_sub(1);
                    return Err(Stop::Damaged(format!("unknown block {block:#04x} at byte {at}")));
                }
            }
        }
    }

    /// Reads the block of a frame.
    fn frame(&mut self, control: Control) -> Result<(), Stop> {
        // The mark of the block was read.
        let start = self.at.saturating_sub(1);
        let descriptor = self.take(9)?;
        let [x, y, width, height] = numbers(descriptor);
        let i = self.frames.len();
        if width == 0 || height == 0 {
            return Err(Stop::Damaged(format!("frame {i} has {width} x {height} pixels")));
        }
        let local = self.take_palette(descriptor[8])?;
        let palette = local.or(self.palette).ok_or_else(|| {
            Stop::Damaged(format!("frame {i} has no palette, and the file has none"))
        })?;
        self.take(1)?; // the size of the shortest code
        let end = self.skip_data();
        let is_cut = matches!(end, Err(Stop::Cut));
        let mut block = if is_cut {
            // Ends the data with what is there of the last block.
            let (whole, part) = (&self.bytes[start..self.at], &self.bytes[self.at..]);
            let part = part.get(1..).unwrap_or_default();
            let len: &[u8] = if part.is_empty() { &[] } else { &[part.len() as u8] };
            Cow::Owned([whole, len, part, &[0]].concat())
        } else {
            Cow::Borrowed(&self.bytes[start..self.at])
        };
        let is_interlaced = descriptor[8] & INTERLACED != 0;
        if is_interlaced {
            block.to_mut()[FLAGS_AT] &= !INTERLACED;
        }
        let Control { disposal, transparent } = control;
        self.frames.push(Frame {
            placement: Placement {
                corner: [x, y],
                size: [width, height],
                disposal: Disposal::Keep,
                blend: Blend::Over,
            },
            disposal,
            transparent,
            palette,
            block,
            is_interlaced,
            is_cut,
        });
        end.map(|_| ())
    }

    /// Enlarges a screen that the first frame exceeds. Such a screen takes the size of that frame, as
    /// in browsers. Parts of later frames outside the screen are not shown.
    fn fit_screen(&mut self) -> Result<(), String> {
        let first = self.frames[0].placement;
        if first.fits(self.screen) {
            return Ok(());
        }
        let ([width, height], [x, y], screen) = (first.size, first.corner, self.screen);
        if first.corner != [0, 0] || width < screen[0] || height < screen[1] {
            let [screen_width, screen_height] = screen;
            return Err(format!(
                "frame 0 of {width} x {height} at {x},{y} exceeds the screen of {screen_width} x {screen_height}, which viewers show in different ways"
            ));
        }
        self.screen = first.size;
        Ok(())
    }

    /// Returns the palette indices of a frame, row by row as stored.
    fn indices(&self, frame: &Frame<'_>) -> Result<Vec<u8>, String> {
        let file = self.head.chain(&*frame.block).chain(&b";"[..]);
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::Indexed);
        options.set_memory_limit(MemoryLimit::Unlimited);
        let mut decoder = options.read_info(file).map_err(|error| error.to_string())?;
        let decoded = decoder.read_next_frame().map_err(|error| error.to_string())?;
        let missing = || "the frame has no texels".to_owned();
        decoded.map(|frame| frame.buffer.to_vec()).ok_or_else(missing)
    }

    fn draw(&self, frame: &Frame<'_>, sink: &mut Sink<'_>) -> Result<(), String> {
        let indices = self.indices(frame)?;
        let (palette, mut texels) = (frame.palette.as_chunks::<ENTRY>().0, Vec::new());
        let [width, height] = frame.placement.size.map(|side| side as usize);
        let passes = if frame.is_interlaced { &PASSES[..] } else { &[[0, 1]] };
        let order = passes.iter().flat_map(|&[first, step]| (first..height).step_by(step));
        for (y, row) in order.zip(indices.chunks_exact(width)) {
            texels.clear();
            for &index in row {
                texels.push(match palette.get(usize::from(index)) {
                    _ if frame.transparent == Some(index) => [0; 4],
                    Some(&[r, g, b]) => [r, g, b, 255],
                    None => {
                        let colors = palette.len();
                        return Err(format!("colour {index} of a palette of {colors} is used"));
                    }
                });
            }
            sink(Row { y: y as u32, x: 0, step: 1, texels: &texels });
        }
        Ok(())
    }
}
