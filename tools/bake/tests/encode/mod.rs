//! Encoders of files for tests, one per format. They write what a test states, also what contradicts
//! the format.

pub(crate) mod aseprite;
pub(crate) mod gif;
pub(crate) mod png;
pub(crate) mod sheets;
pub(crate) mod webp;

/// Red, green, blue and alpha.
pub(crate) type Texel = [u8; 4];

/// Converts rows of `#` (opaque) and `.` (clear) to RGBA bytes.
pub(crate) fn rgba(rows: &[&str]) -> Vec<u8> {
    let texel = |c| if c == '#' { [200, 100, 50, 255] } else { [0; 4] };
    rows.iter().flat_map(|row| row.chars().flat_map(texel)).collect()
}

/// Packs bytes as a zlib stream.
pub(crate) fn zlib(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}
