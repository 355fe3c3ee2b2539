//! Where found pairs wait until there are enough of them to be worth handing on.
//!
//! Filled by the kernels, drained by the sweep. What it keeps true: whenever the sweep asks for
//! another block there is room for all of its sixteen boxes.

use crate::broad::aabb_soa::BLOCK;

/// Pairs that are handed on at a time, or fewer at the end. At 1,024 both arrays stay in the first-level cache beside
/// the boxes; much less, and whoever takes them has batches too short to be quick.
pub(super) const BATCH: usize = 1024;

/// Room for two blocks past those: a kernel of two vectors asks for a whole block before the second.
const CAPACITY: usize = BATCH + 2 * BLOCK;

/// On lines of its own: stores that straddle two lines double the time of the sweep.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct AlignedBuffer([u32; CAPACITY]);

/// Pairs of positions in tree order: `first[i]` meets `second[i]`.
#[derive(Clone, Debug)]
pub(super) struct HitBuffer {
    first: AlignedBuffer,
    second: AlignedBuffer,
    len: usize,
}

impl Default for HitBuffer {
    fn default() -> Self {
        Self { first: AlignedBuffer([0; CAPACITY]), second: AlignedBuffer([0; CAPACITY]), len: 0 }
    }
}

/// Takes pairs as they come, at most [`BATCH`] at a time: positions in tree order.
pub(super) type Sink<'s> = dyn FnMut(&[u32], &[u32]) + 's;

impl HitBuffer {
    /// Room for `N` pairs after those there are.
    #[inline(always)]
    pub(super) fn room<const N: usize>(&mut self) -> (&mut [u32], &mut [u32]) {
        // No more can wait: said here, where it saves two checks, each of them a branch.
        let len = self.len.min(BATCH + BLOCK);
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

    /// Hands pairs on where there are enough: what is left over waits.
    #[inline(always)]
    pub(super) fn drain_if_full(&mut self, sink: &mut Sink<'_>) {
        if self.len >= BATCH {
            self.drain(sink);
        }
    }

    /// Hands on as many as there are, up to [`BATCH`].
    #[cold]
    pub(super) fn drain(&mut self, sink: &mut Sink<'_>) {
        let Self { first: AlignedBuffer(first), second: AlignedBuffer(second), len } = self;
        let handed = BATCH.min(*len);
        sink(&first[..handed], &second[..handed]);
        first.copy_within(handed..*len, 0);
        second.copy_within(handed..*len, 0);
        *len -= handed;
    }
}
