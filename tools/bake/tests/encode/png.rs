//! PNG and APNG.

use super::{rgba, zlib};

/// Depth, colour type and interlacing of RGBA texels of 8 bits.
pub(crate) const RGBA: [u8; 3] = [8, 6, 0];

pub(crate) fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [name, data].concat();
    let len = (data.len() as u32).to_be_bytes();
    [&len[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

/// A file that is being written.
pub(crate) struct Png {
    bytes: Vec<u8>,
    size: [u32; 2],
    /// The number of the next chunk of an animation.
    sequence: u32,
}

impl Png {
    /// Begins a file with its signature and header. `kind` is as [`RGBA`].
    pub(crate) fn new(size: [u32; 2], [depth, color, interlacing]: [u8; 3]) -> Self {
        let head = [&size.map(u32::to_be_bytes).concat()[..], &[depth, color, 0, 0, interlacing]];
        let bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        Self { bytes, size, sequence: 0 }.with(b"IHDR", &head.concat())
    }

    pub(crate) fn with(mut self, name: &[u8; 4], data: &[u8]) -> Self {
        self.bytes.extend(chunk(name, data));
        self
    }

    /// States an animation of `frames` frames.
    pub(crate) fn animated(self, frames: u32) -> Self {
        self.with(b"acTL", &[frames.to_be_bytes(), [0; 4]].concat())
    }

    /// Adds the texels of the still image, compressed.
    pub(crate) fn still(self, data: &[u8]) -> Self {
        self.with(b"IDAT", data)
    }

    /// Adds a frame: corner, size, disposal, blending, and its texels, compressed, in one or more chunks.
    /// The first frame may be the still image.
    pub(crate) fn frame(
        mut self,
        [corner, size]: [[u32; 2]; 2],
        treatment: [u8; 2],
        parts: &[&[u8]],
        is_still: bool,
    ) -> Self {
        let places = [size, corner].concat().into_iter().flat_map(u32::to_be_bytes);
        let control = [&self.next()[..], &places.collect::<Vec<u8>>(), &[0, 1, 0, 10], &treatment];
        self = self.with(b"fcTL", &control.concat());
        for part in parts {
            self = if is_still {
                self.still(part)
            } else {
                let number = self.next();
                self.with(b"fdAT", &[&number[..], part].concat())
            };
        }
        self
    }

    /// Adds a frame of the whole image.
    pub(crate) fn whole_frame(self, treatment: [u8; 2], data: &[u8], is_still: bool) -> Self {
        let size = self.size;
        self.frame([[0, 0], size], treatment, &[data], is_still)
    }

    fn next(&mut self) -> [u8; 4] {
        self.sequence += 1;
        (self.sequence - 1).to_be_bytes()
    }

    /// Ends the file.
    pub(crate) fn end(self) -> Vec<u8> {
        self.with(b"IEND", &[]).bytes
    }

    /// Returns what is written, without an end.
    pub(crate) fn cut(self) -> Vec<u8> {
        self.bytes
    }
}

/// Compresses rows of `row_bytes` bytes, without a filter.
pub(crate) fn packed(texels: &[u8], row_bytes: usize) -> Vec<u8> {
    zlib(&texels.chunks(row_bytes).flat_map(|row| [&[0], row].concat()).collect::<Vec<u8>>())
}

/// Returns an image of RGBA texels.
pub(crate) fn still(size: [u32; 2], texels: &[u8]) -> Vec<u8> {
    Png::new(size, RGBA).still(&packed(texels, 4 * size[0] as usize)).end()
}

/// Returns an image whose texels are given by their alpha.
pub(crate) fn of_alpha(size: [u32; 2], alpha: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let row = |y| (0..size[0]).flat_map(move |x| [x, y]);
    let places: Vec<u32> = (0..size[1]).flat_map(row).collect();
    let texels = places.chunks(2).flat_map(|place| [9, 9, 9, alpha(place[0], place[1])]);
    still(size, &texels.collect::<Vec<u8>>())
}

/// Returns an image from rows of `#` and `.`.
pub(crate) fn of_rows(rows: &[impl AsRef<str>]) -> Vec<u8> {
    let rows: Vec<&str> = rows.iter().map(AsRef::as_ref).collect();
    still([rows[0].len() as u32, rows.len() as u32], &rgba(&rows))
}
