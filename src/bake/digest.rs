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
