//! Numbers, names and digests as bytes: all that a cache or the head of a shard is made of.

use std::hash::Hash;
use xxhash_rust::xxh3::Xxh3Default;

/// 128 bits that stand for a value: two values of one digest are not to be met with.
pub(super) type Digest = [u64; 2];

/// The digest of a value. Where digests are written to a file, [`probe`] goes with them: another
/// version of the standard library may make others.
pub(super) fn digest(value: &(impl Hash + ?Sized)) -> Digest {
    let mut hasher = Xxh3Default::new();
    value.hash(&mut hasher);
    let digest = hasher.digest128();
    [digest as u64, (digest >> 64) as u64]
}

/// The digest of everything that decides whether digests can be compared: how they are made, and
/// the version of the code that bakes.
pub(super) fn probe() -> Digest {
    digest(&(env!("CARGO_PKG_VERSION"), FORM, size_of::<usize>(), "hitmask", 0x0123_4567_u32))
}

/// Raised when caches and shards are written otherwise, or when a bake of the same sources and
/// settings gives other bytes.
const FORM: u32 = 2;

/// Bytes being put together.
#[derive(Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn digest(&mut self, digest: Digest) {
        digest.into_iter().for_each(|half| self.number(half));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }
}

/// Bytes being taken apart; `None` where they end too early.
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

    /// A number of things that take eight bytes each or more: as many as there can be.
    pub(super) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len() / 8).then_some(count)
    }

    pub(super) fn digest(&mut self) -> Option<Digest> {
        Some([self.number()?, self.number()?])
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.number()?).ok()?;
        str::from_utf8(self.take(len)?).ok()
    }
}
