use super::CHUNK;
use bytemuck::Zeroable;

/// Pairs of the chunk, by their place in it.
#[derive(Zeroable)]
pub(crate) struct List {
    pairs: [u16; CHUNK],
    length: usize,
}

impl List {
    /// Begins it anew.
    #[inline(always)]
    pub(crate) fn refill(&mut self) -> Refill<'_> {
        Refill { list: self, kept: 0 }
    }

    /// Begins it anew, with `pairs`, and no more than fit.
    #[inline(always)]
    pub(crate) fn copy(&mut self, pairs: &[u16]) {
        self.length = pairs.len().min(CHUNK);
        self.pairs[..self.length].copy_from_slice(&pairs[..self.length]);
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[u16] {
        &self.pairs[..self.length.min(CHUNK)]
    }

    /// Drops the pairs that `keep` denies, without a branch: store the pair, move on by 0 or 1.
    #[inline(always)]
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = 0;
        for at in 0..self.length.min(CHUNK) {
            let pair = self.pairs[at];
            self.pairs[kept % CHUNK] = pair;
            kept += usize::from(keep(pair as usize % CHUNK));
        }
        self.length = kept;
    }
}

/// A list being filled, its length in a register of its own.
pub(crate) struct Refill<'l> {
    list: &'l mut List,
    kept: usize,
}

impl Refill<'_> {
    /// Adds `pair` if `keep` is 1 and not 0.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, pair: u16, keep: u32) {
        self.list.pairs[self.kept % CHUNK] = pair;
        self.kept += keep as usize;
    }

    #[inline(always)]
    pub(crate) fn finish(self) {
        self.list.length = self.kept;
    }
}
