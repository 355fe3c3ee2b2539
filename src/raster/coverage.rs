//! Coverage: finds the pixels of which enough samples are solid.

/// Samples along one side of a pixel.
pub(super) const SAMPLE_SIDE: usize = 4;

/// Finds the covered pixels under word `x` of four rows of samples, four bits per pixel. Returns
/// their bits in word `x` / 4 of the row of pixels. A pixel is covered where at least
/// [`Sampling::threshold`](super::Sampling), which is 4, of its 16 samples are set.
pub(super) fn covered(rows: [u64; SAMPLE_SIDE], x: usize) -> u64 {
    u64::from(covered_pixels(rows)) << (x % SAMPLE_SIDE * 16)
}

fn covered_pixels(rows: [u64; SAMPLE_SIDE]) -> u16 {
    const NIBBLES: u64 = 0x1111_1111_1111_1111;
    const BYTES: u64 = 0x0101_0101_0101_0101;
    // Set samples of each pixel in each row: 0 to 4, in four bits.
    let counts = rows.map(|row| {
        let pairs = row - ((row >> 1) & (5 * NIBBLES));
        (pairs & (3 * NIBBLES)) + ((pairs >> 2) & (3 * NIBBLES))
    });
    // Sums over all rows, up to 16, in eight bits: even and odd pixels separately.
    let sum =
        |shift: u32| counts.iter().map(|count| (count >> shift) & (0x0f * BYTES)).sum::<u64>();
    // 4 and more carry into the highest bit.
    let is_covered = |sum: u64| (sum + 0x7c * BYTES) >> 7 & BYTES;
    let flags = is_covered(sum(0)) | is_covered(sum(4)) << 4;
    // Compacts every fourth bit into 16 adjacent bits.
    let pairs = (flags | flags >> 3) & (0x03 * BYTES);
    let fours = (pairs | pairs >> 6) & 0x000f_000f_000f_000f;
    let eights = (fours | fours >> 12) & 0x0000_00ff_0000_00ff;
    (eights | eights >> 24) as u16
}
