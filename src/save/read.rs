//! Parser of snapshots, in the layout that `snapshot` documents.
//!
//! [`head`] reads the format, the settings and the atlases, before a scene is made. [`fill`] reads the
//! rest. The bytes are untrusted: a valid checksum proves nothing, so every field is checked.
//!
//! Invariants: [`fill`] gives a valid scene or an error, and no call panics. A count is checked
//! against the remaining bytes before memory is allocated for it.

#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

use crate::atlas::Atlas;
use crate::atlas::FileError;
use crate::atlas::Section;
use crate::geom::{Affine, Flip, Point};
use crate::ids::{AtlasId, SpriteId};
use crate::ids::{ColliderId, MAX_COLLIDERS, MaskId};
use crate::ids::{MASK_TAG, MAX_GENERATION, MAX_MASK_GENERATION};
use crate::mask::{MAX_FRAME_SIDE, Mask};
use crate::narrow::Accuracy;
use crate::pose::{Angle, ScalePolicy};
use crate::raster::{MAX_PIVOT, Raster, Sampling};
use crate::save::validate::validate_pairs;
use crate::save::write::{SNAPSHOT_MAGIC, SNAPSHOT_VERSION, owner_lists};
use crate::scene::changes::{OwnerLists, PastOwners};
use crate::scene::collider::Appearance;
use crate::scene::placed::NO_COLLIDER;
use crate::scene::stock::{MaskStore, RasterSource, RuntimeMask};
use crate::scene::{Collider, ColliderShape, MinOverlap, Pair, Scene};
use crate::update::PairLists;
use std::collections::HashSet;
use std::sync::Arc;

/// Parses the rest of a snapshot into a new scene. Returns the pairs.
pub(super) fn fill(scene: &mut Scene, head: &Head, bytes: &[u8]) -> Result<PairLists> {
    // Without the checksum, which the head has read.
    let mut read = Reader { bytes: &bytes[..bytes.len().saturating_sub(4)], at: head.end };
    scene.accuracy = head.accuracy;
    scene.scale_policy = head.scale_policy;
    scene.stock.masks = masks(&mut read)?;
    slots(&mut read, scene, &head.atlases)?;
    let lists = PairLists {
        touching: pairs(&mut read, "touching")?,
        began: pairs(&mut read, "began")?,
        ended: pairs(&mut read, "ended")?,
        is_updated: head.is_updated,
        ..PairLists::default()
    };
    if validate_pairs(&lists).is_err() {
        return read.corrupt_number("ended");
    }
    let mut owners = OwnerLists::default();
    if read.at != read.bytes.len() {
        owners = OwnerLists { last: past_owners(&mut read)?, before: past_owners(&mut read)? };
        if owners == OwnerLists::default() {
            return read.corrupt_number("past owner");
        }
    }
    scene.changes.past_owners = PastOwners::from_lists(&owners, lists.has_pairs());
    // Only owners that answers depend on are written, in order.
    if owner_lists(scene, &lists) != owners {
        return read.corrupt_number("past owner");
    }
    if read.at != read.bytes.len() {
        return read.corrupt("end");
    }
    scene.changes.record_all();
    Ok(lists)
}

fn masks(read: &mut Reader<'_>) -> Result<MaskStore> {
    let (mut masks, mut taken) = (MaskStore::default(), Vec::new());
    for _ in 0..read.count(8, "number of masks")? {
        let generations = MAX_MASK_GENERATION.saturating_add(2) as usize;
        let generation = read.below(generations, "mask's generation")?;
        let is_present = read.flag("mask's presence")?;
        // One more than the last generation is that of a retired place, which has no mask.
        let is_retired = generation > MAX_MASK_GENERATION;
        if is_retired && is_present {
            return read.corrupt_number("mask's presence");
        }
        taken.push(is_retired || is_present);
        if !is_present {
            masks.places.push((generation, None));
            continue;
        }
        let (mask, pivot) = mask(read, MAX_PIVOT as u32)?;
        let mut entry = RuntimeMask::new(mask, pivot);
        if read.flag("drawing")? {
            entry.source = Some(Arc::new(source(read)?));
        }
        masks.places.push((generation, Some(entry)));
    }
    masks.free = read.free(&taken, "free mask")?;
    Ok(masks)
}

/// Reads a mask and its pivot, at most `farthest` half-texels from 0.
fn mask(read: &mut Reader<'_>, farthest: u32) -> Result<(Mask, [i32; 2])> {
    let at = read.at;
    let pivot = [read.get("pivot")? as i32, read.get("pivot")? as i32];
    let (width, height) = (read.get("mask's width")?, read.get("mask's height")?);
    let bad = |field| corrupt(field, at);
    if pivot.iter().any(|at| at.unsigned_abs() > farthest) {
        return Err(bad("pivot"));
    }
    // A size of 61 bits can exceed the addresses of a 32-bit machine.
    let bits = u64::from(width).div_ceil(8).saturating_mul(height.into());
    let bits = read.take(usize::try_from(bits).unwrap_or(usize::MAX), "mask's bits")?;
    let mask = Mask::from_bits(width, height, bits).map_err(|_| bad("mask's size"))?;
    if mask.to_bits() != bits {
        return Err(bad("mask's bits"));
    }
    Ok((mask, pivot))
}

fn source(read: &mut Reader<'_>) -> Result<RasterSource> {
    let at = read.at;
    // The pivot is relative to the corner of the tight box, which can lie up to a frame's side from
    // the image's corner.
    const FARTHEST_PIVOT: u32 = MAX_PIVOT as u32 + 2 * MAX_FRAME_SIDE;
    let (source, pivot) = mask(read, FARTHEST_PIVOT)?;
    let fine = read.flag("sampling")?;
    let sampling = if fine { Sampling::Coverage25 } else { Sampling::Nearest };
    if source.trimmed().0 != source {
        return Err(corrupt("drawn mask", at));
    }
    let at = read.at;
    let mut number = || {
        let [low, high] = [read.get("transform")?, read.get("transform")?].map(u64::from);
        Ok(f64::from_bits(high << 32 | low))
    };
    let transform = Affine {
        a: number()?,
        b: number()?,
        c: number()?,
        d: number()?,
        tx: number()?,
        ty: number()?,
    };
    let whole = Point::new(read.get("transform")? as i32, read.get("transform")? as i32);
    let within = |t: f64| (0.0..1.0).contains(&t);
    if !transform.is_finite() || !within(transform.tx) || !within(transform.ty) {
        return Err(corrupt("transform", at));
    }
    let raster = Arc::new(Raster::of_tight(source, pivot, sampling));
    Ok(RasterSource { raster, transform, whole })
}

fn slots(read: &mut Reader<'_>, scene: &mut Scene, atlases: &[AtlasId]) -> Result<()> {
    let appearances =
        (0..read.count(40, "number of appearances")?).map(|_| one_appearance(read, atlases));
    let appearances = appearances.collect::<Result<Vec<Collider>>>()?;
    let mut distinct = HashSet::new();
    if !appearances.iter().all(|appearance| distinct.insert(Appearance::of(appearance))) {
        return read.corrupt_number("appearance");
    }
    let count = read.count(8, "number of slots")?;
    if count > MAX_COLLIDERS {
        return read.corrupt_number("number of slots");
    }
    let mut taken = Vec::with_capacity(count);
    // Looks are numbered in the order in which slots first show them, and each is in use. Their numbers in
    // the scene.
    let mut shown: Vec<u32> = Vec::with_capacity(appearances.len());
    for slot in scene.placed.slots.take_all(count).map_err(FileError::Refused)? {
        let at = slot as usize;
        let generation = read.generation("generation")?;
        let appearance = read.get("appearance")?;
        taken.push(appearance != NO_COLLIDER);
        scene.placed.slots.generations[at] = generation;
        if appearance == NO_COLLIDER {
            continue;
        }
        if appearance as usize >= appearances.len() || appearance as usize > shown.len() {
            return read.corrupt_number("appearance");
        }
        let position = [read.get("position")?, read.get("position")?].map(f32::from_bits);
        let kind = read.below(8, "kind of angle")?;
        let angle = match kind & 1 {
            0 => Angle::turn(read.below(1 << 16, "angle")? as u16),
            _ => Angle::radians(f32::from_bits(read.get("angle")?)),
        };
        let owner = if kind & 2 != 0 { read.get("owner")? } else { 0 };
        if kind & 2 != 0 && owner == 0 {
            return read.corrupt_number("owner");
        }
        let user_data = match kind & 4 {
            0 => 0,
            _ => u64::from(read.get("user data")?) | u64::from(read.get("user data")?) << 32,
        };
        if kind & 4 != 0 && user_data == 0 {
            return read.corrupt_number("user data");
        }
        let scale = f32::from_bits(read.get("scale")?);
        let collider = Collider {
            position,
            angle,
            scale,
            owner,
            user_data,
            ..appearances[appearance as usize]
        };
        // The policy may have changed after this collider was placed.
        let policy = ScalePolicy::Nearest;
        let placed = match shown.get(appearance as usize) {
            Some(&number) => {
                scene.place_known(&collider, number, policy, None).map(|placed| (number, placed))
            }
            None => scene.resolve(&collider, None, policy, None),
        };
        let (number, placed) = placed
            .map_err(|cause| FileError::Refused(cause.of_collider(scene.placed.slots.id(slot))))?;
        if appearance as usize == shown.len() {
            shown.push(number);
        }
        scene.placed.slots.put(at, &collider, number, placed);
        scene.placed.slots.add_shown(at, collider.shape);
    }
    if shown.len() != appearances.len() {
        return read.corrupt("number of appearances");
    }
    scene.placed.slots.free = read.free(&taken, "free slot")?;
    scene.count_earlier_versions();
    Ok(())
}

fn one_appearance(read: &mut Reader<'_>, atlases: &[AtlasId]) -> Result<Collider> {
    let is_mask = read.flag("shape")?;
    let (index, generation) = (read.get("shape")?, read.generation("shape")?);
    let shape = match is_mask {
        true if index < MASK_TAG => ColliderShape::Mask(MaskId::new(index, generation)),
        true => return read.corrupt_number("shape"),
        false => match atlases.get(generation as usize) {
            Some(&atlas) => ColliderShape::Sprite(SpriteId::of_atlas(atlas, index)),
            None => return read.corrupt_number("shape"),
        },
    };
    let (frame, plane) = (read.get("frame")?, read.get("plane")?);
    let flags = read.below(64, "flags")?;
    let (layers, collides_with) = (read.get("layers")?, read.get("layers")?);
    // The upper bits hold the accuracy for moves, 0 for none.
    let accuracies = read.below(16, "accuracy")?;
    let level = |index: u32| ACCURACIES.get(index as usize).copied();
    let Some(accuracy) = level(accuracies & 3) else { return read.corrupt_number("accuracy") };
    let move_accuracy = (accuracies >> 2).checked_sub(1).and_then(level);
    let least = read.get("overlap")?;
    let min_overlap = match flags & 32 {
        0 => MinOverlap::Pixels(least),
        _ => MinOverlap::Size { width: least, height: read.get("overlap")? },
    };
    Ok(Collider {
        shape,
        frame,
        plane,
        flip: Flip { x: flags & 1 != 0, y: flags & 2 != 0 },
        fixed: flags & 4 != 0,
        sensor: flags & 8 != 0,
        enabled: flags & 16 == 0,
        layers,
        collides_with,
        accuracy,
        move_accuracy,
        min_overlap,
        ..Collider::new(SpriteId::new(0))
    })
}

fn past_owners(read: &mut Reader<'_>) -> Result<Vec<(ColliderId, u32)>> {
    let count = read.count(12, "number of past owners")?;
    let mut owner = || {
        let id = ColliderId::new(read.get("past owner")?, read.generation("past owner")?);
        Ok((id, read.get("past owner")?))
    };
    (0..count).map(|_| owner()).collect()
}

/// Reads pairs, which must be in ascending order of slots.
fn pairs(read: &mut Reader<'_>, field: &'static str) -> Result<Vec<Pair>> {
    let count = read.count(16, field)?;
    let mut pairs: Vec<Pair> = Vec::with_capacity(count);
    for _ in 0..count {
        let mut id = || -> Result<ColliderId> {
            Ok(ColliderId::new(read.below(MAX_COLLIDERS, field)?, read.generation(field)?))
        };
        let pair = Pair { a: id()?, b: id()? };
        let slots = |pair: &Pair| [pair.a.index(), pair.b.index()];
        let ordered = pairs.last().is_none_or(|last| slots(last) < slots(&pair));
        if pair.a.index() >= pair.b.index() || !ordered {
            return read.corrupt_number(field);
        }
        pairs.push(pair);
    }
    Ok(pairs)
}

const MAGIC_BYTES: usize = SNAPSHOT_MAGIC.len();

pub(super) struct Head {
    pub(super) accuracy: Accuracy,
    pub(super) is_updated: bool,
    pub(super) scale_policy: ScalePolicy,
    /// The atlases that the snapshot lists, in order.
    atlases: Vec<AtlasId>,
    /// For each atlas: the place of its newest version among the atlases.
    pub(super) newest: Vec<u32>,
    /// The offset after the head.
    pub(super) end: usize,
}

/// Parses the head of a snapshot. `given` returns the atlases that it shall have been taken with, and gets
/// the ids that it lists.
pub(super) fn head(bytes: &[u8], given: impl FnOnce(&[u32]) -> Vec<Atlas>) -> Result<Head> {
    // The last 4 bytes are the checksum; the shortest head is magic and version.
    let length = bytes.len().saturating_sub(4);
    if length < MAGIC_BYTES + 4 || !bytes.starts_with(&SNAPSHOT_MAGIC) {
        return Err(FileError::NotASnapshot);
    }
    let mut read = Reader { bytes: &bytes[..length], at: MAGIC_BYTES };
    let found = read.get("version")?;
    if found != SNAPSHOT_VERSION {
        return Err(FileError::Version {
            section: Section::Snapshot,
            found,
            supported: SNAPSHOT_VERSION,
        });
    }
    let (expected, got) =
        (Reader { bytes, at: length }.get("checksum")?, crc32fast::hash(read.bytes));
    if expected != got {
        return Err(FileError::Checksum { section: Section::Snapshot, expected, got });
    }
    let first = read.get("atlas")?;
    settings(&mut read, first, given)
}

/// Reads the settings of a world, and compares its atlases. `first` is the id of the first one.
fn settings(
    read: &mut Reader<'_>,
    first: u32,
    given: impl FnOnce(&[u32]) -> Vec<Atlas>,
) -> Result<Head> {
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
    let given = given(&ids);
    check_atlases(&ids, &given)?;
    let atlases = given.iter().map(Atlas::id).collect();
    let is_updated = bits & 1 << 2 == 0;
    Ok(Head { accuracy, is_updated, scale_policy, atlases, newest, end: read.at })
}

/// Returns an error unless these are the atlases of a snapshot.
fn check_atlases(ids: &[u32], atlases: &[Atlas]) -> Result<()> {
    let differs = |(&expected, atlas): (&u32, &Atlas)| {
        let got = atlas.unlabelled_id();
        let expected_id = AtlasId::new(expected);
        (expected != got.bits()).then_some(FileError::OtherAtlas { expected: expected_id, got })
    };
    if let Some(other) = ids.iter().zip(atlases).find_map(differs) {
        return Err(other);
    }
    let (expected, got) = (ids.len(), atlases.len());
    if expected == got { Ok(()) } else { Err(FileError::AtlasCount { expected, got }) }
}

/// Cursor over the bytes of a snapshot; `at` is the offset of the next unread byte.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

/// All accuracies, by their number in a snapshot.
const ACCURACIES: [Accuracy; 3] = [Accuracy::Box, Accuracy::Coarse, Accuracy::Exact];

fn corrupt(field: &'static str, at: usize) -> FileError {
    FileError::Corrupt { section: Section::Snapshot, index: 0, field, offset: at as u64 }
}

type Result<T> = std::result::Result<T, FileError>;

impl<'b> Reader<'b> {
    fn corrupt<T>(&self, field: &'static str) -> Result<T> {
        Err(corrupt(field, self.at))
    }

    fn take(&mut self, len: usize, field: &'static str) -> Result<&'b [u8]> {
        match self.bytes[self.at..].get(..len) {
            Some(bytes) => {
                // At most the length of the snapshot.
                self.at = self.at.saturating_add(len);
                Ok(bytes)
            }
            None => self.corrupt(field),
        }
    }

    fn get(&mut self, field: &'static str) -> Result<u32> {
        let Some((bytes, _)) = self.bytes[self.at..].split_first_chunk() else {
            return self.corrupt(field);
        };
        self.at = self.at.saturating_add(bytes.len());
        Ok(u32::from_le_bytes(*bytes))
    }

    fn below(&mut self, end: usize, field: &'static str) -> Result<u32> {
        let number = self.get(field)?;
        if (number as usize) < end { Ok(number) } else { self.corrupt_number(field) }
    }

    fn generation(&mut self, field: &'static str) -> Result<u32> {
        let number = self.get(field)?;
        if number <= MAX_GENERATION { Ok(number) } else { self.corrupt_number(field) }
    }

    fn corrupt_number<T>(&self, field: &'static str) -> Result<T> {
        Err(corrupt(field, self.at.saturating_sub(4)))
    }

    /// Reads a number of items, each of which takes at least `least` bytes.
    fn count(&mut self, least: usize, field: &'static str) -> Result<usize> {
        debug_assert_ne!(least, 0, "an item takes no bytes");
        let left = self.bytes.len().saturating_sub(self.at);
        let most = left.checked_div(least).unwrap_or_default();
        Ok(self.below(most.saturating_add(1), field)? as usize)
    }

    fn flag(&mut self, field: &'static str) -> Result<bool> {
        Ok(self.below(2, field)? == 1)
    }

    /// Reads the free places: every place whose `taken` is false, each once, in file order.
    fn free(&mut self, taken: &[bool], field: &'static str) -> Result<Vec<u32>> {
        let mut taken = taken.to_vec();
        let wanted = taken.iter().filter(|&&taken| !taken).count();
        if self.get(field)? as usize != wanted {
            return self.corrupt_number(field);
        }
        let mut free = Vec::with_capacity(wanted);
        for _ in 0..wanted {
            let place = self.below(taken.len(), field)?;
            if std::mem::replace(&mut taken[place as usize], true) {
                return self.corrupt_number(field);
            }
            free.push(place);
        }
        Ok(free)
    }
}
