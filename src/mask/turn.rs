use super::{Mask, WORD};

/// Words in a square of bits.
const SIDE: usize = WORD as usize;

impl Mask {
    /// A copy turned a quarter clockwise on screen: pixel (x, y) becomes (h - 1 - y, x).
    ///
    /// Works on squares of 64 x 64 pixels.
    #[must_use]
    pub fn quarter_turned(&self) -> Self {
        let view = self.as_ref();
        let (width, height) = (self.width() as usize, self.height() as usize);
        // The turned mask's words, strip by strip.
        let mut turned = vec![0; height.div_ceil(SIDE) * width];
        for (strip, columns) in turned.chunks_exact_mut(width.max(1)).enumerate() {
            for (s, out) in columns.chunks_mut(SIDE).enumerate() {
                let rows = view.rows(s as u32);
                let mut square = [0; SIDE];
                // Column 64 strip + i of the turned mask is row h - 1 - (64 strip + i) of this one.
                let end = height - strip * SIDE;
                for (word, row) in square.iter_mut().zip(rows[..end].iter().rev()) {
                    *word = *row;
                }
                transpose(&mut square);
                out.copy_from_slice(&square[..out.len()]);
            }
        }
        let at = |s: u32, y: u32| turned[s as usize * width + y as usize];
        Self::filled_by(self.height(), self.width(), at)
    }
}

/// Bit j of word i becomes bit i of word j. Halves the squares that are swapped in each of six
/// rounds (Warren, Hacker's Delight, 2nd edition, section 7-3).
pub(crate) fn transpose(square: &mut [u64; SIDE]) {
    let mut half = SIDE / 2;
    let mut low = u64::MAX >> half;
    while half > 0 {
        let mut i = 0;
        while i < SIDE {
            let swapped = ((square[i] >> half) ^ square[i + half]) & low;
            square[i] ^= swapped << half;
            square[i + half] ^= swapped;
            // The next word whose index has the bit `half` clear.
            i = (i + half + 1) & !half;
        }
        half /= 2;
        low ^= low << half;
    }
}
