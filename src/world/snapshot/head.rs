//! Parser of the head of a snapshot: the format, the settings, and the atlases it belongs to.
//!
//! Called by `World::restore` and `World::from_snapshot_with`, before they create a world. The bytes
//! are untrusted, as in `read`.

use crate::atlas::{Atlas, AtlasId};
use crate::narrow::Accuracy;
use crate::pose::ScalePolicy;
use crate::world::snapshot::reader::{ACCURACIES, Reader, Result};
use crate::world::snapshot::{MAGIC, SnapshotError, VERSION};

/// Bytes of the magic.
const MAGIC_BYTES: usize = MAGIC.len();

/// The head of a snapshot.
pub(super) struct Head {
    pub(super) accuracy: Accuracy,
    pub(super) is_updated: bool,
    pub(super) scale_policy: ScalePolicy,
    /// For each atlas: the place of its newest version among the atlases.
    pub(super) newest: Vec<u32>,
    /// The offset after the head.
    pub(super) end: usize,
}

/// Parses the head of a snapshot that was taken with `atlases`.
pub(super) fn head(atlases: &[Atlas], bytes: &[u8]) -> Result<Head> {
    // The last 4 bytes are the checksum; the shortest head is magic and version.
    let length = bytes.len().saturating_sub(4);
    if length < MAGIC_BYTES + 4 || !bytes.starts_with(&MAGIC) {
        return Err(SnapshotError::NotASnapshot);
    }
    let mut read = Reader { bytes: &bytes[..length], at: MAGIC_BYTES };
    let found = read.get("version")?;
    if found != VERSION {
        return Err(SnapshotError::Version { found, supported: VERSION });
    }
    let (expected, got) =
        (Reader { bytes, at: length }.get("checksum")?, crc32fast::hash(read.bytes));
    if expected != got {
        return Err(SnapshotError::Checksum { expected, got });
    }
    let first = read.get("atlas")?;
    settings(&mut read, first, atlases)
}

/// Reads the settings of a world, and compares its atlases. `first` is the id of the first one.
fn settings(read: &mut Reader<'_>, first: u32, given: &[Atlas]) -> Result<Head> {
    let bits = read.below(1 << 5, "accuracy")?;
    let Some(&accuracy) = ACCURACIES.get(bits as usize & 3) else {
        return read.corrupt_number("accuracy");
    };
    let mut scale_policy = ScalePolicy::default();
    if bits & 1 << 3 != 0 {
        let policy = ScalePolicy::of_factor(f32::from_bits(read.get("scale policy")?));
        // The default is not stored, so that equal states have equal bytes.
        match policy.filter(|&policy| policy != ScalePolicy::default()) {
            Some(policy) => scale_policy = policy,
            None => return read.corrupt_number("scale policy"),
        }
    }
    let (mut ids, mut newest) = (vec![first], vec![0]);
    if bits & 1 << 4 != 0 {
        let count = read.count(8, "number of atlases")?;
        // A single atlas is not stored, so that equal states have equal bytes.
        if count < 2 {
            return read.corrupt_number("number of atlases");
        }
        let mut atlas = || Ok((read.get("atlas")?, read.below(count, "newest atlas")?));
        (ids, newest) = (0..count).map(|_| atlas()).collect::<Result<(Vec<u32>, Vec<u32>)>>()?;
        if ids[0] != first {
            return read.corrupt_number("atlas");
        }
    }
    check_atlases(&ids, given)?;
    let is_updated = bits & 1 << 2 == 0;
    Ok(Head { accuracy, is_updated, scale_policy, newest, end: read.at })
}

/// Returns an error unless these are the atlases of a snapshot.
fn check_atlases(ids: &[u32], atlases: &[Atlas]) -> Result<()> {
    let differs = |(&expected, atlas): (&u32, &Atlas)| {
        let got = atlas.unlabelled_id();
        let expected_id = AtlasId::new(expected);
        (expected != got.bits()).then_some(SnapshotError::OtherAtlas { expected: expected_id, got })
    };
    if let Some(other) = ids.iter().zip(atlases).find_map(differs) {
        return Err(other);
    }
    let (expected, got) = (ids.len(), atlases.len());
    if expected == got { Ok(()) } else { Err(SnapshotError::AtlasCount { expected, got }) }
}
