/// Longest side of a mask in pixels. A file's record keeps each side in 16 bits, and a mask of
/// this size takes 32 MiB: beyond it, cut the art into pieces.
pub const MAX_SIDE: u32 = 16_384;

/// Pixels in a word, and so the width of a strip.
pub(crate) const WORD: u32 = 64;

/// Rows a kernel handles at once, and the alignment of a strip in words: one cache line.
pub(crate) const BLOCK: u32 = 8;

/// Zero words in front of the first strip of a pool, for kernels that walk rows upwards.
pub(crate) const LEAD: u32 = BLOCK;

/// Number of strips of a mask `w` pixels wide.
pub(crate) const fn strips_of(w: u32) -> u32 {
    w.div_ceil(WORD)
}

/// Words from one strip to the next for a mask `h` pixels high: its rows and at least
/// `BLOCK - 1` guard words, rounded up so that the next strip starts on a block.
pub(crate) const fn stride_of(h: u32) -> u32 {
    (h + 2 * (BLOCK - 1)) / BLOCK * BLOCK
}

/// Words that the strips of a `w` x `h` mask take in a pool, guards included; 0 without pixels.
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

/// The bits of strip `s` that are pixels of a mask `w` wide; the strip is one of the mask's.
pub(crate) const fn inside(w: u32, s: u32) -> u64 {
    let pixels = w - s * WORD;
    if pixels >= WORD { u64::MAX } else { (1 << pixels) - 1 }
}
