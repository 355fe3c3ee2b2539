//! The sizes of words, strips, blocks and guards; the layout itself is described in `mask`.
//!
//! Invariant: a strip starts at a multiple of `BLOCK` words and has at least `BLOCK - 1` guard
//! words behind it.

/// Upper bound on a side of a mask, in pixels: 2^15 - 1, because an atlas record has 15 bits for a
/// height. A mask takes a bit per pixel, so that one of 2,048 x 32,767 takes 8 MiB and one of the
/// largest size 128 MiB. Cut larger art into pieces.
pub const MAX_SIDE: u32 = 32_767;

/// Upper bound on a side of an image that becomes a frame of a sprite, in texels. Its solid part, the
/// smallest box around all set texels, has at most [`MAX_SIDE`] a side, as every mask.
pub const MAX_FRAME_SIDE: u32 = 65_536;

/// Pixels in a word, and the width of a strip in pixels.
pub(crate) const WORD: u32 = 64;

/// Rows per kernel block, and the alignment of a strip in words: one cache line.
pub(crate) const BLOCK: u32 = 8;

/// Zero words before the first strip of a pool, for kernels that walk rows upwards.
pub(crate) const LEAD: u32 = BLOCK;

pub(crate) const fn strips_of(w: u32) -> u32 {
    w.div_ceil(WORD)
}

/// Returns the words from one strip to the next for a mask `h` pixels high. These are its rows and
/// at least `BLOCK - 1` guard words, rounded up so that the next strip starts on a block.
pub(crate) const fn stride_of(h: u32) -> u32 {
    (h + 2 * (BLOCK - 1)) / BLOCK * BLOCK
}

/// Returns the words that the strips of a mask take, guards included.
pub(crate) const fn words_of(w: u32, h: u32) -> u32 {
    if h == 0 { 0 } else { strips_of(w) * stride_of(h) }
}

/// Returns the 64 pixels that start at bit `shift` of `near` and continue in `far`, the word to the
/// right of it: `near >> shift | far << (64 - shift)`. `shift` is below 64.
#[inline(always)]
pub(crate) const fn shifted(near: u64, far: u64, shift: u32) -> u64 {
    // Two left shifts, because a shift by 64 is out of range where `shift` is 0.
    near >> shift | far << 1 << (WORD - 1 - shift)
}

/// Returns the bits of strip `s` that are pixels of a mask `w` wide.
pub(crate) const fn inside(w: u32, s: u32) -> u64 {
    let pixels = w - s * WORD;
    if pixels >= WORD { u64::MAX } else { (1 << pixels) - 1 }
}
