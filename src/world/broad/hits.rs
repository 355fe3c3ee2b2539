//! Where found pairs wait until there are enough of them to be worth handing on.
//!
//! Filled by the kernels, drained by the sweep. What it keeps true: whenever the sweep asks for
//! another block there is room for all of its sixteen boxes.

use super::bounds::BLOCK;

/// Pairs after which they are handed on. At 1,024 both arrays stay in the first-level cache beside
/// the boxes; much less, and whoever takes them has batches too short to be quick.
const FULL: usize = 1024;

/// Pairs handed on at a time, at most.
pub(super) const MOST: usize = FULL + 2 * BLOCK;

/// Room for two blocks past a full one: a kernel of two vectors asks for a whole block before the
/// second. On a line of its own: stores that straddle two lines double the time of the sweep.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Line([u32; MOST]);

/// Pairs of positions in tree order: `first[i]` meets `second[i]`.
#[derive(Clone, Debug)]
pub(super) struct Hits {
    first: Line,
    second: Line,
    len: usize,
}

impl Default for Hits {
    fn default() -> Self {
        Self { first: Line([0; MOST]), second: Line([0; MOST]), len: 0 }
    }
}

/// Takes pairs as they come, at most [`MOST`] at a time: positions in tree order.
pub(super) type Sink<'s> = dyn FnMut(&[u32], &[u32]) + 's;

impl Hits {
    /// Room for `N` pairs after those there are.
    #[inline(always)]
    pub(super) fn room<const N: usize>(&mut self) -> (&mut [u32], &mut [u32]) {
        // No more can wait: said here, where it saves two checks, each of them a branch.
        let len = self.len.min(FULL + BLOCK);
        (&mut self.first.0[len..][..N], &mut self.second.0[len..][..N])
    }

    /// Keeps the first `count` of the room.
    #[inline(always)]
    pub(super) fn keep(&mut self, count: usize) {
        self.len += count;
    }

    /// True where pairs wait.
    pub(super) fn any(&self) -> bool {
        self.len > 0
    }

    /// Hands pairs on where there are enough: whole batches, and what is left over waits.
    #[inline(always)]
    pub(super) fn drain_if_full(&mut self, sink: &mut Sink<'_>) {
        if self.len >= FULL {
            self.drain_full(sink);
        }
    }

    #[cold]
    fn drain_full(&mut self, sink: &mut Sink<'_>) {
        let Self { first: Line(first), second: Line(second), len } = self;
        sink(&first[..FULL], &second[..FULL]);
        first.copy_within(FULL..*len, 0);
        second.copy_within(FULL..*len, 0);
        *len -= FULL;
    }

    /// Hands on what there is.
    #[cold]
    pub(super) fn drain(&mut self, sink: &mut Sink<'_>) {
        sink(&self.first.0[..self.len], &self.second.0[..self.len]);
        self.len = 0;
    }
}
