//! Binary encoding of numbers, names and digests, for cache files and shard heads.
//!
//! Used by `cache` and `shard`. All numbers are little-endian `u64`.

/// Files that store digests also store [`probe`], because another version of the standard library may
/// compute other digests.
pub(super) use hitmask::baking::digest;

/// A 128-bit hash that stands for a value.
pub(super) type Digest = u128;

/// Returns a digest of everything that makes digests comparable: how they are computed, and the
/// version of the baking code.
pub(super) fn probe() -> Digest {
    digest(&(
        env!("CARGO_PKG_VERSION"),
        FORMAT_VERSION,
        size_of::<usize>(),
        "hitmask",
        0x0123_4567_u32,
    ))
}

/// Format version. Raise it if the encoding of caches or shards changes, or if a bake of the same
/// sources and settings gives other bytes.
const FORMAT_VERSION: u32 = 4;

/// An encoder.
#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn digest(&mut self, digest: Digest) {
        self.0.extend(digest.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }
}

/// A decoder. Methods return `None` if the bytes end too early.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// Reads an element count. Returns `None` if that many elements of at least 8 bytes cannot
    /// follow.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len() / 8).then_some(count)
    }

    pub(super) fn digest(&mut self) -> Option<Digest> {
        Some(Digest::from_le_bytes(self.take(16)?.try_into().ok()?))
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.number()?).ok()?;
        str::from_utf8(self.take(len)?).ok()
    }
}
