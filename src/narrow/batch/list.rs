use super::CHUNK;

/// Pairs of the chunk, by their place in it.
pub(crate) struct List {
    pairs: [u16; CHUNK],
    length: usize,
}

impl List {
    pub(crate) const fn new() -> Self {
        Self { pairs: [0; CHUNK], length: 0 }
    }

    /// The places below `n`, which is at most [`CHUNK`], for which `keep` is 1 and not 0.
    #[inline(always)]
    pub(crate) fn fill(&mut self, n: usize, keep: &[u32; CHUNK]) {
        let mut kept = 0;
        for (i, &keep) in keep[..n].iter().enumerate() {
            self.pairs[kept % CHUNK] = i as u16;
            kept += keep as usize;
        }
        self.length = kept;
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.pairs[..self.length.min(CHUNK)]
    }

    /// Drops the pairs that `keep` denies, without a branch: store the pair, move on by 0 or 1.
    #[inline(always)]
    pub(crate) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let mut kept = 0;
        for at in 0..self.length.min(CHUNK) {
            let pair = self.pairs[at];
            self.pairs[kept % CHUNK] = pair;
            kept += usize::from(keep(pair as usize % CHUNK));
        }
        self.length = kept;
    }
}
