//! Parser of snapshots, in the layout that `snapshot` documents.
//!
//! Called by `World::from_snapshot`, and through it by `World::restore`. The bytes are untrusted: a
//! valid checksum proves nothing, so every field is checked.
//!
//! Invariant: [`fill`] gives a valid world or an error, and never panics.

use crate::atlas::{Atlas, AtlasId, SpriteId};
use crate::geom::{Affine, Flip, Point};
use crate::mask::{MAX_FRAME_SIDE, Mask};
use crate::pose::{Angle, ScalePolicy};
use crate::raster::{MAX_PIVOT, Raster, Sampling};
use crate::world::runtime_masks::mask_store::MaskStore;
use crate::world::runtime_masks::mask_store::{RasterSource, RuntimeMask};
use crate::world::snapshot::SnapshotError;
use crate::world::snapshot::head::Head;
use crate::world::snapshot::reader::{ACCURACIES, Reader, Result};
use crate::world::state::appearance::Appearance;
use crate::world::state::past_owners::{OwnerLists, PastOwners};
use crate::world::state::slots::NO_COLLIDER;
use crate::world::{Collider, ColliderId, MAX_COLLIDERS, MaskId, MinOverlap, Pair, Shape, World};
use std::collections::HashSet;
use std::sync::Arc;

/// Parses the rest of a snapshot into a new world over its atlases.
pub(super) fn fill(world: &mut World, head: &Head, bytes: &[u8]) -> Result<()> {
    // Without the checksum, which the head has read.
    let mut read = Reader { bytes: &bytes[..bytes.len().saturating_sub(4)], at: head.end };
    (world.accuracy, world.is_updated) = (head.accuracy, head.is_updated);
    world.scale_policy = head.scale_policy;
    world.masks = masks(&mut read)?;
    slots(&mut read, world)?;
    world.touching = pairs(&mut read, "touching")?;
    world.began = pairs(&mut read, "began")?;
    world.ended = pairs(&mut read, "ended")?;
    if world.validate_pairs().is_err() {
        return read.corrupt_number("ended");
    }
    if read.at != read.bytes.len() {
        let owners = [past_owners(&mut read)?, past_owners(&mut read)?];
        world.past_owners = PastOwners::from_lists(&owners);
        // Only owners that answers depend on are written, in order.
        if owners == OwnerLists::default() || world.owner_lists() != owners {
            return read.corrupt_number("past owner");
        }
    }
    if read.at != read.bytes.len() {
        return read.corrupt("end");
    }
    world.dirty.add_all();
    Ok(())
}

fn masks(read: &mut Reader<'_>) -> Result<MaskStore> {
    let mut masks = MaskStore::default();
    for _ in 0..read.count(8, "number of masks")? {
        let generation = read.generation("mask's generation")?;
        if !read.flag("mask's presence")? {
            masks.places.push((generation, None));
            continue;
        }
        let (mask, pivot) = mask(read, MAX_PIVOT as u32)?;
        let mut entry = RuntimeMask::new(Arc::new(mask), pivot);
        if read.flag("drawing")? {
            entry.source = Some(Arc::new(source(read)?));
        }
        masks.places.push((generation, Some(entry)));
    }
    let taken: Vec<bool> = masks.places.iter().map(|(_, entry)| entry.is_some()).collect();
    masks.free = read.free(&taken, "free mask")?;
    Ok(masks)
}

/// Reads a mask and its pivot in half-texels. Each coordinate of the pivot is at most `farthest`
/// from 0.
fn mask(read: &mut Reader<'_>, farthest: u32) -> Result<(Mask, [i32; 2])> {
    let at = read.at;
    let pivot = [read.get("pivot")? as i32, read.get("pivot")? as i32];
    let (width, height) = (read.get("mask's width")?, read.get("mask's height")?);
    let bad = |field| SnapshotError::Corrupt { field, offset: at };
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

/// Reads the source raster and the transform of a drawn mask.
fn source(read: &mut Reader<'_>) -> Result<RasterSource> {
    let at = read.at;
    // The pivot is relative to the corner of the tight box, which can lie up to a frame's side from
    // the image's corner.
    const FARTHEST: u32 = MAX_PIVOT as u32 + 2 * MAX_FRAME_SIDE;
    let (source, pivot) = mask(read, FARTHEST)?;
    let fine = read.flag("sampling")?;
    let sampling = if fine { Sampling::Coverage25 } else { Sampling::Nearest };
    if source.trimmed().0 != source {
        return Err(SnapshotError::Corrupt { field: "drawn mask", offset: at });
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
        return Err(SnapshotError::Corrupt { field: "transform", offset: at });
    }
    let raster = Arc::new(Raster::of_tight(source, pivot, sampling));
    Ok(RasterSource { raster, transform, whole })
}

fn slots(read: &mut Reader<'_>, world: &mut World) -> Result<()> {
    let atlases: Vec<AtlasId> = world.atlases().map(Atlas::id).collect();
    let appearances =
        (0..read.count(40, "number of appearances")?).map(|_| one_appearance(read, &atlases));
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
    // Looks are numbered in the order in which slots first show them, and each is in use.
    let mut shown = 0;
    for slot in 0..count {
        let generation = read.generation("generation")?;
        let appearance = read.get("appearance")?;
        taken.push(appearance != NO_COLLIDER);
        let at = world.slots.take().map_err(|cause| place_error(slot, cause))?;
        world.slots.generations[at] = generation;
        if appearance == NO_COLLIDER {
            continue;
        }
        if appearance as usize >= appearances.len() || appearance > shown {
            return read.corrupt_number("appearance");
        }
        shown = shown.max(appearance.saturating_add(1));
        let position = [read.get("position")?, read.get("position")?].map(f32::from_bits);
        let kind = read.below(4, "kind of angle")?;
        let angle = match kind & 1 {
            0 => Angle::Turn(read.below(1 << 16, "angle")? as u16),
            _ => Angle::Radians(f32::from_bits(read.get("angle")?)),
        };
        let owner = if kind & 2 != 0 { read.get("owner")? } else { 0 };
        if kind & 2 != 0 && owner == 0 {
            return read.corrupt_number("owner");
        }
        let scale = f32::from_bits(read.get("scale")?);
        let collider =
            Collider { position, angle, scale, owner, ..appearances[appearance as usize] };
        let before = at.checked_sub(1).map(|before| world.slots.appearances[before]);
        // The policy may have changed after this collider was placed.
        let placed = world.resolve(&collider, before, ScalePolicy::Nearest, None);
        let placed = placed.map_err(|cause| place_error(slot, cause))?;
        world.slots.put(at, &collider, placed.0, placed.1);
    }
    if shown as usize != appearances.len() {
        return read.corrupt("number of appearances");
    }
    world.slots.free = read.free(&taken, "free slot")?;
    Ok(())
}

fn place_error(slot: usize, cause: crate::world::PlaceError) -> SnapshotError {
    SnapshotError::Placement { slot: slot as u32, cause }
}

/// Reads an appearance, returned as a collider at the origin.
fn one_appearance(read: &mut Reader<'_>, atlases: &[AtlasId]) -> Result<Collider> {
    let is_mask = read.flag("shape")?;
    let (index, generation) = (read.get("shape")?, read.generation("shape")?);
    let shape = match is_mask {
        true => Shape::Mask(MaskId::new(index, generation)),
        false => match atlases.get(generation as usize) {
            Some(&atlas) => Shape::Sprite(SpriteId::of_atlas(atlas, index)),
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
