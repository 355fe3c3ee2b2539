//! Numbers and names as bytes: all that a cache or the head of a shard is made of.

use crate::bake::digest::Digest;

/// Bytes being put together.
#[derive(Default)]
pub(in crate::bake) struct Writer(pub(in crate::bake) Vec<u8>);

impl Writer {
    pub(in crate::bake) fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(in crate::bake) fn digest(&mut self, digest: Digest) {
        digest.into_iter().for_each(|half| self.number(half));
    }

    pub(in crate::bake) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.as_bytes());
    }
}

/// Bytes being taken apart; `None` where they end too early.
pub(in crate::bake) struct Reader<'a>(pub(in crate::bake) &'a [u8]);

impl<'a> Reader<'a> {
    pub(in crate::bake) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    pub(in crate::bake) fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// A number of things that take eight bytes each or more: as many as there can be.
    pub(in crate::bake) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len() / 8).then_some(count)
    }

    pub(in crate::bake) fn digest(&mut self) -> Option<Digest> {
        Some([self.number()?, self.number()?])
    }

    pub(in crate::bake) fn text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.number()?).ok()?;
        str::from_utf8(self.take(len)?).ok()
    }
}
