//! Buffers found pairs until a batch is worth handing on.
//!
//! The kernels fill it, the sweep drains it. A loop keeps the number of buffered pairs in a register:
//! it begins with [`HitBuffer::len`] and ends with [`HitBuffer::set_len`]. Invariant: whenever the
//! sweep tests another block, the buffer has room for all of its 16 boxes.

use crate::broad::aabb_soa::BLOCK_BOXES;

/// Pairs handed on at a time; the last batch may be smaller. At 1,024 both arrays stay in the L1
/// cache beside the boxes. Much smaller batches make the narrow phase slower.
pub(super) const BATCH: usize = 1024;

/// The batch plus two blocks: a kernel of two vectors asks for a whole block before the second.
const BUFFER_PAIRS: usize = BATCH + 2 * BLOCK_BOXES;

/// Aligned to a cache line: stores that straddle two lines double the time of the sweep.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct AlignedBuffer([u32; BUFFER_PAIRS]);

/// Pairs of positions in tree order, or of ids: `first[i]` overlaps `second[i]`.
#[derive(Clone, Debug)]
pub(super) struct HitBuffer {
    first: AlignedBuffer,
    second: AlignedBuffer,
    len: usize,
}

impl Default for HitBuffer {
    fn default() -> Self {
        Self {
            first: AlignedBuffer([0; BUFFER_PAIRS]),
            second: AlignedBuffer([0; BUFFER_PAIRS]),
            len: 0,
        }
    }
}

/// Receives pairs of positions or ids in tree order, at most [`BATCH`] at a time.
pub(super) type Sink<'s> = dyn FnMut(&[u32], &[u32]) + 's;

impl HitBuffer {
    /// Returns room for `N` pairs after the first `len` ones.
    #[inline(always)]
    pub(super) fn room<const N: usize>(&mut self, len: usize) -> (&mut [u32], &mut [u32]) {
        // Never larger. Stated here, because the bound saves two checks, each of them a branch.
        let len = len.min(BATCH + BLOCK_BOXES);
        (&mut self.first.0[len..][..N], &mut self.second.0[len..][..N])
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    pub(super) fn any(&self) -> bool {
        self.len > 0
    }

    /// Hands a batch on if the first `len` pairs are one. Returns the number of pairs that stay.
    #[inline(always)]
    pub(super) fn drain_if_full(&mut self, len: usize, sink: &mut Sink<'_>) -> usize {
        if len < BATCH {
            return len;
        }
        self.len = len;
        self.drain(sink);
        self.len
    }

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
