//! Binary encoding of numbers, names and digests.
//!
//! Used by `cache` and `shard`, whose numbers are `u64`, and by the reader of Aseprite files.

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
const FORMAT_VERSION: u32 = 7;

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

/// The bytes end too early, or hold a value that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended;

/// The bytes that are not yet read. All numbers are little-endian.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], Ended> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(Ended)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Ended> {
        self.take(N)?.try_into().map_err(|_| Ended)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Ended> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Ended> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn i16(&mut self) -> Result<i16, Ended> {
        self.array().map(i16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Ended> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn i32(&mut self) -> Result<i32, Ended> {
        self.array().map(i32::from_le_bytes)
    }

    /// Reads a number in 64 bits.
    pub(super) fn number<T: TryFrom<u64>>(&mut self) -> Result<T, Ended> {
        T::try_from(self.array().map(u64::from_le_bytes)?).map_err(|_| Ended)
    }

    /// Reads an element count. Fails if that many elements of at least 8 bytes cannot follow.
    pub(super) fn count(&mut self) -> Result<usize, Ended> {
        let count = self.number()?;
        if count <= self.0.len() / 8 { Ok(count) } else { Err(Ended) }
    }

    pub(super) fn digest(&mut self) -> Result<Digest, Ended> {
        self.array().map(Digest::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Ended> {
        let len = self.number()?;
        str::from_utf8(self.take(len)?).map_err(|_| Ended)
    }
}
