use std::hash::{DefaultHasher, Hash, Hasher};

/// 128 bits that stand for a value: two values of one digest are not to be met with.
pub(super) type Digest = [u64; 2];

/// The digest of a value. Where digests are written to a file, [`probe`] goes with them: another
/// version of the standard library may make others.
pub(super) fn digest(value: &(impl Hash + ?Sized)) -> Digest {
    [0, 1].map(|seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        value.hash(&mut hasher);
        hasher.finish()
    })
}

/// The digest of everything that decides whether digests can be compared: how they are made, and
/// the version of the code that bakes.
pub(super) fn probe() -> Digest {
    digest(&(env!("CARGO_PKG_VERSION"), FORM, size_of::<usize>(), "hitmask", 0x0123_4567_u32))
}

/// Raised when caches and shards are written otherwise, or when a bake of the same sources and
/// settings gives other bytes.
const FORM: u32 = 1;
