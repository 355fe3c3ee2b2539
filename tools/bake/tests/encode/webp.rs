//! WebP.

use super::Texel;
use image::ExtendedColorType;
use image::codecs::webp::WebPEncoder;

pub(crate) fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = [&name[..], &(data.len() as u32).to_le_bytes(), data].concat();
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

/// Returns a file of chunks.
pub(crate) fn file(chunks: &[&[u8]]) -> Vec<u8> {
    chunk(b"RIFF", &[b"WEBP", &chunks.concat()[..]].concat())
}

/// Returns the 24 bits of a number.
pub(crate) fn small(number: u32) -> Vec<u8> {
    number.to_le_bytes()[..3].to_vec()
}

/// Returns the chunk VP8X of an extended file.
pub(crate) fn head(flags: u8, size: [u32; 2]) -> Vec<u8> {
    let sides = size.map(|side| small(side - 1)).concat();
    chunk(b"VP8X", &[&[flags, 0, 0, 0], &sides[..]].concat())
}

/// Returns the chunk ANMF of a frame: its corner, which is even, its size, its flags and its chunks.
pub(crate) fn frame(corner: [u32; 2], size: [u32; 2], flags: u8, chunks: &[&[u8]]) -> Vec<u8> {
    let places = [corner.map(|at| at / 2), size.map(|side| side - 1)].concat();
    let head = places.into_iter().chain([100]).flat_map(small).chain([flags]);
    chunk(b"ANMF", &[head.collect(), chunks.concat()].concat())
}

/// Returns the chunk VP8L of an image.
pub(crate) fn lossless([width, height]: [u32; 2], texels: &[Texel]) -> Vec<u8> {
    let mut bytes = Vec::new();
    WebPEncoder::new_lossless(&mut bytes)
        .encode(texels.as_flattened(), width, height, ExtendedColorType::Rgba8)
        .unwrap();
    bytes.split_off(12)
}

/// Returns the chunk VP8 of a grey image. A key frame whose every bit is 0 predicts each block from
/// its surroundings and adds nothing.
pub(crate) fn lossy(size: [u32; 2]) -> Vec<u8> {
    const PART_LEN: u32 = 128;
    let tag = 1 << 4 | PART_LEN << 5; // a key frame that is shown
    let sides = size.map(|side| (side as u16).to_le_bytes()).concat();
    let mut data = [&u32::to_le_bytes(tag)[..3], &[0x9D, 0x01, 0x2A], &sides].concat();
    data.resize(data.len() + 2 * PART_LEN as usize, 0);
    chunk(b"VP8 ", &data)
}
